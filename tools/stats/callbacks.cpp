// SPDX-License-Identifier: Apache-2.0
// What the runtime tells, as changes of what threads do. Callbacks take no lock that a thread could keep while it
// is away, and allocate when something is seen first.
#include "callbacks.h"

#include <algorithm>

#include "budget.h"
#include "thread.h"

namespace tulle::stats {

namespace {

using namespace omp::tool;

template <class Function>
Function* found(Lookup lookup, const char* name) {
  return reinterpret_cast<Function*>(lookup(name));
}

struct Runtime {
  int (*set_callback)(Event, Callback);
  Data* (*thread_data)();
  // Tulle's own, which other runtimes do not have: then members need no thread-local data of their own for this tool.
  int (*set_own_callback)(Event, Callback);
  uint64_t (*work_chunk)();
  int (*team_spins)();
  void (*finalize)();
} runtime;

Part* part_of(const Data* data) {
  return data != nullptr && !Thread::is_explicit(data) ? static_cast<Part*>(data->ptr) : nullptr;
}

uint32_t site_in_region(const Thread* thread, SiteKind kind, const void* code) {
  return site_of(kind, code, thread->part != nullptr ? thread->part->site : kSerial);
}

void on_thread_begin(ThreadKind, Data* data) { data->ptr = take_thread(); }

void on_thread_end(Data* data) {
  auto* thread = static_cast<Thread*>(data->ptr);
  data->ptr = nullptr;
  if (thread == nullptr) return;
  thread->end_parts(ticks());
  thread->part = nullptr;
  thread->task = nullptr;
  thread->in_use.store(false, std::memory_order_release);  // pairs with take_thread
}

// What the teams of a league do counts as the encountering task's: they run one after the other.
void on_parallel_begin(Data*, const FrameRecord*, Data* parallel, unsigned, int flags, const void* code) {
  Thread* thread = current_thread();
  if (thread == nullptr || (static_cast<uint32_t>(flags) & kLeague) != 0) return;
  const uint64_t now = ticks();
  thread->charge(now);
  Region* region = thread->take_region();
  region->site = site_in_region(thread, SiteKind::region, code);
  region->begin = now;
  parallel->ptr = region;
}

void on_parallel_end(Data* parallel, Data* task, int, const void*) {
  Thread* thread = current_thread();
  auto* region = static_cast<Region*>(parallel->ptr);
  if (thread == nullptr) return;
  if (region == nullptr) {
    thread->task = task;  // what stood for a team's is gone
    return;
  }
  const uint64_t now = ticks(), time = now - region->begin;
  RegionTotals& totals = thread->totals<RegionTotals>(region->site);
  ++totals.count;
  totals.time += time;
  totals.slowest += region->slowest.load(std::memory_order_relaxed);  // its members have ended
  if (thread->part != nullptr) of(thread->part->spent, Activity::inner) += time;
  thread->task = task;
  thread->begin_at(now);
  thread->go_over_to(Activity::work);
  thread->give_back(region);
}

void begin_part(Thread* thread, Region* region, Data* task, unsigned members, unsigned number) {
  thread->spent_ns += Budget::kMemberNs;
  const uint64_t now = ticks();
  Part* part = thread->take_part();
  part->region = region;
  part->site = region != nullptr ? region->site : kSerial;
  part->members = members;
  part->begin = now;
  part->first = number == 0;
  part->outer = thread->part;
  if (number != 0 && region != nullptr) of(part->spent, Activity::ready) += now - region->begin;
  task->ptr = part;
  thread->part = part;
  thread->task = task;
  thread->begin_at(now);
  thread->go_over_to(Activity::work);
}

void end_part(Thread* thread, Part* part, unsigned number) {
  thread->charge(ticks());
  RegionTotals& totals = thread->totals<RegionTotals>(part->site);
  add(totals.spent, part->spent);
  totals.members += 1;
  totals.largest = std::max(totals.largest, part->members);
  if (Region* region = part->region; region != nullptr) {
    totals.late += part->begin - region->begin;
    note_slowest(part);
    if (number == 0 && part->members == 1) ++totals.alone;
    if (number == 0 && runtime.team_spins != nullptr && runtime.team_spins() != 0) ++totals.spinning;
  }
  thread->part = part->outer;
  thread->task = nullptr;
  thread->give_back(part);
}

void on_implicit_task(Endpoint endpoint, Data* parallel, Data* task, unsigned members, unsigned number, int flags) {
  Thread* thread = current_thread();
  const bool initial = (static_cast<uint32_t>(flags) & kInitialTask) != 0;
  if (thread == nullptr || (initial && endpoint == Endpoint::begin && thread->part != nullptr)) return;  // of a league
  if (endpoint == Endpoint::begin) {
    begin_part(thread, parallel != nullptr ? static_cast<Region*>(parallel->ptr) : nullptr, task, members,
               number);
  } else if (Part* part = part_of(task); part != nullptr) {
    end_part(thread, part, number);
    task->ptr = nullptr;
  }
}

void on_sync_region_wait(SyncKind kind, Endpoint endpoint, Data*, Data*, const void*) {
  Thread* thread = current_thread();
  if (thread == nullptr) return;
  const bool of_tasks = kind == SyncKind::taskwait || kind == SyncKind::taskgroup;
  if (endpoint == Endpoint::begin)
    thread->wait(of_tasks ? Activity::taskwait : Activity::barrier, ticks());
  else
    thread->go_on(ticks());
}

uint64_t units_now() { return (ticks() / kTicksPerUnit) & kUnits; }

void on_task_create(Data*, const FrameRecord*, Data* task, int flags, int has_dependences, const void* code) {
  Thread* thread = current_thread();
  if (thread == nullptr) return;
  const uint32_t site = site_in_region(thread, SiteKind::task, code);
  TaskTotals& totals = thread->totals<TaskTotals>(site);
  ++totals.made;
  if (has_dependences != 0) ++totals.dependent;
  Thread::set_word(task, {.explicit_task = 1, .begun = 0, .waits = 0, .site = site & (kSites - 1),
                          .maker = thread->number & (kMakers - 1),
                          .units = (static_cast<uint32_t>(flags) & kUndeferredTask) != 0 ? 0 : units_now()});
}

void on_task_ready(Data* task) {
  if (current_thread() == nullptr || !Thread::is_explicit(task)) return;
  TaskWord word = Thread::word(task);
  word.units = units_now();
  Thread::set_word(task, word);
}

void leave_task(Thread* thread, Data* task, TaskStatus status) {
  if (task == nullptr || !Thread::is_explicit(task)) return;
  const TaskWord word = Thread::word(task);
  TaskTotals& totals = thread->totals<TaskTotals>(word.site);
  if (status == TaskStatus::switched || status == TaskStatus::yield) {
    ++totals.suspended;
    return;
  }
  ++totals.ended;
  totals.work += word.units * kTicksPerUnit;
  totals.lengths.note(word.units * kTicksPerUnit);
}

void enter_task(Thread* thread, Data* task) {
  thread->task = task;
  thread->go_over_to(Thread::waits(task));
  if (!Thread::is_explicit(task)) return;
  TaskWord word = Thread::word(task);
  if (word.begun) return;
  const uint64_t ready = word.units;
  word.begun = 1;
  word.units = 0;
  Thread::set_word(task, word);
  if (ready != 0) thread->totals<TaskTotals>(word.site).queued += ((units_now() - ready) & kUnits) * kTicksPerUnit;
  if (word.maker != (thread->number & (kMakers - 1))) ++thread->totals<TaskTotals>(word.site).stolen;
}

void on_task_schedule(Data* prior, TaskStatus status, Data* next) {
  Thread* thread = current_thread();
  if (thread == nullptr || next == nullptr) return;  // null: an event was fulfilled
  thread->charge(ticks());
  leave_task(thread, prior, status);
  enter_task(thread, next);
}

// In the middle of its work: what it waits for has no name in OpenMP.
void on_suspended() {
  Thread* thread = current_thread();
  if (thread != nullptr && thread->activity() == Activity::work) thread->wait(Activity::other, ticks());
}

void on_resumed(uint64_t ready_at) {
  Thread* thread = current_thread();
  if (thread == nullptr) return;
  if (ready_at != 0) thread->charge_ready(ticks(), ready_at);
  if (thread->activity() == Activity::other) thread->go_on(ticks());
}

void on_device_wait(Endpoint endpoint) {
  Thread* thread = current_thread();
  if (thread == nullptr) return;
  thread->wait(endpoint == Endpoint::begin ? Activity::device : Activity::work, ticks());
}

bool is_test(MutexKind kind) { return kind == MutexKind::test_lock || kind == MutexKind::test_nest_lock; }

void on_mutex_acquire(MutexKind kind, unsigned, unsigned, uint64_t, const void*) {
  Thread* thread = current_thread();
  if (thread == nullptr || is_test(kind)) return;
  thread->lock_asked = ticks();
  thread->wait(Activity::lock, thread->lock_asked);
}

void on_mutex_acquired(MutexKind kind, uint64_t id, const void* code) {
  Thread* thread = current_thread();
  if (thread == nullptr) return;
  const uint64_t now = ticks();
  const uint32_t site = site_in_region(thread, SiteKind::lock, code);
  LockTotals& totals = thread->totals<LockTotals>(site);
  totals.kind = static_cast<uint32_t>(kind);
  ++totals.count;
  if (!is_test(kind)) {
    totals.waited += now - thread->lock_asked;
    thread->go_on(now);
  }
  thread->note_held(id, site, now);
}

void on_mutex_released(MutexKind, uint64_t id, const void*) {
  if (Thread* thread = current_thread(); thread != nullptr) thread->note_released(id, ticks());
}

bool is_loop(WorkKind kind) { return kind == WorkKind::loop || kind >= WorkKind::loop_static; }

void end_loop(Thread* thread, Part* part) {
  LoopTotals& totals = thread->totals<LoopTotals>(part->loop);
  const double share = 1.0 / std::max(part->members, 1u);
  totals.kind = part->loop_kind;
  totals.chunk = part->loop_chunk;
  totals.loops += share;
  totals.iterations += share * static_cast<double>(part->loop_count);
  totals.time += ticks() - part->loop_begin;
  part->loop = kSerial;
}

void on_work(WorkKind kind, Endpoint endpoint, Data*, Data* task, uint64_t count, const void* code) {
  Thread* thread = current_thread();
  Part* part = part_of(task);
  if (thread == nullptr || part == nullptr || !is_loop(kind)) return;
  if (endpoint == Endpoint::end) {
    if (part->loop != kSerial) end_loop(thread, part);
    return;
  }
  part->loop = site_in_region(thread, SiteKind::loop, code);
  part->loop_kind = static_cast<uint32_t>(kind);
  part->loop_count = count;
  part->loop_chunk = runtime.work_chunk != nullptr ? runtime.work_chunk() : 0;
  part->loop_begin = ticks();
}

template <Event event>
void set(typename CallbackOf<event>::Type callback) {
  runtime.set_callback(event, reinterpret_cast<Callback>(callback));
}

template <Event event>
void set_own(typename CallbackOf<event>::Type callback) {
  if (runtime.set_own_callback != nullptr) runtime.set_own_callback(event, reinterpret_cast<Callback>(callback));
}

}  // namespace

Thread* current_thread() {
  Data* data = runtime.thread_data != nullptr ? runtime.thread_data() : nullptr;
  auto* thread = data != nullptr ? static_cast<Thread*>(data->ptr) : nullptr;
  if (thread == nullptr) return nullptr;
  thread->spent_ns += Budget::kEventNs;
  if (thread->spent_ns >= Budget::kStepNs) {
    thread->spent_ns -= Budget::kStepNs;
    if (budget.is_used_up(++thread->steps) && runtime.finalize != nullptr) runtime.finalize();
  }
  return budget.ended_at() == 0 ? thread : nullptr;
}

void register_callbacks(Lookup lookup) {
  runtime = {found<int(Event, Callback)>(lookup, "ompt_set_callback"),
             found<Data*()>(lookup, "ompt_get_thread_data"),
             found<int(Event, Callback)>(lookup, "tulle_set_callback"),
             found<uint64_t()>(lookup, "tulle_work_chunk"),
             found<int()>(lookup, "tulle_team_spins"),
             found<void()>(lookup, "ompt_finalize_tool")};
  if (auto* keep_none = found<void()>(lookup, "tulle_keep_no_thread_locals")) keep_none();
  set<Event::thread_begin>(on_thread_begin);
  set<Event::thread_end>(on_thread_end);
  set<Event::parallel_begin>(on_parallel_begin);
  set<Event::parallel_end>(on_parallel_end);
  set<Event::implicit_task>(on_implicit_task);
  set<Event::sync_region_wait>(on_sync_region_wait);
  set<Event::task_create>(on_task_create);
  set<Event::task_schedule>(on_task_schedule);
  set<Event::mutex_acquire>(on_mutex_acquire);
  set<Event::mutex_acquired>(on_mutex_acquired);
  set<Event::mutex_released>(on_mutex_released);
  set<Event::work>(on_work);
  set_own<Event::suspended>(on_suspended);
  set_own<Event::resumed>(on_resumed);
  set_own<Event::device_wait>(on_device_wait);
  set_own<Event::task_ready>(on_task_ready);
}

}  // namespace tulle::stats
