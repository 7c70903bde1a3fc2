// SPDX-License-Identifier: Apache-2.0
// What tools are told. For who has seen active() only. The calling thread's own events, unless noted; callbacks run
// under its TLS block and never suspend it. `code` is where the program called the interface; events without it take
// what called_from() was told last.
#pragma once

#include <cstddef>

#include "omp/tool/record.h"

namespace tulle::omp::tool {

// Threads. One that tools do not know begins with the first thing that they are told of it.
void begin_thread(Thread* thread);
inline OfThread& known(Thread* thread) {
  OfThread& record = of(thread);
  if (TULLE_UNLIKELY(!record.begun)) begin_thread(thread);
  return record;
}
// In its name, by whoever gives its record back: nothing of it runs any more.
void end_thread(Thread* thread);
// The process ends: in their names, the threads that `thread` has cached in its teams, and its own.
void end_threads(Thread* thread);

// The task is inside of the runtime, which it has called, until the end of the scope, maybe in another thread's name.
class Inside {
 public:
  explicit Inside(Thread* thread);
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Task* task_;
};

// Regions. Before the team is published, by the thread that encounters it; what its members call tells of them.
// `of_target`: it is an initial task, which no region's begin and end are told of, nor a barrier.
void begin_region(Team* team, Thread* outer, uint32_t requested, bool of_target);
void begin_primary(Thread* primary);
// The primary thread at its join: first; when all others have ended, whose barriers and implicit tasks end with
// its own; and as the encountering thread again.
void arrive(Thread* primary);
void end_members(Thread* primary);
void end_region(Team* team, Thread* outer);

// Explicit tasks. A record is about to be submitted: told once. `follows`: it has dependences.
void create_task(Thread* thread, Task* task, bool follows);
// The task is about to become the current one of `thread`, or about to cease to be, its body having ended.
void begin_body(Thread* thread, Task* task);
void end_body(Thread* thread, Task* task);
// What a task has to follow is complete. By any OS thread, before somebody can find the task.
void task_ready(Task* task);
// The event of a detachable task is fulfilled.
void fulfill(Task* task);
// From now on they are told what threads go on with after suspensions, or are not any more.
void watch_switches(bool told);

// Synchronisation. The region ends with the scope, maybe in another thread's name; the wait is all of it.
class SyncRegion {
 public:
  SyncRegion(Thread* thread, SyncKind kind, const void* code);
  ~SyncRegion();
  SyncRegion(const SyncRegion&) = delete;
  SyncRegion& operator=(const SyncRegion&) = delete;

 private:
  Inside inside_;
  Task* task_;
  const void* code_;
  SyncKind kind_;
};
// A taskgroup begins; and the wait at its end, which SyncRegion would begin with the region.
void begin_group(Thread* thread, const void* code);
class GroupEnd {
 public:
  GroupEnd(Thread* thread, const void* code);
  ~GroupEnd();
  GroupEnd(const GroupEnd&) = delete;
  GroupEnd& operator=(const GroupEnd&) = delete;

 private:
  Inside inside_;
  Task* task_;
  const void* code_;
};
void begin_sync(Thread* thread, SyncKind kind, const void* code);
void end_sync(Thread* thread, SyncKind kind, const void* code);
void reduction(Thread* thread, Endpoint endpoint, const void* code);

// The calling thread waits for a target region that a device runs, from the begin of the scope to its end.
class DeviceWait {
 public:
  DeviceWait();
  ~DeviceWait();
  DeviceWait(const DeviceWait&) = delete;
  DeviceWait& operator=(const DeviceWait&) = delete;
};

// Locks; `wait_id` is what they are known by. State of a thread that waits for one: from acquire to acquired.
void acquire(Thread* thread, MutexKind kind, const void* wait_id, const void* code);
void acquired(Thread* thread, MutexKind kind, const void* wait_id, const void* code);
void not_acquired(Thread* thread);
void released(MutexKind kind, const void* wait_id, const void* code);
void nest_again(Endpoint endpoint, const void* wait_id, const void* code);
void lock_init(MutexKind kind, uint32_t hint, const void* wait_id, const void* code);
void lock_destroy(MutexKind kind, const void* wait_id, const void* code);

// Worksharing. The construct that a thread is in ends by end_work(), and in any case with its region.
// `chunk`: iterations that a loop gives out at once; 0: no number stands for it.
void begin_work(Thread* thread, WorkKind kind, uint64_t count, uint64_t chunk = 0);
void end_work(Thread* thread);
// One that begins and ends at once; and the single construct, of which only its executor says nothing more.
void pass_work(Thread* thread, WorkKind kind, uint64_t count);
void single(Thread* thread, bool executes);
void masked(Thread* thread, Endpoint endpoint, const void* code);
// A part of the construct that the thread is in is about to run: iterations, numbered from 0; a section, of which no more is
// known than where its construct was called.
void dispatch_chunk(Thread* thread, DispatchKind kind, uint64_t start, uint64_t iterations);
void dispatch_section(Thread* thread);
// A sink of an ordered construct that has come, or a source that is about to be known: numbers of iterations from 0, the
// outermost loop's first.
void tell_doacross(Thread* thread, int kind, const uint64_t* trip, uint32_t dimensions);
// A taskloop, from the begin of the scope to its end, maybe in another thread's name. It may be closely nested in a single
// construct, whose end nobody tells, so it ends none.
class Taskloop {
 public:
  Taskloop(Thread* thread, uint64_t iterations);
  ~Taskloop();
  Taskloop(const Taskloop&) = delete;
  Taskloop& operator=(const Taskloop&) = delete;

 private:
  Task* task_ = nullptr;  // null: there are no tools
  uint64_t iterations_;
  const void* code_ = nullptr;
};
// The task, which is about to be submitted, is to run these iterations of a taskloop.
void create_taskloop_part(Thread* thread, Task* task, DispatchedChunk chunk);
// It is the current task, and has some.
void dispatch_taskloop_part(Thread* thread, Task* task);
void cancel(Thread* thread, int flags, const void* code);
// A task will end without its body, because of its taskgroup or its region.
void discard(Task* task, bool by_group);
void flush(Thread* thread, const void* code);
// The directive of that name. `message`: null if it has none; `code`: an address that an entry point returns to.
void error(Thread* thread, Severity severity, const char* message, size_t length, const void* code);
int control(uint64_t command, uint64_t modifier, void* argument, const void* code);

}  // namespace tulle::omp::tool
