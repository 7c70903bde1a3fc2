// SPDX-License-Identifier: Apache-2.0
// The native port: stacks are switched by the processor's own code (arch/context.h), inlined, and OS threads are
// pthreads. ult/port_contract.h says what each function owes.
#pragma once

#include <array>

#include "arch/context.h"
#include "arch/cpu.h"
#include "memory/stack_pool.h"
#include "os/thread.h"

namespace tulle::ult::port {

inline constexpr bool kNative = true;
inline constexpr std::array<const char*, 0> kModules{};

inline void* begin(memory::Stack*, void* top, void (*entry)(void*), void* argument) {
  return arch::make_context(top, entry, argument);
}

inline void go_over(void** save, void* to, arch::Commit commit, void* argument) {
  arch::tulle_context_switch(save, to, commit, argument);
}

inline void go_over_alike(void** save, void* to, arch::Commit commit, void* argument) {
  arch::tulle_context_switch_alike(save, to, commit, argument);
}

[[noreturn]] inline void leave(void* to, arch::Commit commit, void* argument) {
  void* unused;
  arch::tulle_context_switch(&unused, to, commit, argument);
  __builtin_unreachable();
}

// Of addresses: a worker touches a few pages of its native stack. Its first stack of the pool may lie right below, and valgrind
// takes a switch to one that is nearer than two million bytes for growth.
inline constexpr size_t kNativeStack = size_t{4} << 20;

inline int start_thread(void* (*entry)(void*), void* argument) {
  return os::start_thread(entry, argument, os::Signals::inherited, kNativeStack);
}

inline void put_in_force(uintptr_t base) { arch::set_tls_base(base); }
inline uintptr_t own_block(uintptr_t otherwise) { return otherwise; }
inline int kernel_id() { return 0; }
inline void forget_os_thread() {}
inline void end() {}
inline void after_fork() {}

}  // namespace tulle::ult::port
