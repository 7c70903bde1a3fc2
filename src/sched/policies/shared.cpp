// SPDX-License-Identifier: Apache-2.0
// One runqueue for all workers, the root's, as with GLT_SHARED_QUEUES of GLTO (Castelló et al.): never
// out of balance, and blind to the machine.
#include "sched/policies/policies.h"

namespace tulle::sched {
namespace {

void distribute(tulle_host* host, tulle_entity* bubble, tulle_runqueue*) {
  host->move(host, bubble, host->root(host));
}

}  // namespace

const tulle_policy kSharedPolicy = {.version = TULLE_POLICY_VERSION,
                                    .name = "shared",
                                    .distribute = distribute,
                                    .idle = nullptr,
                                    .met = nullptr,
                                    .tick = nullptr,
                                    .ended = nullptr,
                                    .scope = nullptr};

}  // namespace tulle::sched
