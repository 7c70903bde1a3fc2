// SPDX-License-Identifier: Apache-2.0
// GLTO's way (Castelló et al.): the threads of an outermost team go round robin over the leaves, from
// the one after the encountering worker's; those of a nested team stay with the thread that
// encountered it. `parameter` is the number of nesting levels that are scattered (1). A worker that is
// idle takes the oldest thread of the next leaf, in the same order, that has one.
#include "sched/policies/items.h"
#include "sched/policies/policies.h"
#include "sched/policies/tree.h"

namespace tulle::sched {
namespace {

int levels_above(tulle_host* host, tulle_entity* bubble) {
  int levels = 0;
  while ((bubble = host->bubble(host, bubble)) != nullptr) ++levels;
  return levels;
}

void distribute(tulle_host* host, tulle_entity* bubble, tulle_runqueue* from) {
  if (levels_above(host, bubble) >= host->parameter(host, 1)) return;
  uint32_t leaves = host->workers(host, host->root(host));
  uint32_t leaf = leaf_index(host, from);
  Items items(host);
  items.append(bubble);
  for (uint32_t i = 0; i < items.size();) {
    if (items[i].is_bubble) {
      items.explode(i);
      continue;
    }
    leaf = (leaf + 1) % leaves;
    host->move(host, items[i++].entity, leaf_at(host, leaf));
  }
}

int idle(tulle_host* host, tulle_runqueue* leaf) {
  return steal_from(host, leaf_index(host, leaf) + 1, leaf);
}

}  // namespace

const tulle_policy kScatterPolicy = {.version = TULLE_POLICY_VERSION,
                                     .name = "scatter",
                                     .distribute = distribute,
                                     .idle = idle,
                                     .met = nullptr,
                                     .tick = nullptr,
                                     .ended = nullptr,
                                     .scope = nullptr};

}  // namespace tulle::sched
