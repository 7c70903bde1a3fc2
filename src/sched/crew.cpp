// SPDX-License-Identifier: Apache-2.0
#include "sched/crew.h"

#include <stdlib.h>

#include "base/create.h"
#include "sched/pool.h"
#include "sched/victims.h"
#include "sched/workers.h"

namespace tulle::sched {

namespace {

void list(Crew* crew) {
  crew->next = newest_crew.load(std::memory_order_relaxed);
  while (!newest_crew.compare_exchange_weak(crew->next, crew, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

}  // namespace

const Crew* start_crew(Worker* leader, const CpuSet& cpus) {
  const int wanted = cpus.count() - 1;
  auto* crew = create<Crew>();
  if (crew == nullptr) return nullptr;
  crew->cpus = cpus;
  if (wanted > 0) crew->members = static_cast<Worker**>(malloc(static_cast<size_t>(wanted) * sizeof(Worker*)));
  list(crew);
  leader->crew.store(crew, std::memory_order_relaxed);
  crew_leaders.fetch_add(1, std::memory_order_relaxed);
  while (crew->members != nullptr && crew->size < wanted) {
    Worker* w = start_member(crew);
    if (w == nullptr) break;
    crew->members[crew->size++] = w;
  }
  return crew;
}

int start_workers(const Crew* crew) { return TULLE_LIKELY(crew == nullptr) ? start_pool() : crew->size; }

void forget_crews() {
  newest_crew.store(nullptr, std::memory_order_relaxed);
  crew_leaders.store(0, std::memory_order_relaxed);
}

}  // namespace tulle::sched
