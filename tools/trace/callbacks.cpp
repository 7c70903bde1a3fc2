// SPDX-License-Identifier: Apache-2.0
// One event for each thing that the runtime tells of. Callbacks take no lock and call nothing but the runtime's own
// questions, but for the chunk that is needed now and then.
#include "callbacks.h"

#include <algorithm>
#include <utility>

#include "thread.h"

namespace tulle::trace {

namespace {

using namespace omp::tool;

template <class Function>
Function* found(Lookup lookup, const char* name) {
  return reinterpret_cast<Function*>(lookup(name));
}

uint32_t no_worker() { return kNoWorker; }

int no_callback(Event, Callback) { return 0; }

struct Runtime {
  int (*set_callback)(Event, Callback);
  Data* (*thread_data)();
  // Tulle's own, which other runtimes do not have.
  int (*set_own_callback)(Event, Callback);
  uint32_t (*worker)();
} runtime;

// What the runtime keeps for a region and a task: an id (32 bits), a site (16), and whether it is an explicit task, or
// the initial task of a target region.
constexpr uint64_t kExplicit = uint64_t{1} << 63, kOfTarget = uint64_t{1} << 62;
uint64_t word_of(uint32_t id, uint32_t site) { return id | static_cast<uint64_t>(site) << 32; }
uint64_t body_of_word(uint64_t word, uint32_t extra) {
  return body_of(static_cast<uint32_t>(word), extra, static_cast<uint32_t>(word >> 32) & 0xffff);
}

Thread* current_thread() {
  const Data* data = runtime.thread_data();
  return data != nullptr ? static_cast<Thread*>(data->ptr) : nullptr;
}

template <class Enumeration>
uint32_t number(Enumeration value) {
  return static_cast<uint32_t>(value);
}

void note(Thread* thread, Kind kind, uint32_t detail, uint64_t body) {
  if (thread != nullptr) thread->note(std::min(runtime.worker(), kNoWorker), kind, detail, body);
}

void on_thread_begin(ThreadKind kind, Data* data) {
  Thread* thread = take_thread();
  data->ptr = thread;
  if (thread != nullptr) thread->has_task = kind != ThreadKind::initial;
  note(thread, Kind::thread_begin, kind == ThreadKind::initial ? 1 : 0, 0);
}

void on_thread_end(Data* data) {
  auto* thread = static_cast<Thread*>(data->ptr);
  data->ptr = nullptr;
  if (thread == nullptr) return;
  note(thread, Kind::thread_end, 0, 0);
  thread->in_use.store(false, std::memory_order_release);  // pairs with take_thread
}

void on_parallel_begin(Data*, const FrameRecord*, Data* parallel, unsigned requested, int, const void* code) {
  Thread* thread = current_thread();
  if (thread == nullptr) return;
  parallel->value = word_of(thread->new_id(), site_of(code));
  note(thread, Kind::region_begin, 0, body_of_word(parallel->value, std::min(requested, 0xffffu)));
}

void on_parallel_end(Data* parallel, Data*, int, const void*) {
  note(current_thread(), Kind::region_end, 0, body_of_word(parallel->value, 0));
}

// The thread's own initial task is told of with the thread.
bool is_own(Thread* thread) { return thread == nullptr || !std::exchange(thread->has_task, true); }

void on_implicit_task(Endpoint endpoint, Data* parallel, Data* task, unsigned, unsigned thread_number, int flags) {
  Thread* thread = current_thread();
  const bool initial = (static_cast<uint32_t>(flags) & kInitialTask) != 0;
  if (endpoint == Endpoint::begin) {
    const bool of_league = parallel->value != 0;
    task->value = initial && !of_league && !is_own(thread) ? kOfTarget : parallel->value;
  }
  if (initial && task->value == 0) return;
  const bool of_target = (task->value & kOfTarget) != 0;
  note(thread, endpoint == Endpoint::begin ? Kind::member_begin : Kind::member_end, of_target ? 1 : 0,
       body_of_word(task->value & ~kOfTarget, of_target ? 0 : thread_number));
}

void on_sync_region_wait(SyncKind kind, Endpoint endpoint, Data*, Data*, const void* code) {
  note(current_thread(), endpoint == Endpoint::begin ? Kind::wait_begin : Kind::wait_end, number(kind),
       body_of(0, 0, site_of(code)));
}

void on_task_create(Data*, const FrameRecord*, Data* task, int flags, int has_dependences, const void* code) {
  Thread* thread = current_thread();
  if (thread == nullptr) return;
  const uint64_t word = word_of(thread->new_id(), site_of(code));
  task->value = word | kExplicit;
  uint32_t extra = has_dependences != 0 ? kDepends : 0;
  if ((static_cast<uint32_t>(flags) & kUndeferredTask) != 0) extra |= kUndeferred;
  note(thread, Kind::task_create, 0, body_of_word(word, extra));
}

void on_task_schedule(Data*, TaskStatus status, Data* next) {
  if (next == nullptr) return;  // an event was fulfilled
  note(current_thread(), Kind::task_switch, number(status),
       (next->value & kExplicit) != 0 ? body_of_word(next->value & ~kExplicit, 0) : 0);
}

void on_dependences(Data*, const ToldDependence* told, int count) {
  Thread* thread = current_thread();
  if (told[0].kind == kSourceDependence || told[0].kind == kSinkDependence) return;  // of iterations, which are no tasks
  for (int i = 0; i < count; ++i)
    note(thread, Kind::depend, static_cast<uint32_t>(told[i].kind), body_of_address(told[i].variable.value, 0));
}

bool is_test(MutexKind kind) { return kind == MutexKind::test_lock || kind == MutexKind::test_nest_lock; }

void on_mutex_acquire(MutexKind kind, unsigned, unsigned, uint64_t id, const void* code) {
  if (!is_test(kind)) note(current_thread(), Kind::lock_wait, number(kind), body_of_address(id, site_of(code)));
}

void on_mutex_acquired(MutexKind kind, uint64_t id, const void* code) {
  note(current_thread(), Kind::lock_got, number(kind), body_of_address(id, site_of(code)));
}

void on_mutex_released(MutexKind kind, uint64_t id, const void* code) {
  note(current_thread(), Kind::lock_freed, number(kind), body_of_address(id, site_of(code)));
}

void on_work(WorkKind kind, Endpoint endpoint, Data*, Data*, uint64_t count, const void* code) {
  if (endpoint == Endpoint::both) return;
  note(current_thread(), endpoint == Endpoint::begin ? Kind::work_begin : Kind::work_end, number(kind),
       body_of(static_cast<uint32_t>(std::min<uint64_t>(count, UINT32_MAX)), 0, site_of(code)));
}

void on_suspended() { note(current_thread(), Kind::suspended, 0, 0); }

// Loops that give way again and again would fill the file with moments that nobody sees.
void on_resumed(uint64_t ready_at) {
  Thread* thread = current_thread();
  if (thread == nullptr || thread->take_back(Kind::suspended, stats::kMoment)) return;
  const uint64_t now = stats::ticks();
  note(thread, Kind::resumed, 0, body_of_address(ready_at != 0 && ready_at < now ? now - ready_at : 0, 0));
}

void on_task_ready(Data* task) { note(current_thread(), Kind::task_ready, 0, body_of_word(task->value & ~kExplicit, 0)); }

void on_device_wait(Endpoint endpoint) { note(current_thread(), Kind::device_wait, number(endpoint), 0); }

template <Event event>
void set(typename CallbackOf<event>::Type callback) {
  runtime.set_callback(event, reinterpret_cast<Callback>(callback));
}

template <Event event>
void set_own(typename CallbackOf<event>::Type callback) {
  runtime.set_own_callback(event, reinterpret_cast<Callback>(callback));
}

}  // namespace

void note_mpi(Kind kind, uint32_t call, const void* code) {
  if (runtime.thread_data == nullptr) return;
  if (Thread* thread = current_thread(); thread != nullptr) note(thread, kind, 0, body_of(call, 0, site_of(code)));
}

void register_callbacks(Lookup lookup) {
  runtime = {found<int(Event, Callback)>(lookup, "ompt_set_callback"), found<Data*()>(lookup, "ompt_get_thread_data"),
             found<int(Event, Callback)>(lookup, "tulle_set_callback"), found<uint32_t()>(lookup, "tulle_worker")};
  if (runtime.set_own_callback == nullptr) runtime.set_own_callback = no_callback;
  if (runtime.worker == nullptr) runtime.worker = no_worker;
  if (auto* keep_none = found<void()>(lookup, "tulle_keep_no_thread_locals")) keep_none();
  set<Event::thread_begin>(on_thread_begin);
  set<Event::thread_end>(on_thread_end);
  set<Event::parallel_begin>(on_parallel_begin);
  set<Event::parallel_end>(on_parallel_end);
  set<Event::implicit_task>(on_implicit_task);
  set<Event::sync_region_wait>(on_sync_region_wait);
  set<Event::task_create>(on_task_create);
  set<Event::task_schedule>(on_task_schedule);
  set<Event::dependences>(on_dependences);
  set<Event::mutex_acquire>(on_mutex_acquire);
  set<Event::mutex_acquired>(on_mutex_acquired);
  set<Event::mutex_released>(on_mutex_released);
  set<Event::work>(on_work);
  set_own<Event::suspended>(on_suspended);
  set_own<Event::resumed>(on_resumed);
  set_own<Event::task_ready>(on_task_ready);
  set_own<Event::device_wait>(on_device_wait);
}

}  // namespace tulle::trace
