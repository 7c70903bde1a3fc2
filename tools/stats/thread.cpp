// SPDX-License-Identifier: Apache-2.0
#include "thread.h"

#include <new>

namespace tulle::stats {

namespace {

std::atomic<Thread*> threads{nullptr};  // only ever added to
std::atomic<uint32_t> thread_count{0};

template <class Record>
Record* taken(Record*& free) {
  Record* record = free;
  if (record == nullptr) return new Record{};
  free = record->next_free;
  return new (record) Record{};
}

template <class Record>
void given(Record*& free, Record* record) {
  record->next_free = free;
  free = record;
}

}  // namespace

Activity Thread::waits(const Data* data) {
  if (is_explicit(data)) return static_cast<Activity>(word(data).waits);
  return data->ptr != nullptr ? static_cast<const Part*>(data->ptr)->waits : Activity::work;
}

void Thread::wait(Activity activity, uint64_t now) {
  charge(now);
  activity_ = activity;
  if (task == nullptr) return;
  if (is_explicit(task)) {
    TaskWord changed = word(task);
    changed.waits = static_cast<uint64_t>(activity) & 7;
    set_word(task, changed);
  } else if (task->ptr != nullptr) {
    static_cast<Part*>(task->ptr)->waits = activity;
  }
}

void Thread::add_units(Data* data, uint64_t ticks) {
  TaskWord changed = word(data);
  changed.units = (changed.units + ticks / kTicksPerUnit) & kUnits;
  set_word(data, changed);
}

void Thread::end_parts(uint64_t now) {
  if (part != nullptr && now > since_) charge(now);
  for (Part* at = part; at != nullptr; at = at->outer) {
    RegionTotals& sum = totals<RegionTotals>(at->site);
    if (Region* region = at->region; region != nullptr && at->first) {
      ++sum.count;
      sum.time += now - region->begin;
      sum.slowest += region->slowest.load(std::memory_order_relaxed);
      if (at->outer != nullptr) of(at->outer->spent, Activity::inner) += now - region->begin;
    }
    if (at->region != nullptr) sum.late += at->begin - at->region->begin;
    ++sum.members;
    if (at->members > sum.largest) sum.largest = at->members;
    add(sum.spent, at->spent);
  }
}

void Thread::forget() {
  for (void*& totals : totals_) totals = nullptr;
  if (part != nullptr) part->spent = {};
  begin_at(ticks());
}

Region* Thread::take_region() { return taken(free_regions_); }
void Thread::give_back(Region* region) { given(free_regions_, region); }
Part* Thread::take_part() { return taken(free_parts_); }
void Thread::give_back(Part* given_part) { given(free_parts_, given_part); }

void Thread::note_held(uint64_t id, uint32_t site, uint64_t now) {
  last_held_ = (last_held_ + 1) % kHeld;
  held_[last_held_] = {id, now, site};
}

void Thread::note_released(uint64_t id, uint64_t now) {
  for (Held& held : held_)
    if (held.id == id && held.since != 0) {
      totals<LockTotals>(held.site).held += now - held.since;
      held.since = 0;
    }
}

Thread* take_thread() {
  for (Thread* old = all_threads(); old != nullptr; old = old->next) {
    bool free = false;
    if (old->in_use.compare_exchange_strong(free, true, std::memory_order_acquire)) return old;  // pairs with its end
  }
  auto* thread = new Thread;
  thread->number = thread_count.fetch_add(1, std::memory_order_relaxed);
  thread->next = threads.load(std::memory_order_relaxed);
  while (!threads.compare_exchange_weak(thread->next, thread, std::memory_order_release, std::memory_order_relaxed)) {
  }
  return thread;
}

Thread* all_threads() { return threads.load(std::memory_order_acquire); }  // pairs with take_thread

}  // namespace tulle::stats
