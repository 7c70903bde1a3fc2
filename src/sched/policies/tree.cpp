// SPDX-License-Identifier: Apache-2.0
#include "sched/policies/tree.h"

namespace tulle::sched {
namespace {

// The work that waits in a part of the machine.
struct Found {
  tulle_entity* heaviest = nullptr;
  double weight = 0;
  uint32_t count = 0;
};

void look_below(tulle_host* host, tulle_runqueue* queue, Weight weight, Found* found) {
  if (host->load_below(host, queue) <= 0) return;
  for (tulle_entity* entity = host->first_in(host, queue); entity != nullptr;
       entity = host->next_in(host, entity)) {
    if (!waits(host, entity)) continue;
    double own = weight(host, entity);
    if (found->count++ == 0 || own > found->weight) {
      found->heaviest = entity;
      found->weight = own;
    }
  }
  uint32_t children = host->children(host, queue);
  for (uint32_t i = 0; i < children; ++i)
    look_below(host, host->child(host, queue, i), weight, found);
}

uint32_t position(tulle_host* host, tulle_runqueue* parent, tulle_runqueue* child) {
  uint32_t i = 0;
  while (host->child(host, parent, i) != child) ++i;
  return i;
}

// Of a closed bubble, or null: the heaviest of several parts, however deep the first fork is.
tulle_entity* heaviest_part(tulle_host* host, tulle_entity* bubble, Weight weight) {
  for (;;) {
    Found found;
    for (tulle_entity* part = host->first_part(host, bubble); part != nullptr;
         part = host->next_part(host, part)) {
      if (!stands_inside(host, part)) continue;
      double own = weight(host, part);
      if (found.count++ == 0 || own > found.weight) {
        found.heaviest = part;
        found.weight = own;
      }
    }
    if (found.count != 1 || !host->is_bubble(host, found.heaviest)) return found.heaviest;
    bubble = found.heaviest;
  }
}

bool steal_oldest(tulle_host* host, tulle_runqueue* queue, tulle_runqueue* leaf) {
  tulle_entity* entity = host->first_in(host, queue);
  while (entity != nullptr && !waits(host, entity)) entity = host->next_in(host, entity);
  while (entity != nullptr && host->is_bubble(host, entity)) {
    entity = host->first_part(host, entity);
    while (entity != nullptr && !stands_inside(host, entity))
      entity = host->next_part(host, entity);
  }
  if (entity == nullptr) return false;
  host->move(host, entity, leaf);
  return true;
}

// From the leaves `from` to `to` below `queue`, whose first leaf is `first`, and from above them.
bool steal_between(tulle_host* host, tulle_runqueue* queue, uint32_t first, uint32_t from,
                   uint32_t to, tulle_runqueue* leaf) {
  if (first + host->workers(host, queue) <= from || first >= to) return false;
  if (host->load_below(host, queue) <= 0) return false;
  uint32_t children = host->children(host, queue);
  for (uint32_t i = 0; i < children; ++i) {
    tulle_runqueue* child = host->child(host, queue, i);
    if (steal_between(host, child, first, from, to, leaf)) return true;
    first += host->workers(host, child);
  }
  return steal_oldest(host, queue, leaf);
}

}  // namespace

uint32_t idle_workers(tulle_host* host, tulle_runqueue* queue, uint32_t enough) {
  if (host->load_below(host, queue) <= 0) return host->workers(host, queue);
  uint32_t children = host->children(host, queue);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < children && sum < enough; ++i)
    sum += idle_workers(host, host->child(host, queue, i), enough - sum);
  return sum;
}

tulle_runqueue* room_around(tulle_host* host, tulle_runqueue* from, uint32_t threads) {
  for (tulle_runqueue* queue = from; queue != nullptr; queue = host->parent(host, queue)) {
    if (host->level(host, queue) >= TULLE_LEVEL_CORE || host->workers(host, queue) < threads)
      continue;
    if (idle_workers(host, queue, threads) >= threads) return queue;
  }
  return nullptr;
}

tulle_runqueue* room_of_inner(tulle_host* host, tulle_entity* bubble, tulle_runqueue* from) {
  if (host->bubble(host, bubble) == nullptr) return nullptr;
  tulle_runqueue* room = room_around(host, from, host->threads(host, bubble));
  return room != nullptr ? room : from;
}

tulle_runqueue* child_towards(tulle_host* host, tulle_runqueue* queue, tulle_runqueue* below) {
  while (below != nullptr) {
    tulle_runqueue* parent = host->parent(host, below);
    if (parent == queue) return below;
    below = parent;
  }
  return nullptr;
}

uint32_t leaf_index(tulle_host* host, tulle_runqueue* leaf) {
  uint32_t index = 0;
  tulle_runqueue* queue = leaf;
  while (tulle_runqueue* parent = host->parent(host, queue)) {
    for (uint32_t i = position(host, parent, queue); i-- > 0;)
      index += host->workers(host, host->child(host, parent, i));
    queue = parent;
  }
  return index;
}

tulle_runqueue* leaf_at(tulle_host* host, uint32_t index) {
  tulle_runqueue* queue = host->root(host);
  while (host->children(host, queue) > 0) {
    uint32_t i = 0;
    tulle_runqueue* child = host->child(host, queue, 0);
    while (index >= host->workers(host, child)) {
      index -= host->workers(host, child);
      child = host->child(host, queue, ++i);
    }
    queue = child;
  }
  return queue;
}

bool steal_from(tulle_host* host, uint32_t victim, tulle_runqueue* leaf) {
  tulle_runqueue* root = host->root(host);
  return steal_between(host, root, 0, victim, host->workers(host, root), leaf) ||
         steal_between(host, root, 0, 0, victim, leaf);
}

bool steal_nearest(tulle_host* host, tulle_runqueue* leaf, Weight weight) {
  tulle_runqueue* queue = leaf;
  while (tulle_runqueue* parent = host->parent(host, queue)) {
    Found found;
    uint32_t children = host->children(host, parent);
    uint32_t own = position(host, parent, queue);
    for (uint32_t i = 1; i < children; ++i)
      look_below(host, host->child(host, parent, (own + i) % children), weight, &found);
    if (found.count > 0) {
      tulle_entity* taken = found.heaviest;
      if (found.count == 1 && host->is_bubble(host, taken))
        taken = heaviest_part(host, taken, weight);
      if (taken != nullptr) {
        host->move(host, taken, leaf);
        return true;
      }
    }
    queue = parent;
  }
  return false;
}

}  // namespace tulle::sched
