// SPDX-License-Identifier: Apache-2.0
// A team: a bubble of threads. Cached by the thread that encountered its region, so that the next
// region finds members, seats and stacks as they were; it grows and shrinks without losing members.
// Written by the encountering thread before it publishes a region; read by members. What members
// write stands on other cache lines. Teams' memory is never unmapped.
#pragma once

#include <atomic>
#include <cstdint>

#include "omp/icv/icv.h"
#include "omp/queue/task_pool.h"
#include "omp/thread/thread.h"
#include "omp/thread/work_share.h"
#include "sched/placed.h"
#include "sched/wait_list.h"
#include "sched/waking.h"
#include "sched/worker.h"

namespace tulle::omp {

class MeetingTree;
struct RestingTeams;

using RegionFunction = void (*)(void*);

// Arguments of a region's function, and how it is called with them as the member that `thread` is.
struct RegionWords {
  void (*call)(Thread* thread, RegionFunction function, void* const* words, uint32_t count);
  void* const* words;
  uint32_t count;
};

// The counts that members keep through the team's regions.
enum : uint32_t { kBarriers, kConstructs, kSingles, kCounts };

namespace tool {
struct OfRegion;
}

// Where members of a team meet: each of a flat one has a worker of its own, and a flag. `anew`: at the counter too, and
// the team is made fit for its next region whatever that is.
enum class MeetAt : uint8_t { anew, counter, flags, tree };

enum CancelBits : uint32_t { kCancelParallel = 1 };  // the rest names the cancelled construct

struct TULLE_PAIR_ALIGNED Team : sched::Bubble {
  // Values that stay the same from region to region as a rule, and are written only when they do not, which
  // members look at while they run. W: encountering thread.
  TULLE_CACHE_ALIGNED uint32_t nthreads = 1;
  uint32_t level = 0;         // omp_get_level()
  uint32_t active_level = 0;  // omp_get_active_level()
  MeetAt meets_at = MeetAt::anew;
  bool by_leaders = false;    // whoever begins a leader publishes its cluster (omp/region/publish.h)
  bool apart = false;         // the join calls no members on top of its frames
  bool may_rest = false;      // between its regions at the encountering thread's team (omp/region/inner_teams.h)
  bool thread_locals = false; // members carry TLS blocks of their own
  ProcBind bind = ProcBind::off;  // policy of the region, kept only where there are places
  Peer peer = Peer::libgomp;      // whose interface it came by, kept only where it is observed
  bool displayed = false;         // its members display their affinity as they begin
  bool observed = false;          // as the ICV: its members are bound, displayed or counted
  const Icv* icv = nullptr;   // of the implicit tasks
  Thread* parent = nullptr;   // encountering thread; null for an initial thread's own team
  // Members by number; those beyond nthreads wait for a larger region.
  Thread** members = nullptr;
  // Seat 0 is the encountering thread's; a seat of worker i holds the members that it begins with.
  std::atomic<sched::Seat*> seats{nullptr};
  std::atomic<uint32_t> seats_used{0};  // R: also workers that look late
  // Members that seats publish: nthreads, or 1 where a policy places the others.
  uint32_t published = 1;
  bool placed = false;  // a policy does; W: encountering thread
  // The origin of its members' places, beside `bind`: of the encountering thread, and for how many.
  Placement around{-1, 0, 0};
  uint32_t assigned = 0;
  std::atomic<bool> announced{false};  // it was put in a runqueue; W: parent, makers of tasks
  sched::WakeRound waking;
  MeetingTree* tree = nullptr;  // where they meet at one; others of the team's, for other sizes, are behind it
  decltype(RegionWords::call) call_with_words = nullptr;  // of regions whose functions take words

  // The region in force. W: encountering thread; R: itself and slow paths.
  TULLE_PAIR_ALIGNED RegionFunction function = nullptr;
  void* data = nullptr;
  const RegionWords* words = nullptr;  // in place of `data`
  const void* code = nullptr;  // what the region is known by: its function, or kmp's microtask
  uint32_t generation = 0;
  uint32_t ran_by_parent = 0;  // members that the encountering thread called itself
  uint32_t to_finish = 0;      // what the seats' counts of ended members and these come to at the join
  uint32_t reserved = 0;       // of the threads that thread-limit-var leaves the contention group
  uint32_t gang = 0;           // workers that were promised to it (omp/region/spinning.h)
  // Where members' counts stand at the begin of the region: all members meet the same constructs,
  // so the counts go on from region to region and nothing has to be reset.
  uint32_t first[kCounts] = {1, 0, 0};
  uint32_t members_made = 0;
  uint32_t members_room = 0;
  uint32_t seats_made = 0;
  uint32_t regions_counted = 0;  // since the team was made fit
  uint32_t departures_seen = 0;  // sched::Bubble::departures when all of its workers were last found at their seats
  const sched::Crew* crew = nullptr;  // whose workers have the seats; null: the host's
  // Where the region was entered, if not on the stack of the OS thread or of the member that entered it.
  uintptr_t strayed_at = 0;
  Icv icv_inside;  // where `icv` points if it is not the encountering task's

  // The encountering thread, when it waits at the join.
  TULLE_PAIR_ALIGNED sched::WaitList joiner;

  // Barrier. `phase` counts the barriers that were complete by arrivals (teams that are not flat,
  // and those with explicit tasks). Who arrives and is not the last most often sleeps next: one line for both, and not the
  // one at which a worker polls that has nothing else to do.
  TULLE_PAIR_ALIGNED std::atomic<uint32_t> arrivals{0};
  sched::WaitList sleepers;
  TULLE_PAIR_ALIGNED std::atomic<uint32_t> phase{0};
  sync::Spinlock completing;  // of a barrier with explicit tasks

  // Cancellation of the innermost region or worksharing construct (CancelBits).
  std::atomic<uint32_t> cancelled{0};

  // single: number of single constructs taken so far.
  TULLE_PAIR_ALIGNED std::atomic<uint32_t> singles_taken{0};
  // Reductions that are combined in order: the turn {reduction of the region, thread}, as one count.
  std::atomic<uint32_t> combine_turn{0};
  // copyprivate: what the executing thread broadcasts.
  std::atomic<void*> broadcast{nullptr};

  sync::Spinlock announcing;  // makers of the region's first tasks


  WorkShareRing work_shares;
  TaskPool tasks;

  // `reduction(task, …)` of the region: descriptors of an interface layer.
  void* task_reductions = nullptr;

  // The policy's view of the team: parts 0 to n-2 are its members 1 to n-1.
  sched::PlacedBubble bubble;
  uint32_t parts_made = 0;
  uint64_t displayed_as = 0;  // with OMP_DISPLAY_AFFINITY: how it was displayed last; W: encountering thread
  tool::OfRegion* tool = nullptr;  // where there are tools
  uint32_t recorded_as = 0;  // with TULLE_PLACEMENT: the team's number; W: member 0, as it begins
  // Of an initial thread's own team: the policy that it has chosen; null: TULLE_POLICY decides.
  std::atomic<sched::PolicyChoice*> chosen{nullptr};
  // Of an initial team: threads of regions inside it, where thread-limit-var bounds them. W: any of its
  // contention group.
  std::atomic<uint32_t> reserved_inside{0};

  // Of its members' regions, while these are not in force (omp/region/inner_teams.h).
  std::atomic<RestingTeams*> resting{nullptr};
  Team* next_free = nullptr;
};

inline bool is_flat(const Team* team) { return team->meets_at > MeetAt::counter; }

// Written once while a worker may look; what it finds there stays readable.
inline sched::Seat* seats_of(const Team* team) {
  return team->seats.load(std::memory_order_relaxed);
}

}  // namespace tulle::omp
