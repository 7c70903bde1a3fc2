// SPDX-License-Identifier: Apache-2.0
// Tools' view of leagues (OpenMP 5.2 §19.5.2.3, §19.5.2.11): a region whose teams are initial tasks. Tulle runs all of them
// as the task that encountered it, so what tools keep for a team stands in place of what they keep for that task.
#include "omp/tool/leagues.h"

#include <cstdlib>
#include <new>

#include "omp/tool/events.h"
#include "os/report.h"

namespace tulle::omp::tool {

struct OfLeague {
  OfRegion region;
  OfTask task;  // of the team that runs
};

namespace {

void tell_team(const League& league, Endpoint endpoint) {
  OfLeague& told = *league.told;
  const bool begins = endpoint == Endpoint::begin;
  tell<Event::implicit_task>([&](auto callback, uint32_t tool) {
    callback(endpoint, begins ? &told.region.data[tool] : nullptr, &told.task.data[tool], begins ? league.teams : 0,
             league.team, kInitialTask);
  });
}

}  // namespace

void begin_league(Thread* thread, League* league) {
  void* memory = malloc(sizeof(OfLeague));
  if (memory == nullptr) os::fatal("no memory for what a tool keeps");
  auto* told = league->told = new (memory) OfLeague;
  OfRegion& region = told->region;
  region.code = known(thread).code;
  region.flags = static_cast<int>(kInvokedByProgram | kLeague);
  region.teams = league->teams;
  region.around = &of(thread->team);
  OfTask& task = of(thread->task());
  task.frame.enter.ptr = const_cast<void*>(of(thread).frame);
  task.frame.enter_flags = kRuntimeFrame | kStackAddress;
  tell<Event::parallel_begin>([&](auto callback, uint32_t tool) {
    callback(&task.data[tool], &task.frame, &region.data[tool], league->teams, region.flags, region.code);
  });
}

void begin_team(Thread* thread, League* league) {
  OfLeague& told = *league->told;
  OfTask& task = told.task;
  task.begin_anew();
  task.created = true;
  task.around = thread->task()->tool;
  task.number = league->team;
  task.stack = thread->worker->stack;
  task.frame.exit.ptr = const_cast<void*>(of(thread).frame);
  task.frame.exit_flags = kRuntimeFrame | kStackAddress;
  thread->team->tool = &told.region;
  thread->task()->tool = &task;
  tell_team(*league, Endpoint::begin);
}

void end_team(Thread* thread, League* league) {
  end_work(thread);
  OfLeague& told = *league->told;
  told.task.frame.exit.ptr = nullptr;
  tell_team(*league, Endpoint::end);
  thread->task()->tool = told.task.around;
  thread->team->tool = told.region.around;
}

void end_league(Thread* thread, League* league) {
  OfLeague* told = league->told;
  OfTask& task = of(thread->task());
  tell<Event::parallel_end>([&](auto callback, uint32_t tool) {
    callback(&told->region.data[tool], &task.data[tool], told->region.flags, told->region.code);
  });
  task.frame.enter.ptr = nullptr;
  league->told = nullptr;
  told->~OfLeague();
  free(told);
}

}  // namespace tulle::omp::tool
