// SPDX-License-Identifier: Apache-2.0
// The port to another library: frames of the runtime's stacks run on that library's threads, on that library's OS
// threads. ult/port_contract.h says what each function owes, ult/library.h what the library is asked for.
#pragma once

#include <array>

#include "arch/context.h"
#include "memory/stack_pool.h"

namespace tulle::ult::port {

inline constexpr bool kNative = false;
extern const std::array<const char*, 1> kModules;

void* begin(memory::Stack* stack, void* top, void (*entry)(void*), void* argument);
void go_over(void** save, void* to, arch::Commit commit, void* argument);
inline void go_over_alike(void** save, void* to, arch::Commit commit, void* argument) {
  go_over(save, to, commit, argument);
}
[[noreturn]] void leave(void* to, arch::Commit commit, void* argument);
int start_thread(void* (*entry)(void*), void* argument);
void put_in_force(uintptr_t base);
uintptr_t own_block(uintptr_t otherwise);
int kernel_id();
void forget_os_thread();
void end();
void after_fork();

}  // namespace tulle::ult::port
