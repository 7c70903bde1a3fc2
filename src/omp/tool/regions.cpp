// SPDX-License-Identifier: Apache-2.0
// Tools' view of regions. A team with tools publishes tell_and_call() in place of the region's function. A member
// that has ended waits, for tools, until the primary thread finds that all have: that ends their barriers and
// implicit tasks, each in its own name.
#include "omp/tool/events.h"
#include "omp/tool/in_name.h"

namespace tulle::omp::tool {

namespace {

void tell_implicit_task(Thread* thread, Endpoint endpoint) {
  Team* team = thread->team;
  OfRegion& region = of(team);
  OfTask& task = of(&thread->implicit);
  tell<Event::implicit_task>([&](auto callback, uint32_t tool) {
    const bool begins = endpoint == Endpoint::begin;
    const uint32_t number = region.of_target ? 1 : thread->num;  // 1: no team of a league
    callback(endpoint, begins ? &region.data[tool] : nullptr, &task.data[tool], begins ? team->nthreads : 0, number,
             region.of_target ? kInitialTask : kImplicitTask);
  });
}

void begin_implicit_task(Thread* thread, const void* frame) {
  OfThread& record = known(thread);
  OfTask& task = of(&thread->implicit);
  task.begin_anew();
  task.created = true;
  task.stack = thread->worker->stack;
  task.frame.exit.ptr = const_cast<void*>(frame);
  task.frame.exit_flags = kRuntimeFrame | kStackAddress;
  thread->told_task = &thread->implicit;
  record.state.store(of(thread->team).of_target ? kSerialWork : kParallelWork, std::memory_order_relaxed);
  tell_implicit_task(thread, Endpoint::begin);
}

void end_implicit_task(Thread* thread) {
  const OfRegion& region = of(thread->team);
  if (!region.of_target) end_sync(thread, SyncKind::barrier_parallel, region.code);
  tell_implicit_task(thread, Endpoint::end);
}

void arrive_at_end(Thread* thread) {
  of(&thread->implicit).frame.exit.ptr = nullptr;
  end_work(thread);
  const OfRegion& region = of(thread->team);
  if (!region.of_target) begin_sync(thread, SyncKind::barrier_parallel, region.code);
}

// What all members but the primary thread call.
void tell_and_call(void* data) {
  auto* team = static_cast<Team*>(data);
  const OfRegion& region = *team->tool;
  Thread* thread = self();
  begin_implicit_task(thread, __builtin_frame_address(0));
  if (region.words == nullptr)
    region.function(region.argument);
  else
    region.words->call(thread, region.function, region.words->words, region.words->count);
  arrive_at_end(thread);
}

}  // namespace

void begin_region(Team* team, Thread* outer, uint32_t requested, bool of_target) {
  Task* encountering = outer->task();
  const void* code = known(outer).code;
  of(encountering).frame.enter.ptr = const_cast<void*>(of(outer).frame);
  of(encountering).frame.enter_flags = kRuntimeFrame | kStackAddress;
  OfRegion& region = of(team);
  region = {};
  region.code = code;
  region.of_target = of_target;
  region.function = team->function;
  region.argument = team->data;
  region.words = team->words;
  team->function = tell_and_call;
  team->data = team;
  team->words = nullptr;
  Thread* primary = team->members[0];
  primary->tool = outer->tool;
  if (of_target) return;
  OfTask& task = of(encountering);
  tell<Event::parallel_begin>([&](auto callback, uint32_t tool) {
    callback(&task.data[tool], &task.frame, &region.data[tool], requested, region.flags, code);
  });
}

void begin_primary(Thread* primary) {
  begin_implicit_task(primary, of(primary).frame);
}

void arrive(Thread* primary) { arrive_at_end(primary); }

void end_members(Thread* primary) {
  Team* team = primary->team;
  for (uint32_t i = 1; i < team->nthreads; ++i) {
    Thread* member = team->members[i];
    in_name_of(primary, member, [=] { end_implicit_task(member); });
  }
  end_implicit_task(primary);
}

void end_region(Team* team, Thread* outer) {
  OfRegion& region = of(team);
  OfTask& task = of(outer->task());
  OfThread& record = of(outer);
  if (!region.of_target)
    tell<Event::parallel_end>([&](auto callback, uint32_t tool) {
      callback(&region.data[tool], &task.data[tool], region.flags, region.code);
    });
  task.frame.enter.ptr = nullptr;
  record.state.store(outer->team->level == 0 ? kSerialWork : kParallelWork, std::memory_order_relaxed);
}

}  // namespace tulle::omp::tool
