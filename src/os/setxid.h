// SPDX-License-Identifier: Apache-2.0
// The C library changes the user and the groups of all OS threads by a signal to each, and notes in the TLS
// block in force who has done so: an OS thread with another one's block would be asked for ever.
#pragma once

#include <cstdint>

namespace tulle::os {

// From now on the handler of that signal runs under the block that own_block() returns: the calling OS
// thread's own, or 0 where it is in force. Called in the handler. Where the C library has installed its
// handler, which it does when it starts the first OS thread.
void serve_credential_changes(uintptr_t (*own_block)());

}  // namespace tulle::os
