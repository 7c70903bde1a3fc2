// SPDX-License-Identifier: Apache-2.0
// Going over by another library's threads. A thread of the library calls a context on the context's own stack, by the
// processor's switch, and what goes over comes back by another one first: frames of the library's lie on a stack beside,
// and a context's end is known. The thread is used again when the context has ended. Around each call of the library
// the OS thread's own TLS block is in force, where libraries keep which OS thread they are on.
#include "ult/port.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

#include "arch/cpu.h"
#include "base/cacheline.h"
#include "base/look.h"
#include "os/cpus.h"
#include "os/futex.h"
#include "os/keep_errno.h"
#include "os/report.h"
#include "os/signal_mask.h"
#include "os/thread.h"
#include "sync/spinlock.h"
#include "ult/library/os_thread.h"
#include "ult/tls_block.h"
#include "ult/visit_contract.h"

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
  set_looked_at(os->between, false);
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

// From here on visitors may find it (sched/visit.h).
void publish(void** save, Context* left) { __atomic_store_n(save, left, __ATOMIC_RELEASE); }

// What `self` runs has come home to go over. Returns what goes on with it, a stack pointer; null: another call, for that
// has ended.
void* cross_from_home(Ult* self) {
  Context* left = self->left;
  if (left != nullptr) publish(self->save, left);
  cross(self, self->onward, &self->outgoing);
  return left != nullptr ? left->native : nullptr;
}

// First frame of a thread of the library's.
void run_ult(void* argument) {
  auto* self = static_cast<Ult*>(argument);
  for (;;) {
    if (Context* context = self->called) {
      self->called = nullptr;
      void* frames = context->native;
      do arch::tulle_context_switch(&self->home, frames, nullptr, nullptr);
      while ((frames = cross_from_home(self)) != nullptr);
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

// Comes home with all that lies on the caller's stack saved, goes over there, and returns when somebody goes on with it.
// The processor's switch keeps the floating-point control words, which not all libraries do.
void go_home(Ult* self, Context* mine, void** save, Context* to) {
  self->left = mine;
  self->save = save;
  self->onward = to;
  arch::tulle_context_switch(&mine->native, self->home, nullptr, nullptr);
}

// Home of frames that the library has called itself, those of an OS thread's beginning.
void cross_beside(void* argument) {
  auto* self = static_cast<Ult*>(argument);
  for (;;) arch::tulle_context_switch(&self->home, cross_from_home(self), nullptr, nullptr);
}

// And of an OS thread of the program's: one of the library's goes over in its place.
void sleep_beside(void* argument) {
  auto* os = static_cast<OsThread*>(argument);
  Ult* self = &os->first;
  for (;;) {
    Context* left = self->left;
    publish(self->save, left);
    give_order(os->acts_for, {nullptr, nullptr, {}, self->onward, &self->outgoing});
    while (left->resumed.load(std::memory_order_acquire) == 0) os::futex_wait(left->resumed, 0);  // pairs with stand_aside
    arch::tulle_context_switch(&self->home, left->native, nullptr, nullptr);
  }
}

TULLE_NOINLINE void make_home(OsThread* os) {
  os::KeepErrno keep;
  Ult* self = os->running;
  if (self->beside == nullptr && (self->beside = malloc(library::kStack)) == nullptr)
    os::fatal("no memory for another OS thread of %s", library::kName);
  uintptr_t end = (reinterpret_cast<uintptr_t>(self->beside) + library::kStack) & ~uintptr_t{63};
  auto* top = reinterpret_cast<void*>(end);
  self->home = os->of_library ? arch::make_context(top, cross_beside, self) : arch::make_context(top, sleep_beside, os);
}

// In the program's OS thread.
void go_over_by_other(OsThread* os, void** save, Context* to, arch::Commit commit, void* argument) {
  if (os->acts_for == nullptr) os->acts_for = take_stand_in();
  Context mine;
  Belongings belongings;
  put_down(belongings);
  mine.brings = &belongings;
  os->first.outgoing = {commit, argument, arch::tls_base(), os->acts_for, nullptr, &belongings};
  set_looked_at(os->between, true);
  to_own_block(os);  // the other one may end meanwhile
  go_home(&os->first, &mine, save, to);
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
  if (to->brings == nullptr) return begin_or_go(os, from, nullptr, to, nullptr, crossing);
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
  self->home = nullptr;  // what is called here has its home beside
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
  if (TULLE_UNLIKELY(os->running->home == nullptr)) make_home(os);
  if (!os->of_library) return go_over_by_other(os, save, target, commit, argument);
  Context mine;
  Ult* self = os->running;
  mine.ult = self;
  self->outgoing = {commit, argument, arch::tls_base(), os, nullptr, nullptr};
  set_looked_at(os->between, true);
  to_own_block(os);
  go_home(self, &mine, save, target);
  arrive_on_library(self, mine.crossing);
}

void leave(void* to, arch::Commit commit, void* argument) {
  void* unused;
  if (!goes_natively()) {
    OsThread* os = this_os_thread();
    Ult* ult = os->running;
    set_looked_at(os->between, true);
    ult->left = nullptr;
    ult->onward = static_cast<Context*>(to);
    ult->outgoing = {commit, argument, arch::tls_base(), os, ult, nullptr};
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

// What handlers of signals ask. A context that others find is saved; not all of those that have not begun have a thread.
void* end_of_frames(void* context) {
  return goes_natively() || context == nullptr ? context : look(static_cast<Context*>(context)->native);
}

bool is_between() {
  const OsThread* os = goes_natively() ? nullptr : known_os_thread();
  return os != nullptr && look(os->between);
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
  free(os->first.beside);
  free(os);
}

void end() {
  without.store(true, std::memory_order_relaxed);
  end_os_threads();
}

void after_fork() { without.store(true, std::memory_order_relaxed); }

}  // namespace tulle::ult::port
