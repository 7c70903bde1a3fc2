// SPDX-License-Identifier: Apache-2.0
// Tools' view of threads: an OpenMP thread begins with its first event, and ends when its record goes back.
#include "omp/thread/league.h"
#include "omp/tool/called.h"
#include "omp/tool/events.h"
#include "omp/tool/in_name.h"

// The begin of the runtime's own file in memory, and the end of its code: the linker's.
extern "C" __attribute__((visibility("hidden"))) const char __ehdr_start;
extern "C" __attribute__((visibility("hidden"))) const char _etext;

namespace tulle::omp::tool {

namespace {

bool is_initial(const Thread* thread) { return thread->team->parent == nullptr; }

// Who is the same thread to tools: a team's member 0 is who encountered the region.
Thread* encountering(Thread* thread) {
  while (thread->num == 0 && thread->team->parent != nullptr) thread = thread->team->parent;
  return thread;
}

void tell_initial_task(Thread* thread, Endpoint endpoint) {
  OfRegion& region = of(thread->team);
  OfTask& task = of(&thread->implicit);
  tell<Event::implicit_task>([&](auto callback, uint32_t tool) {
    const bool begins = endpoint == Endpoint::begin;
    callback(endpoint, begins ? &region.data[tool] : nullptr, &task.data[tool], begins ? 1 : 0, 1, kInitialTask);
  });
}

// Of the teams that `thread` has cached, of which nothing runs.
void end_cached(Thread* caller, const Thread* thread) {
  for (Team* team : {thread->inner, thread->inner_alone}) {
    if (team == nullptr) continue;
    for (uint32_t i = 0; i < team->members_made; ++i) {
      Thread* member = team->members[i];
      end_cached(caller, member);
      if (i != 0) in_name_of(caller, member, [=] { end_thread(member); });
    }
  }
}

}  // namespace

void begin_thread(Thread* member) {
  Thread* thread = encountering(member);
  OfThread& record = of(member);
  for (Data& data : record.data) data = {};
  record.code = nullptr;
  record.begun = true;
  record.state.store(is_initial(thread) ? kSerialWork : kParallelWork, std::memory_order_relaxed);
  const ThreadKind kind = is_initial(thread) ? ThreadKind::initial : ThreadKind::worker;
  tell<Event::thread_begin>([&](auto callback, uint32_t tool) { callback(kind, &record.data[tool]); });
  if (!is_initial(thread)) return;
  of(thread->team) = {};
  of(&thread->implicit).begin_anew();
  of(&thread->implicit).created = true;
  of(&thread->implicit).stack = thread->worker->stack;
  thread->told_task = &thread->implicit;
  tell_initial_task(thread, Endpoint::begin);
}

void end_thread(Thread* thread) {
  OfThread* record = thread->tool;
  if (record == nullptr || !record->begun) return;
  if (is_initial(thread)) tell_initial_task(thread, Endpoint::end);
  tell<Event::thread_end>([&](auto callback, uint32_t tool) { callback(&record->data[tool]); });
  record->begun = false;
}

void end_threads(Thread* caller) {
  end_cached(caller, caller);
  if (is_initial(caller)) end_thread(caller);
}

const void* in_program(Thread* thread, const void* code) {
  if (code < &__ehdr_start || code >= &_etext) return code;
  const Task* task = thread->task();
  if ((task->bits & kTaskExplicit) == 0) {
    const auto* league = static_cast<const League*>(thread->teams_data);
    return league != nullptr && league->code != nullptr ? league->code : thread->team->code;
  }
  const OfTask& record = of(const_cast<Task*>(task));
  return record.body != nullptr ? record.body : reinterpret_cast<const void*>(task->function);
}

void called_from(Thread* thread, const void* code) {
  OfThread& record = known(thread);
  record.code = in_program(thread, code);
  // Where the caller's frame ends: above the saved frame pointer and the address that this returns to.
  record.frame = static_cast<void**>(__builtin_frame_address(0)) + 2;
}

CalledByRuntime::CalledByRuntime(Thread* thread, const void* frame) {
  if (!active()) return;
  record_ = &known(thread);
  code_ = record_->code;
  frame_ = record_->frame;
  record_->code = nullptr;
  record_->frame = frame;
}

CalledByRuntime::~CalledByRuntime() {
  if (record_ == nullptr) return;
  record_->code = code_;
  record_->frame = frame_;
}

Inside::Inside(Thread* thread) : task_(thread->task()) {
  FrameRecord& told = of(task_).frame;
  told.enter.ptr = const_cast<void*>(of(thread).frame);
  told.enter_flags = kRuntimeFrame | kStackAddress;
}

Inside::~Inside() { of(task_).frame.enter.ptr = nullptr; }

}  // namespace tulle::omp::tool
