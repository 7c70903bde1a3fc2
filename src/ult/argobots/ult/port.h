// SPDX-License-Identifier: Apache-2.0
// The port to Argobots: contexts are its ULTs on the runtime's stacks, OS threads are its execution streams.
// ult/port_contract.h says what each function owes. Execution streams are Argobots' own and the OS thread that is
// the first to come; any other of the program's may not go over.
#pragma once

#include <array>

#include "arch/context.h"
#include "memory/stack_pool.h"

namespace tulle::ult::port {

inline constexpr bool kAnyOsThread = false;
inline constexpr std::array<const char*, 1> kModules{"libabt.so"};

void* begin(memory::Stack* stack, void* top, void (*entry)(void*), void* argument);
void go_over(void** save, void* to, arch::Commit commit, void* argument);
inline void go_over_alike(void** save, void* to, arch::Commit commit, void* argument) {
  go_over(save, to, commit, argument);
}
[[noreturn]] void leave(void* to, arch::Commit commit, void* argument);
int start_thread(void* (*entry)(void*), void* argument);
void after_fork();

}  // namespace tulle::ult::port
