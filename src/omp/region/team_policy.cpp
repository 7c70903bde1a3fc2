// SPDX-License-Identifier: Apache-2.0
#include "omp/region/team_policy.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "omp/environment/environment_values.h"
#include "os/keep_errno.h"
#include "os/report.h"
#include "sched/crew.h"
#include "sched/placing.h"
#include "sched/policy_choice.h"
#include "sched/pool.h"

namespace tulle::omp {

std::atomic<bool> policies_named{false};

namespace {

// The setting TULLE_POLICY; null: nobody has asked yet.
std::atomic<sched::PolicyChoice*> standing{nullptr};

TULLE_COLD sched::PolicyChoice* resolve_standing() {
  os::KeepErrno keep;
  const GlobalIcv& icv = global_icv();
  const char* problem;
  sched::PolicyChoice* choice = sched::choose_policy(icv.policy.value, &problem);
  if (choice == nullptr) {
    static std::atomic<bool> reported{false};
    if (icv.warnings.value && !reported.exchange(true, std::memory_order_relaxed))
      os::report("TULLE_POLICY=\"%s\" cannot be used (%s); using \"%s\"", icv.policy.value, problem,
                 kStandardPolicy);
    choice = sched::choose_policy(kStandardPolicy, &problem);
  }
  standing.store(choice, std::memory_order_release);
  return choice;
}

sched::PolicyChoice* choice_for(const Thread* outer) {
  while (outer->team->parent != nullptr) outer = outer->team->parent;
  // Acquire: pairs with set_policy and resolve_standing.
  sched::PolicyChoice* choice = outer->team->chosen.load(std::memory_order_acquire);
  if (choice == nullptr) choice = standing.load(std::memory_order_acquire);
  return choice != nullptr ? choice : resolve_standing();
}

}  // namespace

sched::PolicyChoice* policy_for(const Thread* outer, uint32_t n) {
  if (n < 2 || outer->task()->icv->bind != ProcBind::off || sched::crew_of(outer->worker) != nullptr) return nullptr;
  sched::PolicyChoice* choice = choice_for(outer);
  if (choice->policy == nullptr) return nullptr;
  int pool = sched::start_pool();
  if (!sched::ready_to_place(pool)) return nullptr;
  bool outermost = outer->team->active_level == 0;
  return outermost && n == static_cast<uint32_t>(pool) + 1 ? nullptr : choice;
}

bool make_parts(Team* team, uint32_t n) {
  if (n - 1 <= team->parts_made) return true;
  auto* parts = static_cast<sched::PlacedThread*>(malloc((n - 1) * sizeof(sched::PlacedThread)));
  if (parts == nullptr) return false;
  for (uint32_t i = 0; i < n - 1; ++i) (new (&parts[i]) sched::PlacedThread)->number = i + 1;
  free(team->bubble.parts);  // between two regions nobody knows them
  team->bubble.parts = parts;
  team->parts_made = n - 1;
  return true;
}

bool set_policy(Thread* thread, const char* name) {
  if (thread->team->parent != nullptr) return false;
  const char* problem;
  sched::PolicyChoice* choice = nullptr;
  if (name != nullptr && (choice = sched::choose_policy(name, &problem)) == nullptr) {
    if (strchr(name, '/') != nullptr) os::report("tulle_set_policy(\"%s\"): %s", name, problem);
    return false;
  }
  thread->team->chosen.store(choice, std::memory_order_release);
  policies_named.store(true, std::memory_order_relaxed);  // read by this thread's regions first
  if (thread->inner != nullptr) thread->inner->meets_at = MeetAt::anew;
  return true;
}

}  // namespace tulle::omp
