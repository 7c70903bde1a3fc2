// SPDX-License-Identifier: Apache-2.0
// The baseline that Broquedis et al. compare with: a team stays with the thread that encountered it, and
// an idle worker takes the oldest thread of a victim drawn at random. Where the victim has none, the
// leaves after it are asked in turn, so that nothing waits while a worker idles.
#include "sched/policies/policies.h"
#include "sched/policies/tree.h"

namespace tulle::sched {
namespace {

int idle(tulle_host* host, tulle_runqueue* leaf) {
  uint32_t leaves = host->workers(host, host->root(host));
  uint32_t victim = host->random(host, leaves);
  for (uint32_t i = 0; i < leaves; ++i)
    for (tulle_runqueue* queue = leaf_at(host, (victim + i) % leaves); queue != nullptr;
         queue = host->parent(host, queue))
      if (steal_oldest(host, queue, leaf)) return 1;
  return 0;
}

}  // namespace

const tulle_policy kRandomPolicy = {.version = TULLE_POLICY_VERSION,
                                    .name = "random",
                                    .distribute = nullptr,
                                    .idle = idle,
                                    .met = nullptr,
                                    .tick = nullptr,
                                    .ended = nullptr};

}  // namespace tulle::sched
