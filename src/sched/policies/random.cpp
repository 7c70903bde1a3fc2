// SPDX-License-Identifier: Apache-2.0
// The baseline that Broquedis et al. compare with: a team stays with the thread that encountered it, and
// an idle worker takes the oldest thread of a victim drawn at random. Where the victim has none, the
// leaves after it are asked in turn, so that nothing waits while a worker idles.
#include "sched/policies/policies.h"
#include "sched/policies/tree.h"

namespace tulle::sched {
namespace {

tulle_runqueue* stay(tulle_host*, tulle_entity*, tulle_runqueue* from) { return from; }

int idle(tulle_host* host, tulle_runqueue* leaf) {
  uint32_t leaves = host->workers(host, host->root(host));
  return steal_from(host, host->random(host, leaves), leaf);
}

}  // namespace

const tulle_policy kRandomPolicy = {.version = TULLE_POLICY_VERSION,
                                    .name = "random",
                                    .distribute = nullptr,
                                    .idle = idle,
                                    .met = nullptr,
                                    .tick = nullptr,
                                    .ended = nullptr,
                                    .scope = stay};

}  // namespace tulle::sched
