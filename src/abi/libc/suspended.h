// SPDX-License-Identifier: Apache-2.0
// Members that are suspended where the C library would block their OS thread.
#pragma once

namespace tulle::libc {

// The caller, which may_be_seen(), is a member that may be suspended until the object is announced.
bool may_suspend(const void* object);

}  // namespace tulle::libc
