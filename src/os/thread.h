// SPDX-License-Identifier: Apache-2.0
// OS threads of the runtime.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tulle::os {

enum class Signals { inherited, blocked };

// Workers run on stacks of the pool and need little of their own; code of the program's needs what it is used to.
inline constexpr size_t kSmallStack = 0, kStackOfProgram = SIZE_MAX;

// Starts a detached OS thread that calls entry(argument), with its creator's signal mask or with
// every signal blocked. Its native stack has `stack` bytes, committed on touch, above a guard as those of the
// pool have (os/memory.h). Returns 0 or the error number of pthread_create.
int start_thread(void* (*entry)(void*), void* argument, Signals signals, size_t stack = kSmallStack);

// The same where the caller has room for what it begins with, until it calls the entry: neither allocates memory, which
// would make an arena of the C library's for the new thread.
struct ThreadStart {
  void* (*entry)(void*) = nullptr;
  void* argument = nullptr;
  Signals signals = Signals::inherited;  // W: start_thread
};
int start_thread(ThreadStart* start, Signals signals, size_t stack);

// Ends the calling OS thread, on whichever stack its frames lie.
[[noreturn]] void end_thread();

// Names the calling OS thread, for tools; cut off behind 15 characters.
void name_thread(const char* name);

// Where the native stack of the calling OS thread ends, which start_thread has started with so many bytes, or somewhat
// above that; null: not known.
void* started_stack_end(size_t stack);

// Ends the process with a message: user code has ended an OS thread of ours, or one in a region.
// start_thread sees to it for those that it starts.
[[noreturn]] void report_end_in_region();

// Keeps the signal mask of the calling OS thread for OS threads that one with every signal blocked
// starts (os/signal_mask.h).
void keep_signal_mask();

// The kernel's id of the calling OS thread (not of the TLS block in force).
int kernel_thread_id();
// That of the process, which its initial thread has.
int process_id();

// True when the OS thread sleeps in the kernel (a system call, a page fault) rather than runs.
// Reads /proc; slow.
bool is_blocked_in_kernel(int kernel_thread_id);
// It does until something comes, as in read() of a pipe: not for a lock of the kernel's, or a disk.
bool sleeps_in_kernel(int kernel_thread_id);

// The clock of an OS thread's CPU time, for clock_gettime().
int cpu_clock_of(int kernel_thread_id);

// CPU time of an OS thread of this process in nanoseconds, or 0 when it cannot be read.
uint64_t cpu_time_of(int kernel_thread_id);

}  // namespace tulle::os
