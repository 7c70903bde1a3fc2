// SPDX-License-Identifier: Apache-2.0
#include "ult/port.h"

#include <abt.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

#include "arch/cpu.h"
#include "os/report.h"
#include "sync/spinlock.h"
#include "ult/tls_block.h"

namespace tulle::ult::port {

namespace {

// What whoever goes over tells the other side. It lies on the stack that is left: gone after the commit.
struct Crossing {
  arch::Commit commit;
  void* argument;
  uintptr_t base;      // the TLS base in force
  ABT_thread ended;    // whose frames were left for the last time; ABT_THREAD_NULL: none
};

// Lies on its own stack: at the top until it begins, in the frame of go_over() later.
struct Context {
  ABT_thread thread = ABT_THREAD_NULL;  // null: not begun
  const Crossing* crossing = nullptr;   // W: who goes over to it
  memory::Stack* stack = nullptr;
  void (*entry)(void*) = nullptr;
  void* argument = nullptr;
};

constexpr size_t kEntryStack = 256 * 1024;

sync::Spinlock starting;
std::atomic<bool> started{false};
bool forked = false;
ABT_pool nowhere = ABT_POOL_NULL;  // keeps nothing: who resumes a context knows it

void check(int error, const char* what) {
  if (error == ABT_SUCCESS) return;
  os::fatal("Argobots: %s failed (%d)", what, error);
}

// Argobots keeps "which stream am I" in the OS thread's own block. The base that was in force is returned.
uintptr_t to_own_base() {
  uintptr_t base = arch::tls_base();
  // Relaxed: stored by this OS thread.
  if (TlsBlock* block = lent_block(base)) arch::set_tls_base(block->carrier.load(std::memory_order_relaxed));
  return base;
}

void back_to_base(uintptr_t base) {
  if (arch::tls_base() != base) arch::set_tls_base(base);
}

// A unit is the ULT itself: Argobots wants other values than those of its own pools.
ABT_unit make_unit(ABT_pool, ABT_thread thread) { return reinterpret_cast<ABT_unit>(thread); }
void free_unit(ABT_pool, ABT_unit) {}
ABT_bool is_empty(ABT_pool) { return ABT_TRUE; }
ABT_thread pop(ABT_pool, ABT_pool_context) { return ABT_THREAD_NULL; }
void push(ABT_pool, ABT_unit, ABT_pool_context) {}

void start() {
  if (started.load(std::memory_order_acquire)) return;  // pairs with the store below
  sync::Guard guard(starting);
  if (started.load(std::memory_order_relaxed)) return;  // under the lock
  check(ABT_init(0, nullptr), "ABT_init");
  ABT_pool_user_def kind;
  check(ABT_pool_user_def_create(make_unit, free_unit, is_empty, pop, push, &kind), "ABT_pool_user_def_create");
  check(ABT_pool_create(kind, ABT_POOL_CONFIG_NULL, &nowhere), "ABT_pool_create");
  check(ABT_pool_user_def_free(&kind), "ABT_pool_user_def_free");
  started.store(true, std::memory_order_release);
}

// Under the OS thread's own block, first on the side gone over to.
void arrive(const Crossing* from) {
  Crossing crossing = *from;
  if (crossing.ended != ABT_THREAD_NULL) check(ABT_thread_free(&crossing.ended), "ABT_thread_free");
  back_to_base(crossing.base);
  if (crossing.commit != nullptr) crossing.commit(crossing.argument);
}

void run(void* begun) {
  auto* context = static_cast<Context*>(begun);
  void (*entry)(void*) = context->entry;
  void* argument = context->argument;
  arrive(context->crossing);
  entry(argument);
  __builtin_unreachable();
}

// Gives a context a ULT on its stack, below its record.
void make_thread(Context* context) {
  ABT_thread_attr attributes;
  check(ABT_thread_attr_create(&attributes), "ABT_thread_attr_create");
  auto* lowest = static_cast<char*>(context->stack->lowest);
  size_t bytes = static_cast<size_t>(reinterpret_cast<char*>(context) - lowest);
  check(ABT_thread_attr_set_stack(attributes, lowest, bytes), "ABT_thread_attr_set_stack");
  check(ABT_thread_create(nowhere, run, context, attributes, &context->thread), "ABT_thread_create");
  check(ABT_thread_attr_free(&attributes), "ABT_thread_attr_free");
}

struct Start {
  void* (*entry)(void*);
  void* argument;
};

void run_entry(void* memory) {
  Start given = *static_cast<Start*>(memory);
  free(memory);
  given.entry(given.argument);
  // Else the stream would look for work, for good.
  check(ABT_xstream_exit(), "ABT_xstream_exit");
}

int start_stream(Start* given) {
  ABT_xstream stream;
  ABT_thread_attr attributes;
  if (ABT_xstream_create(ABT_SCHED_NULL, &stream) != ABT_SUCCESS) return EAGAIN;
  check(ABT_thread_attr_create(&attributes), "ABT_thread_attr_create");
  check(ABT_thread_attr_set_stacksize(attributes, kEntryStack), "ABT_thread_attr_set_stacksize");
  int error = ABT_thread_create_on_xstream(stream, run_entry, given, attributes, nullptr);
  check(ABT_thread_attr_free(&attributes), "ABT_thread_attr_free");
  return error == ABT_SUCCESS ? 0 : EAGAIN;
}

}  // namespace

void* begin(memory::Stack* stack, void* top, void (*entry)(void*), void* argument) {
  if (forked) return arch::make_context(top, entry, argument);
  constexpr size_t kRoom = (sizeof(Context) + 63) & ~size_t{63};
  auto* context = new (static_cast<char*>(top) - kRoom) Context;
  context->stack = stack;
  context->entry = entry;
  context->argument = argument;
  return context;
}

void go_over(void** save, void* to, arch::Commit commit, void* argument) {
  if (forked) return arch::tulle_context_switch(save, to, commit, argument);
  uintptr_t base = to_own_base();
  start();
  auto* target = static_cast<Context*>(to);
  Context mine;
  check(ABT_self_get_thread(&mine.thread), "going over on an OS thread that it does not know");
  const Crossing crossing{commit, argument, base, ABT_THREAD_NULL};
  *save = &mine;
  target->crossing = &crossing;
  if (target->thread == ABT_THREAD_NULL) {
    make_thread(target);
    check(ABT_self_suspend_to(target->thread), "ABT_self_suspend_to");
  } else {
    check(ABT_self_resume_suspend_to(target->thread), "ABT_self_resume_suspend_to");
  }
  arrive(mine.crossing);
}

void leave(void* to, arch::Commit commit, void* argument) {
  if (forked) {
    void* unused;
    arch::tulle_context_switch(&unused, to, commit, argument);
    __builtin_unreachable();
  }
  uintptr_t base = to_own_base();
  auto* target = static_cast<Context*>(to);
  Crossing crossing{commit, argument, base, ABT_THREAD_NULL};
  check(ABT_self_get_thread(&crossing.ended), "ABT_self_get_thread");
  target->crossing = &crossing;
  if (target->thread == ABT_THREAD_NULL) {
    make_thread(target);
    check(ABT_self_exit_to(target->thread), "ABT_self_exit_to");
  } else {
    check(ABT_self_resume_exit_to(target->thread), "ABT_self_resume_exit_to");
  }
  __builtin_unreachable();
}

int start_thread(void* (*entry)(void*), void* argument) {
  uintptr_t base = to_own_base();
  start();
  auto* given = static_cast<Start*>(malloc(sizeof(Start)));
  int error = ENOMEM;
  if (given != nullptr) {
    *given = {entry, argument};
    error = start_stream(given);
    if (error != 0) free(given);
  }
  back_to_base(base);
  return error;
}

void after_fork() { forked = true; }

}  // namespace tulle::ult::port
