// SPDX-License-Identifier: Apache-2.0
// The threads begin and end.
#include <stdlib.h>
#include <tulle/glt.h>

#include <new>

#include "glt/key.h"
#include "glt/object.h"
#include "glt/thread.h"
#include "os/clock.h"
#include "os/cpus.h"
#include "os/fence.h"
#include "os/futex.h"
#include "os/memory.h"
#include "os/thread.h"
#include "ult/exception_state.h"

namespace tulle::glt {

namespace {

std::atomic<uint32_t> running_threads{0};  // futex word: OS threads that have not ended

int wanted_threads(int usable) {
  const char* text = getenv("GLT_NUM_THREADS");
  if (text == nullptr) return usable < kMaxThreads ? usable : kMaxThreads;
  char* end;
  long count = strtol(text, &end, 10);
  if (end != text && *end == '\0' && count >= 1 && count <= kMaxThreads) return static_cast<int>(count);
  os::report("GLT_NUM_THREADS=%s: not a number from 1 to %d: %d", text, kMaxThreads, usable);
  return usable;
}

void* os_thread(void* thread) {
  thread_main(thread);
  running_threads.fetch_sub(1, std::memory_order_release);  // pairs with end_threads
  os::futex_wake(running_threads, 1);
  return nullptr;
}

void make_thread(int number) {
  void* memory = threads[number] != nullptr ? threads[number] : os::map_memory(sizeof(Thread));
  if (memory == nullptr) os::fatal("glt_init: no memory for thread %d", number);
  threads[number] = new (memory) Thread;
  threads[number]->number = number;
}

void start_thread(Thread* t) {
  running_threads.fetch_add(1, std::memory_order_relaxed);  // the thread itself is not there yet
  if (os::start_thread(os_thread, t, os::Signals::inherited, os::kStackOfProgram) != 0)
    os::fatal("glt_init: the system gives no OS thread for thread %d", t->number);
}

// Half of what the stack certainly has is for calls on top of joiners.
void measure(memory::Stack& stack) {
  const os::NativeStack native = os::native_stack();
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  bool known = here >= native.usable && here < native.top;
  stack.middle = known ? native.usable + (here - native.usable) / 2 : UINTPTR_MAX;
  stack.room = known ? native.top - stack.middle : 0;
}

// What runs here from now on is the root of thread 0.
void adopt_caller() {
  Thread* t = threads[0];
  t->root.kind = UnitKind::root;
  t->root.thread = t;
  t->running = &t->root;
  t->stack = &t->native_stack;
  measure(t->native_stack);
  if (ult::sanitized) ult::adopt_stack(t->stack);
  arch::set_current_pointer(t);
}

// What has ended is counted first: what is created meanwhile is found missing.
bool all_ended() {
  uint64_t ended = 0;
  uint64_t created = 0;
  for (int i = 0; i < thread_count; ++i) ended += threads[i]->ended.load(std::memory_order_acquire);
  for (int i = 0; i < thread_count; ++i) created += threads[i]->created.load(std::memory_order_acquire);
  return ended == created;
}

// Some may be ready at this thread, others waiting for what only another part of the program does.
TULLE_MAY_SUSPEND void await_all() {
  constexpr uint64_t kShort = 10'000, kLong = 1'000'000, kPatience = 2'000'000'000;
  uint64_t told = os::now() + kPatience;
  for (uint64_t nap = kShort; !all_ended(); nap = nap < kLong ? nap * 2 : kLong) {
    give_way(threads[0], nullptr);
    if (all_ended()) return;
    os::sleep_for(nap);
    if (os::now() < told) continue;
    os::report("glt_finalize: waits for work units that have not ended");
    told = UINT64_MAX;
  }
}

void end_threads() {
  for (int i = 1; i < thread_count; ++i) {
    threads[i]->ending.store(true, std::memory_order_seq_cst);  // pairs with idle
    threads[i]->wake();
  }
  for (uint32_t left; (left = running_threads.load(std::memory_order_acquire)) != 0;)
    os::futex_wait(running_threads, left);
}

}  // namespace

}  // namespace tulle::glt

using namespace tulle;
using namespace tulle::glt;

GLT_ENTRY void glt_init(int, char**) {
  if (thread_count != 0) os::fatal("glt_init: called again before glt_finalize()");
  arch::detect_features();
  os::init_fences();
  ult::find_exception_state();
  exceptions_known = ult::exception_state_known();
  memory::set_stack_size(os::default_stack_size());
  int usable = os::usable_cpus().count;
  int count = wanted_threads(usable);
  more_than_cores = count > usable;
  for (int i = 0; i < count; ++i) make_thread(i);
  thread_count = count;
  adopt_caller();
  register_guests();
  for (int i = 1; i < count; ++i) start_thread(threads[i]);
}

GLT_ENTRY void glt_finalize() {
  Thread* t = thread_or_end("glt_finalize");
  if (t->running != &threads[0]->root) os::fatal("glt_finalize: not called where glt_init() was");
  await_all();
  end_threads();
  if (t->loop.context != nullptr) memory::give_stack(t->loop.stack);
  end_values(t->running);
  if (ult::sanitized) ult::disown_stack(t->stack);
  arch::set_current_pointer(nullptr);
  thread_count = 0;
}

GLT_ENTRY int glt_get_thread_num() {
  Thread* t = current_thread();
  return t == nullptr ? -1 : t->number;
}

GLT_ENTRY int glt_get_num_threads() { return thread_count; }

GLT_ENTRY void glt_workunit_get_thread_id(GLT_thread_id* id) { *id = glt_get_thread_num(); }
