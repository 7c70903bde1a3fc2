// SPDX-License-Identifier: Apache-2.0
// Has an OS thread of the process do something in a signal handler, whatever signals it blocks. The signal is the
// one by which the C library changes credentials (os/setxid.h), whose own handler gets all others.
#pragma once

#include <cstdint>

namespace tulle::os {

// Before the first send_errand: what is done; `mask` is the signal mask with which the OS thread goes on, and
// `interrupted` the stack pointer: handlers of the C library's signals run on the alternate stack.
// False: the C library has no such handler.
using Errand = void (*)(uint64_t* mask, const void* interrupted);
bool set_errand(Errand errand);

// False: there is no such OS thread.
bool send_errand(int kernel_thread_id);

}  // namespace tulle::os
