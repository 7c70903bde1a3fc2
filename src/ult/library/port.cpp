// SPDX-License-Identifier: Apache-2.0
// Going over by another library's threads. A thread of the library calls a context on the context's own stack, by the
// processor's switch, so the library finds the stack pointer there whenever it saves the thread. It is used again when
// the context has ended. Around each call of the library the OS thread's own TLS block is in force, where libraries
// keep which OS thread they are on.
#include "ult/port.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

#include "arch/cpu.h"
#include "arch/float_control.h"
#include "base/cacheline.h"
#include "os/cpus.h"
#include "os/futex.h"
#include "os/keep_errno.h"
#include "os/report.h"
#include "os/signal_mask.h"
#include "os/thread.h"
#include "sync/spinlock.h"
#include "ult/library/os_thread.h"
#include "ult/tls_block.h"

namespace tulle::ult::port {

namespace {

// A forked child has nothing of the library's, nor has a process whose OS threads of the library have ended.
std::atomic<bool> without{false};
bool goes_natively() { return without.load(std::memory_order_relaxed); }  // relaxed: W while nobody goes over

sync::Spinlock free_lock;
Ult* free_ults = nullptr;  // under the lock

Ult* take_free(OsThread* os) {
  if (Ult* spare = os->spare) {
    os->spare = nullptr;
    return spare;
  }
  sync::Guard guard(free_lock);
  Ult* ult = free_ults;
  if (ult != nullptr) free_ults = ult->next;
  return ult;
}

void to_own_block(const OsThread* os) {
  if (arch::tls_base() != os->base) arch::set_tls_base(os->base);
}

// First on the side gone over to, whose frames run on `os`.
void arrive(const Crossing* from, OsThread* os) {
  Crossing crossing = *from;
  if (crossing.ended != nullptr) free_ult(os, crossing.ended);
  run_under(crossing.base, os);
  if (crossing.brought != nullptr) take_up(*crossing.brought);
  if (crossing.commit != nullptr) crossing.commit(crossing.argument);
}

void arrive_on_library(Ult* ult, const Crossing* from) {
  OsThread* os = from->on;
  os->running = ult;
  arrive(from, os);
}

// First frame of a context.
void run_context(void* begun) {
  auto* context = static_cast<Context*>(begun);
  void (*entry)(void*) = context->entry;
  void* argument = context->argument;
  arrive_on_library(context->ult, context->crossing);
  entry(argument);
  __builtin_unreachable();
}

// First frame of a thread of the library's.
void run_ult(void* argument) {
  auto* self = static_cast<Ult*>(argument);
  for (;;) {
    if (Context* context = self->called) {
      self->called = nullptr;
      arch::tulle_context_switch(&self->home, context->native, nullptr, nullptr);
      cross(self, self->onward, &self->last);
    } else {
      stand_aside(self->crossing->on, self);
    }
  }
}

void go(Ult* from, Ult* to) { library::go(from->thread, to->thread); }

void begin_or_go(OsThread* os, Ult* from, Ult* to, Context* called, Context* sleeper, const Crossing* crossing) {
  bool begins = to == nullptr && (to = take_free(os)) == nullptr;
  if (begins) {
    void* memory = malloc(sizeof(Ult));
    if (memory == nullptr) os::fatal("no memory for another thread of %s", library::kName);
    to = new (memory) Ult;
  }
  to->called = called;
  to->sleeper = sleeper;
  to->crossing = crossing;
  if (called != nullptr) called->ult = to;
  if (begins)
    library::begin(from->thread, to->thread, run_ult, to);
  else
    go(from, to);
}

// For the program's OS thread, whose block will be in force on it.
TULLE_NOINLINE OsThread* take_stand_in() {
  os::KeepErrno keep;
  OsThread* os = take_idle();
  if (os == nullptr) os::fatal("%s has no OS thread left for another one of the program's", library::kName);
  serve_credential_changes();
  return os;
}

// In the program's OS thread: one of the library's goes over in its place.
void go_over_by_other(OsThread* os, void** save, Context* to, arch::Commit commit, void* argument) {
  if (os->acts_for == nullptr) os->acts_for = take_stand_in();
  Context mine;
  Belongings belongings;
  put_down(belongings);
  mine.brings = &belongings;
  *save = &mine;
  const Crossing crossing{commit, argument, arch::tls_base(), os->acts_for, nullptr, &belongings};
  to_own_block(os);  // the other one may end meanwhile
  give_order(os->acts_for, {nullptr, nullptr, {}, to, &crossing});
  while (mine.resumed.load(std::memory_order_acquire) == 0) os::futex_wait(mine.resumed, 0);  // pairs with stand_aside
  Crossing back = *mine.crossing;
  back.brought = &belongings;
  os->acts_for = back.on;
  arrive(&back, os);
}

}  // namespace

void cross(Ult* from, Context* to, const Crossing* crossing) {
  OsThread* os = crossing->on;
  to->crossing = crossing;
  if (to->ult != nullptr) return go(from, to->ult);
  if (to->native != nullptr) return begin_or_go(os, from, nullptr, to, nullptr, crossing);
  if (crossing->brought != nullptr)
    *to->brings = *crossing->brought;
  else
    put_down(*to->brings);
  Ult* dock = os->dock;
  os->dock = nullptr;
  if (dock == from) {
    from->sleeper = to;
    return;
  }
  begin_or_go(os, from, dock, nullptr, to, crossing);
}

void stand_aside(OsThread* os, Ult* self) {
  os->running = self;
  if (Context* sleeper = self->sleeper) {
    self->sleeper = nullptr;
    sleeper->resumed.store(1, std::memory_order_release);  // pairs with go_over_by_other
    os::futex_wake(sleeper->resumed, 1);
  }
  Order order = next_crossing(os);
  if (os->dock != nullptr && os->dock != &os->first) free_ult(os, os->dock);
  os->dock = self;
  Crossing crossing = *order.crossing;
  cross(self, order.to, &crossing);
}

void free_ult(OsThread* os, Ult* ult) {
  if (os->of_library && os->spare == nullptr) {
    os->spare = ult;
    return;
  }
  sync::Guard guard(free_lock);
  ult->next = free_ults;
  free_ults = ult;
}

const std::array<const char*, 1> kModules{library::kModule};

void* begin(memory::Stack*, void* top, void (*entry)(void*), void* argument) {
  if (goes_natively()) return arch::make_context(top, entry, argument);
  constexpr size_t kRoom = (sizeof(Context) + 63) & ~size_t{63};
  auto* context = new (static_cast<char*>(top) - kRoom) Context;
  context->entry = entry;
  context->argument = argument;
  context->native = arch::make_context(context, run_context, context);
  return context;
}

void go_over(void** save, void* to, arch::Commit commit, void* argument) {
  if (TULLE_UNLIKELY(goes_natively())) return arch::tulle_context_switch(save, to, commit, argument);
  OsThread* os = this_os_thread();
  auto* target = static_cast<Context*>(to);
  if (!os->of_library) return go_over_by_other(os, save, target, commit, argument);
  Context mine;
  mine.ult = os->running;
  *save = &mine;
  const Crossing crossing{commit, argument, arch::tls_base(), os, nullptr};
  const arch::FloatControl control = arch::float_control();  // not all libraries keep it
  to_own_block(os);
  cross(mine.ult, target, &crossing);
  arch::restore_float_control(arch::float_control(), control);
  arrive_on_library(mine.ult, mine.crossing);
}

void leave(void* to, arch::Commit commit, void* argument) {
  void* unused;
  if (!goes_natively()) {
    OsThread* os = this_os_thread();
    Ult* ult = os->running;
    ult->onward = static_cast<Context*>(to);
    ult->last = {commit, argument, arch::tls_base(), os, ult};
    to_own_block(os);
    to = ult->home;
    commit = nullptr;
  }
  arch::tulle_context_switch(&unused, to, commit, argument);
  __builtin_unreachable();
}

int start_thread(void* (*entry)(void*), void* argument) {
  if (goes_natively()) return os::start_thread(entry, argument, os::Signals::inherited);
  start_library();
  OsThread* os = take_idle();
  if (os == nullptr) return EAGAIN;
  Order order;
  order.entry = entry;
  order.argument = argument;
  order.belongings.mask = os::signal_mask();
  os::affinity_mask(0, order.belongings.cpus);
  give_order(os, order);
  return 0;
}

void put_in_force(uintptr_t base) {
  if (goes_natively())
    arch::set_tls_base(base);
  else
    run_under(base, known_os_thread());
}

uintptr_t own_block(uintptr_t otherwise) {
  const OsThread* os = goes_natively() ? nullptr : known_os_thread();
  return os == nullptr ? otherwise : os->base;
}

int kernel_id() {
  const OsThread* os = goes_natively() ? nullptr : known_os_thread();
  return os == nullptr ? 0 : os->kernel_id;
}

void forget_os_thread() {
  if (goes_natively()) return;
  OsThread* os = known_os_thread();
  uintptr_t base = arch::tls_base();
  const bool own = os != nullptr && os->base == base;  // else it ran under this block
  if (own && os->of_library) return;
  run_under(base, nullptr);
  if (!own) return;
  if (os->acts_for != nullptr) give_order(os->acts_for, {});
  free(os);
}

void end() {
  without.store(true, std::memory_order_relaxed);
  end_os_threads();
}

void after_fork() { without.store(true, std::memory_order_relaxed); }

}  // namespace tulle::ult::port
