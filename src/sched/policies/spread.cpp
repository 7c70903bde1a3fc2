// SPDX-License-Identifier: Apache-2.0
// The bubble spread of Thibault et al., IWOMP 2007, section 3.3: entities are sorted by load, each goes
// to the least loaded child runqueue, biggest first, and the same again below each child. A bubble that
// is much bigger than a child's share is exploded first: more than `parameter` times (1.5).
// The paper distributes whole hierarchies; a nested team that comes later goes to idle workers around
// the thread that encountered it, and stays with that thread where there are too few.
#include <algorithm>

#include "sched/policies/items.h"
#include "sched/policies/policies.h"
#include "sched/policies/tree.h"

namespace tulle::sched {
namespace {

constexpr double kThreshold = 1.5;

struct Spread {
  tulle_host* host;
  tulle_runqueue* home;  // of what is spread: preferred among the equally loaded
  double threshold;

  void over(tulle_runqueue* queue, Items& items) const;
  void explode_big(tulle_runqueue* queue, Items& items) const;
  uint32_t least_loaded(tulle_runqueue* queue, double added) const;
};

void Spread::explode_big(tulle_runqueue* queue, Items& items) const {
  uint32_t children = host->children(host, queue);
  double load = 0;
  uint32_t largest = 0;
  for (uint32_t i = 0; i < children; ++i) {
    tulle_runqueue* child = host->child(host, queue, i);
    load += host->load_below(host, child);
    largest = std::max(largest, host->workers(host, child));
  }
  for (const Item& item : items) load += item.load;
  double limit = threshold * load / host->workers(host, queue) * largest;
  for (uint32_t i = 0; i < items.size();) {
    if (items[i].is_bubble && items[i].load > limit)
      items.explode(i);
    else
      ++i;
  }
}

uint32_t Spread::least_loaded(tulle_runqueue* queue, double added) const {
  uint32_t children = host->children(host, queue);
  tulle_runqueue* preferred = child_towards(host, queue, home);
  uint32_t best = 0;
  double least = 0;
  for (uint32_t i = 0; i < children; ++i) {
    tulle_runqueue* child = host->child(host, queue, i);
    double load = (host->load_below(host, child) + added) / host->workers(host, child);
    if (i == 0 || load < least || (load == least && child == preferred)) {
      best = i;
      least = load;
    }
  }
  return best;
}

void Spread::over(tulle_runqueue* queue, Items& items) const {
  uint32_t children = host->children(host, queue);
  if (children == 0) return;
  explode_big(queue, items);
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return a.load != b.load ? a.load > b.load : a.order < b.order;
  });
  for (Item& item : items) {
    item.child = least_loaded(queue, item.load);
    host->move(host, item.entity, host->child(host, queue, item.child));
  }
  items.for_each_child([&](uint32_t child, Items& below) {
    over(host->child(host, queue, child), below);
  });
}

void distribute(tulle_host* host, tulle_entity* bubble, tulle_runqueue* from) {
  tulle_runqueue* where = host->root(host);
  if (host->bubble(host, bubble) != nullptr) {
    where = room_around(host, from, host->threads(host, bubble));
    if (where == nullptr) return;
  }
  host->move(host, bubble, where);
  Items items(host);
  items.append(bubble);
  Spread{host, from, host->parameter(host, kThreshold)}.over(where, items);
}

int idle(tulle_host* host, tulle_runqueue* leaf) { return steal_nearest(host, leaf, host->load); }

}  // namespace

const tulle_policy kSpreadPolicy = {.version = TULLE_POLICY_VERSION,
                                    .name = "spread",
                                    .distribute = distribute,
                                    .idle = idle,
                                    .met = nullptr,
                                    .tick = nullptr,
                                    .ended = nullptr,
                                    .scope = room_of_inner};

}  // namespace tulle::sched
