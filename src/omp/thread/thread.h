// SPDX-License-Identifier: Apache-2.0
// An OpenMP thread: one member of one team. The record is made with its team, kept while the team
// is cached, and reused by each region. Fields are written by the thread itself unless noted; what
// team mates poll stands on a cache line of its own.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"
#include "omp/icv/icv.h"
#include "omp/places/places.h"
#include "omp/queue/task_record.h"
#include "sched/entity.h"
#include "sched/worker.h"
#include "ult/tls_block.h"

namespace tulle::omp {

struct PrivateTable;
struct Team;
struct WorkShare;

namespace tool {
struct OfThread;
}

struct TULLE_PAIR_ALIGNED Thread : sched::Entity {
  // Fixed while the team is cached. W: the team's maker.
  Team* team = nullptr;
  uint32_t num = 0;    // omp_get_thread_num()
  uint32_t gtid = 0;   // kmp's global thread number, small; member 0 has its parent's
  ult::TlsBlock* block = nullptr;  // the TLS block that it carries; null: its worker's
  bool native_tls = false;  // its TLS block is that of a foreign OS thread, its home
  Placement placement{-1, 0, 0};  // where there are places; W: who encounters the team's region
  int memory_node = -1;     // where the record lies (sched/memory_nodes.h); fixed
  uint32_t record = 0;      // unique among records, for good; gtid of those that are nobody's member 0

  // The current task, implicit or explicit, and the record of the implicit one.
  Task* task() const { return static_cast<Task*>(frame); }
  Task implicit;

  // Work-sharing and single constructs met so far, counted through the team's regions, and the
  // work-share being worked on.
  uint32_t constructs = 0;
  uint32_t singles = 0;
  WorkShare* work_share = nullptr;
  uint32_t combined = 0;  // reductions combined in order in this region

  // The number of the barrier that it comes to next, counted through the team's regions.
  uint32_t next_barrier = 1;

  // Teams cached for the regions that this thread encounters.
  Team* inner = nullptr;       // of several threads
  Team* inner_alone = nullptr; // of one

  // Explicit tasks: the queue of the worker that it was on last.
  TaskQueue* queue = nullptr;
  // Stretches so far from one wait of its implicit task to the next in which a task was timed (task_choice.h), and
  // whether the present one is one.
  uint8_t stretches = 0;
  bool times = false;
  uint32_t descent = 0;  // tasks that its first way down a tree of tasks may still keep (task_choice.h)

  uint32_t tests_in_vain = 0;  // of locks, so far
  const void* let_go = nullptr;  // the lock that it had last, where others wait for that
  uint64_t lock_digest = 0;      // where it stood when it last met others at a lock (arch/registers_digest.h)
  uint64_t lock_turns = 0;       // how often it has had let_go again
  uint64_t lock_burst_end = 0;   // then no more; 0 before the first look at the clock
  uint32_t lock_asks = 0;        // not 0: it asks in a loop for what another is to do under a lock
  uint32_t met_at_locks = 0;     // how often it met others there, so far
  uint32_t watched_calls = 0;    // of locks that are watched, so far, that did not ask

  // Copies of threadprivate variables (threadprivate.h); null: none yet.
  PrivateTable* privates = nullptr;

  // Data of an interface layer (abi/kmp, abi/gomp): null at the begin of each region.
  void* interface_data = nullptr;
  void* teams_data = nullptr;  // of the teams construct in force

  tool::OfThread* tool = nullptr;   // where there are tools; member 0 has its parent's
  Task* told_task = nullptr;        // the task that tools take for the current one

  const Team* displayed_in = nullptr;  // the team in which its affinity was displayed last

  // The load that the thread announced last (tulle_set_load); 0: none. R: whoever places its team's
  // next region, and those of the teams that it opens.
  double next_load = 0;

  // The ICVs of the implicit task once it has set one itself (copy on write). R: the members of its regions too.
  TULLE_PAIR_ALIGNED Icv own_icv;

  // W: itself; R: team mates. The number of the barrier that it last arrived at.
  TULLE_PAIR_ALIGNED std::atomic<uint32_t> arrived{0};
  // The generation of the team's region that it began to run; others may then run tasks in its name
  // while it waits. Workers without work look at it again and again. Pairs with may_lend().
  std::atomic<uint32_t> active_generation{UINT32_MAX};
};

// The calling OpenMP thread; null on an OS thread that never entered the runtime.
inline Thread* self() { return static_cast<Thread*>(sched::current()); }

TULLE_COLD Thread* attach();

// The calling OpenMP thread; a pthread that comes for the first time gets the record of an initial
// thread. Ends the process with a message if there is no memory for it.
inline Thread* self_or_attach() {
  Thread* thread = self();
  return TULLE_LIKELY(thread != nullptr) ? thread : attach();
}

// The ICVs of the thread's current task; to change them, omp/task/task_icv.h.
inline const Icv& icv_of(Thread* thread) { return *thread->task()->icv; }

}  // namespace tulle::omp
