// SPDX-License-Identifier: Apache-2.0
// Which OS thread runs is kept in the TLS block in force, own or lent, and goes along when another one comes into
// force: an OS thread may run under the own block of another one.
#include "ult/library/os_thread.h"

#include <cstdlib>
#include <new>

#include "arch/cpu.h"
#include "arch/current.h"
#include "base/cacheline.h"
#include "os/adopted_thread.h"
#include "os/cpus.h"
#include "os/fault.h"
#include "os/futex.h"
#include "os/keep_errno.h"
#include "os/report.h"
#include "os/signal_mask.h"
#include "memory/stack_pool.h"
#include "os/thread.h"
#include "sync/spinlock.h"
#include "ult/port.h"
#include "ult/tls_block.h"

namespace tulle::ult::port {

namespace {

thread_local OsThread* in_block = nullptr;

// Compilers may take the address of a thread-local variable for a constant of the function.
TULLE_NOINLINE OsThread** word_of(uintptr_t base) {
  static std::atomic<uintptr_t> distance{0};
  uintptr_t known = distance.load(std::memory_order_relaxed);  // relaxed: the same, whoever finds it
  if (TULLE_UNLIKELY(known == 0)) {
    known = reinterpret_cast<uintptr_t>(&in_block) - arch::tls_base();
    distance.store(known, std::memory_order_relaxed);
  }
  return reinterpret_cast<OsThread**>(base + known);
}

sync::Spinlock idle_lock;
OsThread* idle = nullptr;           // under the lock
uint32_t expected = 0;              // will be idle for the first time; under the lock
bool over = false;                  // whoever has nothing to do ends; under the lock
std::atomic<uint32_t> arrivals{0};  // futex word: so often one became idle

enum Started : uint32_t { kNot, kBegun, kDone };
std::atomic<uint32_t> started{kNot};  // futex word

// Of the calling OS thread, which may run under a block that is lent.
uintptr_t own_base() {
  if (const OsThread* os = known_os_thread()) return os->base;
  uintptr_t base = arch::tls_base();
  const TlsBlock* block = lent_block(base);
  // Relaxed: stored by this OS thread.
  return block == nullptr ? base : block->carrier.load(std::memory_order_relaxed);
}

OsThread* new_os_thread(bool of_library) {
  void* memory = malloc(sizeof(OsThread));
  if (memory == nullptr) os::fatal("no memory for another OS thread of %s", library::kName);
  auto* os = new (memory) OsThread;
  os->of_library = of_library;
  os->base = own_base();
  os->kernel_id = os::kernel_thread_id();
  os->running = &os->first;
  if (of_library) library::name(os->first.thread);
  return os;
}

// Not in frames of the library's: who unwinds them may not find where they end.
[[noreturn]] void end_os_thread() {
  memory::Stack* stack = memory::take_stack();
  if (stack == nullptr) os::fatal("no memory to end an OS thread of %s", library::kName);
  void* unused;
  void* last = arch::make_context(stack->top(), [](void*) { os::end_thread(); }, nullptr);
  arch::tulle_context_switch(&unused, last, nullptr, nullptr);
  __builtin_unreachable();
}

void give_idle(OsThread* os) {
  bool ends;
  {
    sync::Guard guard(idle_lock);
    if (!os->counted && expected != 0) --expected;
    os->counted = true;
    ends = over;
    if (!ends) {
      os->next = idle;
      idle = os;
    }
  }
  if (ends) end_os_thread();
  arrivals.fetch_add(1, std::memory_order_release);  // pairs with take_idle
  os::futex_wake(arrivals, INT32_MAX);
}

// Null: wait for one, or ask for one.
OsThread* pop_idle(bool* comes) {
  sync::Guard guard(idle_lock);
  OsThread* os = idle;
  if (os != nullptr) idle = os->next;
  *comes = expected != 0;
  return os;
}

void expect(uint32_t more) {
  sync::Guard guard(idle_lock);
  expected += more;
}

// Main of each of the library's OS threads: with all signals blocked and the library's name while it has nothing to do.
[[noreturn]] void serve() {
  os::adopt_thread();
  os::name_thread(library::kName);
  // Handed from worker to worker, and too large for what the library gives its threads.
  if (void* memory = malloc(os::alternate_stack_size())) os::set_alternate_stack(memory);
  OsThread* os = new_os_thread(true);
  run_under(os->base, os);
  give_idle(os);
  for (;;) stand_aside(os, &os->first);
}

// OS threads that are started meanwhile block all signals.
class WithoutSignals {
 public:
  WithoutSignals() : before_(os::set_signal_mask(os::kAllSignals)) {}
  ~WithoutSignals() { os::set_signal_mask(before_); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  const uint64_t before_;
};

// A call of the library's that may wait: the C library's waits are our own, and would suspend the caller.
class PlainCall {
 public:
  PlainCall() : base_(arch::tls_base()), own_(own_base()) {
    if (base_ != own_) {
      arch::set_tls_base(own_);
    } else {
      current_ = arch::current_pointer();
      arch::set_current_pointer(nullptr);
    }
  }
  ~PlainCall() {
    if (base_ != own_)
      arch::set_tls_base(base_);
    else
      arch::set_current_pointer(current_);
  }
  PlainCall(const PlainCall&) = delete;
  PlainCall& operator=(const PlainCall&) = delete;

 private:
  const uintptr_t base_, own_;
  void* current_ = nullptr;
};

bool add_one() {
  if constexpr (library::kAdds) {
    PlainCall call;
    WithoutSignals blocked;
    expect(1);
    if (library::add()) return true;
    expect(UINT32_MAX);
  }
  return false;
}

void say_started() {
  started.store(kDone, std::memory_order_release);  // pairs with start_library
  os::futex_wake(started, INT32_MAX);
}

// As many as 64 members need that sleep or spin at the same time, with workers and spares beside; or as the user says.
uint32_t others_at_start() {
  constexpr uint32_t kOthers = 96, kMost = 1024;
  if (library::kAdds) return 0;
  const char* text = getenv(library::kCount);
  if (text == nullptr) return kOthers;
  char* end;
  const unsigned long count = strtoul(text, &end, 10);
  if (end != text && *end == '\0' && count >= 2 && count <= kMost) return static_cast<uint32_t>(count - 1);
  os::report("%s=%s: not a number from 2 to %u: %u", library::kCount, text, kMost, kOthers + 1);
  return kOthers;
}

void begin_library(uint32_t more) {
  const uint32_t others = others_at_start();
  expect(others + more);
  WithoutSignals blocked;
  library::start(serve, others);
  say_started();
}

void* begin_and_serve(void*) {
  begin_library(1);
  serve();
}

// The process's initial thread, if the library can have it, is the library's first; else one that is made for that.
void begin_somewhere() {
  if (library::kAdopts && os::kernel_thread_id() == os::process_id()) {
    OsThread* os;
    {
      PlainCall call;
      begin_library(0);
      os = new_os_thread(true);
      run_under(os->base, os);
    }
    run_under(arch::tls_base(), os);
  } else if (os::start_thread(begin_and_serve, nullptr, os::Signals::blocked, os::kStackOfProgram) != 0) {
    os::fatal("no OS thread for %s", library::kName);
  }
}

void follow(OsThread* os, const Order& order) {
  if (order.entry != nullptr) {
    take_up(order.belongings);
    order.entry(order.argument);
    os::set_signal_mask(os::kAllSignals);
    os::name_thread(library::kName);
  }
  give_idle(os);
}

}  // namespace

OsThread* known_os_thread() { return *word_of(arch::tls_base()); }

OsThread* this_os_thread() {
  OsThread* os = known_os_thread();
  if (TULLE_LIKELY(os != nullptr)) return os;
  start_library();
  os = known_os_thread();
  if (os != nullptr) return os;
  os = new_os_thread(false);
  run_under(arch::tls_base(), os);
  return os;
}

// Not inlined, for errno is of the block in force, which is another one later.
TULLE_NOINLINE void put_down(Belongings& belongings) {
  os::KeepErrno keep;
  belongings.mask = os::set_signal_mask(os::kAllSignals);
  os::affinity_mask(0, belongings.cpus);
}

TULLE_NOINLINE void take_up(const Belongings& belongings) {
  os::KeepErrno keep;
  CpuSet now;
  if (os::affinity_mask(0, now) && now != belongings.cpus) os::set_affinity_mask(0, belongings.cpus);
  os::set_signal_mask(belongings.mask);
}

// The word first: handlers of signals ask under the block in force who runs there.
void run_under(uintptr_t base, OsThread* os) {
  *word_of(base) = os;
  if (arch::tls_base() != base) arch::set_tls_base(base);
}

void start_library() {
  uint32_t seen = started.load(std::memory_order_acquire);  // pairs with say_started
  if (TULLE_LIKELY(seen == kDone)) return;
  seen = kNot;
  if (started.compare_exchange_strong(seen, kBegun, std::memory_order_relaxed)) begin_somewhere();
  while ((seen = started.load(std::memory_order_acquire)) != kDone) os::futex_wait(started, seen);
}

OsThread* take_idle() {
  for (;;) {
    uint32_t seen = arrivals.load(std::memory_order_acquire);  // pairs with give_idle
    bool comes;
    if (OsThread* os = pop_idle(&comes)) return os;
    if (!comes && !add_one()) return nullptr;
    os::futex_wait(arrivals, seen);
  }
}

void end_os_threads() {
  OsThread* os;
  {
    sync::Guard guard(idle_lock);
    over = true;
    os = idle;
    idle = nullptr;
  }
  while (os != nullptr) {
    OsThread* next = os->next;
    give_order(os, {});
    os = next;
  }
}

void give_order(OsThread* os, const Order& order) {
  os->order = order;
  os->ordered.store(1, std::memory_order_release);  // pairs with next_crossing
  os::futex_wake(os->ordered, 1);
}

Order next_crossing(OsThread* os) {
  for (;;) {
    while (os->ordered.load(std::memory_order_acquire) == 0) os::futex_wait(os->ordered, 0);  // pairs with give_order
    os->ordered.store(0, std::memory_order_relaxed);  // the next order comes after what this one leads to
    Order order = os->order;
    if (order.to != nullptr) return order;
    follow(os, order);
  }
}

}  // namespace tulle::ult::port
