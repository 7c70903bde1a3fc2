// SPDX-License-Identifier: Apache-2.0
// Finds a policy by its name.
#include "sched/policies/policies.h"

#include <string.h>

namespace tulle::sched {

const tulle_policy* policy_by_name(const char* name) {
  for (const tulle_policy* policy : kPolicies)
    if (strcmp(policy->name, name) == 0) return policy;
  return nullptr;
}

}  // namespace tulle::sched
