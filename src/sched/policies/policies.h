// SPDX-License-Identifier: Apache-2.0
// The policies that come with the runtime. Each is a constant table of hooks (tulle/policy.h) in a
// file of its own and keeps no state: what it knows it asks the host. So the same code runs on this
// machine's workers and in the simulator. The host calls one hook at a time.
#pragma once

#include "tulle/policy.h"

namespace tulle::sched {

extern const tulle_policy kSpreadPolicy;    // Thibault et al., IWOMP 2007
extern const tulle_policy kAffinityPolicy;  // Broquedis et al.
extern const tulle_policy kScatterPolicy;   // round robin over the leaves, as GLTO
extern const tulle_policy kSharedPolicy;    // one queue, as GLTO's GLT_SHARED_QUEUES
extern const tulle_policy kRandomPolicy;    // a random victim: the baseline

inline constexpr const tulle_policy* kPolicies[] = {&kSpreadPolicy, &kAffinityPolicy,
                                                    &kScatterPolicy, &kSharedPolicy,
                                                    &kRandomPolicy};
inline constexpr const char* kPolicyNames = "spread, affinity, scatter, shared, random";

// Null if there is none of that name; case counts.
const tulle_policy* policy_by_name(const char* name);

}  // namespace tulle::sched
