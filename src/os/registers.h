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

// Where an OS thread spins, and a leave from there.
struct Leave {
  static constexpr uint32_t kMost = 8;
  std::atomic<uint64_t> places[kMost] = {};  // digests
  std::atomic<uint64_t> answer{0};           // kLeft, or the digest of another place
  bool (*lasts)() = nullptr;                 // in a signal handler
};
inline constexpr uint64_t kLeft = 4;  // digests are odd

// The same; but if the OS thread is found at one of the places it sleeps there, for some milliseconds at most, while the
// leave lasts.
bool ask_to_leave(int kernel_thread_id, Leave& leave);

}  // namespace tulle::os
