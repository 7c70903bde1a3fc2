// SPDX-License-Identifier: Apache-2.0
// The code that an OS thread of this process executes, seen from another one: a digest of its registers, taken
// by a handler of SIGURG, which is ignored unless a program asks for it. A program that handles
// or ignores that signal keeps it to itself.
#pragma once

#include <atomic>
#include <cstdint>

namespace tulle::os {

// The answer of an OS thread that is in a system call.
inline constexpr uint64_t kInSystemCall = 2;

// Asks the OS thread; `answer` becomes other than 0 when it runs next, unless it blocks the signal.
// `answer` must never be unmapped. False: the signal is not to be had, or the OS thread has ended. One
// thread at a time.
bool ask_for_registers(int kernel_thread_id, std::atomic<uint64_t>& answer);

}  // namespace tulle::os
