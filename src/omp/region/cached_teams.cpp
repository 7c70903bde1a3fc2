// SPDX-License-Identifier: Apache-2.0
#include "omp/region/cached_teams.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "arch/cpu.h"
#include "base/look.h"
#include "memory/stack_pool.h"
#include "omp/data/threadprivate.h"
#include "omp/environment/environment_values.h"
#include "omp/queue/task_trim.h"
#include "omp/region/inner_teams.h"
#include "omp/region/lent_blocks.h"
#include "omp/region/members.h"
#include "omp/region/publish.h"
#include "omp/region/team_policy.h"
#include "omp/thread/meeting_tree.h"
#include "omp/tool/events.h"
#include "omp/tool/in_name.h"
#include "os/report.h"
#include "sched/announce.h"
#include "sched/memory_nodes.h"
#include "sched/placing.h"
#include "sched/pool.h"
#include "sched/usable_cpus.h"
#include "sched/workers.h"
#include "sync/spinlock.h"

namespace tulle::omp {

namespace {

TeamFunctions team_functions;  // W: set_team_functions

TULLE_HELD_AT_FORK sync::Spinlock lock;
Team* free_teams TULLE_GUARDED_BY(lock) = nullptr;      // memory of teams is never unmapped
constexpr uint32_t kThreadLists = 8;  // by memory node, those of nobody in particular among the first
Thread* free_threads[kThreadLists] TULLE_GUARDED_BY(lock) = {};  // through next_in_queue; same
uint32_t next_record TULLE_GUARDED_BY(lock) = 0;
LeftOver left TULLE_GUARDED_BY(lock);

template <class T>
T* allocate() {
  void* memory = aligned_alloc(alignof(T), sizeof(T));
  return memory == nullptr ? nullptr : new (memory) T;
}

Thread*& list_of(int node) TULLE_UNDER(lock) {
  return free_threads[node == sched::kAnyNode ? 0 : static_cast<uint32_t>(node) % kThreadLists];
}

Thread* take_thread(int node) {
  sync::Guard guard(lock);
  Thread*& first = list_of(node);
  Thread* thread = first;
  if (thread != nullptr) {
    first = static_cast<Thread*>(thread->next_in_queue);
    thread->next_in_queue = nullptr;
    return thread;
  }
  void* memory = sched::allocate_at_node(node, alignof(Thread), sizeof(Thread));
  if (memory == nullptr) return nullptr;
  thread = new (memory) Thread;
  thread->memory_node = node;
  thread->gtid = thread->record = next_record++;
  return thread;
}

void give_thread(Thread* thread) {
  drop_cached_teams(thread);
  if (thread->block != nullptr) ult::give_tls_block(thread->block);
  drop_threadprivates(thread);
  thread->block = nullptr;
  set_looked_at(thread->tls, 0);
  set_looked_at(thread->team, nullptr);
  thread->frame = nullptr;
  thread->interface_data = nullptr;
  thread->next_load = 0;
  thread->gtid = thread->record;
  sync::Guard guard(lock);
  Thread*& first = list_of(thread->memory_node);
  thread->next_in_queue = first;
  first = thread;
}

// One whose seats are those of the crew's workers.
Team* take_free_team(const sched::Crew* crew) {
  sync::Guard guard(lock);
  ++left.teams;
  Team** link = &free_teams;
  while (*link != nullptr && (*link)->crew != crew) link = &(*link)->next_free;
  Team* team = *link;
  if (team != nullptr) *link = team->next_free;
  return team;
}

Team* make_team(const sched::Crew* crew) {
  auto* team = allocate<Team>();
  if (team == nullptr) return nullptr;
  team->crew = crew;
  team->serve = team_functions.serve;
  team->serve_seat = team_functions.serve_seat;
  team->left = team_functions.left;
  return team;
}

// One that was given back may still be looked at.
Team* take_team(const sched::Crew* crew) {
  Team* team = take_free_team(crew);
  if (team == nullptr) return make_team(crew);
  end_trim(team->tasks);
  team->meets_at = MeetAt::anew;  // it has no members
  // As an initial thread's it may have been marked with a number that its barriers have yet to reach.
  team->tasks.used_before.store(team->first[kBarriers] - 1, std::memory_order_relaxed);
  return team;
}

void give_team(Team* team) {
  // Member 0 stands for the thread that encountered the region: its TLS block is not its own.
  for (uint32_t i = 0; i < team->members_made; ++i) {
    if (i == 0) {
      set_looked_at(team->members[0]->tls, 0);
      set_looked_at(team->members[0]->native_tls, false);
      if (team->parent != nullptr) team->members[0]->tool = nullptr;
    } else if (tool::active()) {
      tool::in_name_of(self(), team->members[i], [=] { tool::end_thread(team->members[i]); });
    }
    give_thread(team->members[i]);
  }
  team->members_made = 0;
  for (Team* inner = take_all_resting(team); inner != nullptr;) {
    Team* next = inner->next_free;
    give_team(inner);
    inner = next;
  }
  uint64_t unfinished = team->tasks.unfinished();
  sync::Guard guard(lock);
  --left.teams;
  left.tasks += unfinished;
  team->next_free = free_teams;
  free_teams = team;
}

bool make_room(Team* team, uint32_t n) {
  if (n <= team->members_room) return true;
  uint32_t room = n < 8 ? 8 : n + n / 2;
  auto** grown = static_cast<Thread**>(malloc(room * sizeof(Thread*)));
  if (grown == nullptr) return false;
  for (uint32_t i = 0; i < team->members_made; ++i) grown[i] = team->members[i];
  // A worker may still look at the smaller table: it stays where it is.
  ult::kept_for_good(team->members);
  __atomic_store_n(&team->members, grown, __ATOMIC_RELEASE);  // pairs with late looks
  team->members_room = room;
  return true;
}

bool make_seats(Team* team, uint32_t seats) {
  if (seats <= team->seats_made) return true;
  void* memory = sched::WorkerNodes::here(seats).allocate(alignof(sched::Seat), sizeof(sched::Seat), seats);
  if (memory == nullptr) return false;
  // A worker may still look at seats that are replaced: they stay where they are.
  ult::kept_for_good(team->seats);
  auto* made = static_cast<sched::Seat*>(memory);
  for (uint32_t i = 0; i < seats; ++i) {
    auto* seat = new (&made[i]) sched::Seat;
    seat->bubble = team;
    seat->worker = i == 0 ? nullptr : sched::worker_of(team->crew, static_cast<int>(i));
  }
  team->seats = made;
  team->seats_made = seats;
  return true;
}

// Clang's code takes the thread that encountered a region and its member 0 for the same.
void be_same_thread(Thread* primary, const Thread* outer) { primary->gtid = outer->gtid; }

void add_member(Team* team, Thread* thread) {
  __atomic_store_n(&thread->team, team, __ATOMIC_RELEASE);  // pairs with the monitor's look
  thread->bubble = team;
  thread->num = team->members_made;
  if (thread->num == 0 && team->parent != nullptr) be_same_thread(thread, team->parent);
  // Records come from other teams, whose barriers have other numbers.
  thread->arrived.store(team->first[kBarriers] - 1, std::memory_order_relaxed);
  thread->active_generation.store(UINT32_MAX, std::memory_order_relaxed);
  thread->queue = nullptr;
  team->assigned = 0;
  thread->implicit.team = team;
  thread->implicit.bits = ult::race_detector ? uint32_t{kTaskWatched} : 0;
  thread->reset_frames(&thread->implicit);
  set_looked_at(team->members[team->members_made++], thread);
}

// As many as there is memory for. Where each has a worker of its own, at that one's node.
uint32_t add_members(Team* team, uint32_t n, bool have_workers) {
  memory::follow_modules();
  const auto nodes = have_workers ? sched::WorkerNodes::here(n) : sched::WorkerNodes();
  while (team->members_made < n) {
    const int node = have_workers ? nodes.of(team->members_made) : sched::memory_node_here();
    Thread* thread = make_room(team, team->members_made + 1) ? take_thread(node) : nullptr;
    if (thread == nullptr) {
      if (team->members_made == 0) os::fatal("no memory for a team");
      os::report("no memory for a team of %u: %u threads instead", n, team->members_made);
      return team->members_made;
    }
    add_member(team, thread);
  }
  return n;
}

Team* make_for(Thread* outer) {
  Team* team = take_team(sched::crew_of(outer->worker));
  if (team == nullptr) os::fatal("no memory for a team");
  team->parent = outer;
  return team;
}

// One that rested: another region's, with its members, of any number.
Team* adopt(Team* team, Thread* outer) {
  team->parent = outer;
  be_same_thread(team->members[0], outer);
  return team;
}

constexpr uint32_t kMostTrees = 8;

MeetingTree* make_tree(const Team* team) {
  sched::Clusters* clusters = sched::Clusters::make_here(team->nthreads);
  if (clusters == nullptr) return nullptr;
  const bool by_leaders = always_by_leaders || clusters->share_caches();
  MeetingTree* tree = MeetingTree::make(*clusters, team->nthreads, team->first[kBarriers], by_leaders);
  sched::Clusters::free(clusters);
  return tree;
}

// The team's tree for its size, first of those that it keeps. Null: no memory, or it has too many already.
MeetingTree* fit_tree(Team* team) {
  MeetingTree** link = &team->tree;
  uint32_t kept = 0;
  for (; *link != nullptr && (*link)->members() != team->nthreads; ++kept) link = &(*link)->next;
  MeetingTree* tree = *link;
  if (tree != nullptr)
    *link = tree->next;
  else if (kept == kMostTrees || (tree = make_tree(team)) == nullptr)
    return nullptr;
  tree->next = team->tree;
  return team->tree = tree;
}

MeetAt meeting_of(Team* team, bool has_workers) {
  if (team->apart) return MeetAt::anew;
  if (!has_workers || flat_limit == 1) return MeetAt::counter;
  if (team->nthreads <= flat_limit) return MeetAt::flags;
  return uses_trees && fit_tree(team) != nullptr ? MeetAt::tree : MeetAt::counter;
}

Icv icv_of_initial_thread() {
  Icv icv = initial_icv();
  if (ult::race_detector || tool::active()) icv.observed = true;
  return icv;
}

}  // namespace

void observe_without_tools(Thread* root) { root->own_icv.observed = ult::race_detector || initially_observed(); }

void set_team_functions(const TeamFunctions& functions) { team_functions = functions; }

Team* make_initial_team(Thread* root) {
  Team* team = take_team(nullptr);
  if (team == nullptr || !make_room(team, 1)) os::fatal("no memory for an initial thread");
  team->parent = nullptr;
  team->level = 0;
  set_looked_at(team->active_level, 0);
  set_looked_at(team->nthreads, 1);
  team->published = 1;
  team->placed = false;
  team->apart = true;  // no region of its own: looked at by a join alone (omp/region/stray.h)
  add_member(team, root);
  set_looked_at(root->next_barrier, team->first[kBarriers]);
  return team;
}

void reset_icv(Thread* root) {
  root->own_icv = icv_of_initial_thread();
  root->implicit.icv = root->team->icv = &root->own_icv;
}

bool has_own_icv(const Thread* root) {
  Icv initial = icv_of_initial_thread();
  return memcmp(&root->own_icv, &initial, sizeof initial) != 0;
}

Thread* take_initial_thread() {
  Thread* root = take_thread(sched::memory_node_here());
  if (root == nullptr) os::fatal("no memory for an initial thread");
  return root;
}

// Its initial team goes back, and the record with it: the only member.
void release_initial_thread(Thread* root) {
  root->team->chosen.store(nullptr, std::memory_order_relaxed);  // nobody else is in its regions
  give_team(root->team);
}

void forget_free_teams() TULLE_WITHOUT_LOCKS { free_teams = nullptr; }

LeftOver left_over() {
  sync::Guard guard(lock);
  return left;
}

void forget_announcement(Team* team) {
  new (&team->link) Link;
  team->announced.store(false, std::memory_order_relaxed);
  team->may_reopen.store(false, std::memory_order_relaxed);
  if (team->placed) sched::forget_placed(&team->bubble);
}

namespace {

// Of a region outside of all others: as many as there are members or workers, which come and go with the CPUs.
uint32_t seats_for(const Team* team, const Thread* outer, uint32_t n) {
  if (outer->team->parent == nullptr) sched::follow_usable_cpus();
  uint32_t pool = static_cast<uint32_t>(sched::start_workers(team->crew)) + 1;
  return n < pool ? n : pool;
}

// Nothing has changed since it was made fit. To look at each member's record would move lines that their workers write.
bool still_fits(const Team* team, const Thread* outer, uint32_t n, bool inner) {
  if (team->meets_at == MeetAt::anew || team->nthreads != n) return false;
  if (TULLE_UNLIKELY(policies_named.load(std::memory_order_relaxed))) return false;
  if (!team->thread_locals && carries_thread_locals()) return false;
  return inner || n == 1 || seat_count(team) == seats_for(team, outer, n);
}

}  // namespace

Team* fit_team(Thread* outer, uint32_t n) {
  Team*& cached = n == 1 ? outer->inner_alone : outer->inner;
  Team* team = cached;
  const bool inner = n > 1 && outer->team->active_level != 0;  // a region inside of a region
  if (team == nullptr) {
    Team* resting = inner ? take_resting(outer, n) : nullptr;
    team = cached = resting != nullptr ? adopt(resting, outer) : make_for(outer);
  }
  end_trim(team->tasks);
  if (still_fits(team, outer, n, inner)) return team;
  uint32_t seats = 1;
  sched::PolicyChoice* choice =
      TULLE_UNLIKELY(policies_named.load(std::memory_order_relaxed)) ? policy_for(outer, n) : nullptr;
  if (TULLE_UNLIKELY(choice != nullptr) && !make_parts(team, n)) choice = nullptr;
  if (!inner && n > 1 && choice == nullptr) seats = seats_for(team, outer, n);
  if (!make_seats(team, seats)) os::fatal("no memory for a team");
  if (team->members_made < n) n = add_members(team, n, seats == n);
  if (carries_thread_locals()) n = lend_blocks(team, n);
  if (seats > n) seats = n;
  __atomic_store_n(&team->nthreads, n, __ATOMIC_RELEASE);  // after the members; pairs with late looks
  team->placed = choice != nullptr && n > 1;
  team->bubble.choice = choice;
  team->published = team->placed ? 1 : n;
  team->seats_used.store(seats, std::memory_order_release);  // pairs with seat_count
  // Where the join calls no members on top of its frames the region is always announced, and meets at the
  // counter: its worker takes them from its loop.
  team->apart = !may_call_on_top(outer->worker);
  team->meets_at = meeting_of(team, seats == n);
  count_where_they_meet(team);
  sched::set_seated(team, seats == n && !team->apart);
  team->departures_seen = team->departures.load(std::memory_order_relaxed) - 1;  // they may be other seats
  team->by_leaders = false;
  team->may_rest = inner && !team->apart && !team->placed;
  return team;
}

void drop_cached_teams(Thread* thread) {
  for (Team** cached : {&thread->inner, &thread->inner_alone}) {
    if (*cached != nullptr) give_team(*cached);
    *cached = nullptr;
  }
}

}  // namespace tulle::omp
