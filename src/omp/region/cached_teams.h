// SPDX-License-Identifier: Apache-2.0
// The memory of teams and of their threads: made fit for each region, cached by the thread that encounters
// it, reused when a team is given back. Any thread, for its own teams, unless noted.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

// Larger teams of one worker a member meet at a tree instead of each other's flags; 1: all meet at a counter. W: before
// the first team is made.
inline uint32_t flat_limit = 8;
// False: they meet at a counter, as where there are more workers than CPUs: a tree would wait for one worker after the
// other to be given a core. W: likewise.
inline bool uses_trees = true;
// Leaders of clusters publish regions and count their ends whatever caches there are (omp/region/publish.h). W: likewise.
inline bool always_by_leaders = false;

// Records of initial threads (threads that no parallel region made), and the team of one of each.
// The functions of a team as a bubble and of its seats (sched/runqueue.h, sched/worker.h): omp/region/members.h's, told
// before the first team is made.
struct TeamFunctions {
  sched::Worker* (*serve)(sched::Bubble* bubble, sched::Worker* worker);
  sched::Worker* (*serve_seat)(sched::Seat* seat, sched::Worker* worker);
  uint32_t (*left)(const sched::Bubble* bubble, const sched::Worker* worker, uint32_t enough);
};
void set_team_functions(const TeamFunctions& functions);

Thread* take_initial_thread();
Team* make_initial_team(Thread* root);
void release_initial_thread(Thread* root);
// The control variables of an initial thread as they are for one that has set none; whether it has.
void reset_icv(Thread* root);
bool has_own_icv(const Thread* root);
// No tool is there any more: its regions' members are observed for other reasons alone. By itself, outside of regions.
TULLE_COLD void observe_without_tools(Thread* root);

// The thread's cached team made fit for n threads. Fewer where there is no memory for so many.
Team* fit_team(Thread* outer, uint32_t n);

// Gives back the teams that a thread has cached, theirs included.
void drop_cached_teams(Thread* thread);

// Remains that should not be there when no region and no OS thread of the program is left but the caller: for
// tests. Teams in use, the initial thread's among them; incomplete tasks of teams that were given back.
struct LeftOver {
  uint32_t teams = 0;
  uint64_t tasks = 0;
};
LeftOver left_over();

// In the child after fork(). Free teams have seats of workers that are gone; the runqueue that a
// team was in is empty.
void forget_free_teams();
void forget_announcement(Team* team);

}  // namespace tulle::omp
