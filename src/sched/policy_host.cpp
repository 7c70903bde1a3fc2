// SPDX-License-Identifier: Apache-2.0
#include "sched/policy_host.h"

#include <cstddef>
#include <new>

#include "base/contract.h"

namespace tulle::sched {

namespace {

TreeQueue* queue_of(tulle_runqueue* queue) { return reinterpret_cast<TreeQueue*>(queue); }
tulle_runqueue* handle(TreeQueue* queue) { return reinterpret_cast<tulle_runqueue*>(queue); }
Placed* placed(tulle_entity* entity) { return reinterpret_cast<Placed*>(entity); }
tulle_entity* handle(Placed* entity) { return reinterpret_cast<tulle_entity*>(entity); }

PlacedBubble* as_bubble(Placed* entity) {
  return entity->is_bubble ? static_cast<PlacedBubble*>(entity) : nullptr;
}
PlacedThread* as_thread(Placed* entity) {
  return entity->is_bubble ? nullptr : static_cast<PlacedThread*>(entity);
}

Placed* at(Link* link) {
  static_assert(offsetof(Placed, link) == 0);
  return reinterpret_cast<Placed*>(link);
}

bool is_inside(const PlacedThread* part) {
  return part->state == PartState::waits && part->link.alone() && part->bubble->closed;
}

uint32_t threads_of(Placed* entity) {
  if (PlacedBubble* bubble = as_bubble(entity)) return bubble->inside;
  return as_thread(entity)->state == PartState::waits ? 1 : 0;
}

// A runqueue that somebody looks at: a leaf without a worker passes on to the part around it.
TreeQueue* served(TreeQueue* queue) {
  while (!queue->served && queue->parent != nullptr) queue = queue->parent;
  return queue;
}

// The parts of `bubble` from number `first` of its threads on, then the bubbles in it.
Placed* part_from(PlacedBubble* bubble, uint32_t first) {
  for (uint32_t i = first; i < bubble->count; ++i)
    if (bubble->parts[i].state != PartState::ended) return &bubble->parts[i];
  return bubble->nested;
}

void link_first(PlacedBubble*& list, PlacedBubble* bubble, PlacedBubble* PlacedBubble::*next,
                PlacedBubble** PlacedBubble::*at) {
  bubble->*next = list;
  bubble->*at = &list;
  if (list != nullptr) list->*at = &(bubble->*next);
  list = bubble;
}

void unlink(PlacedBubble* bubble, PlacedBubble* PlacedBubble::*next, PlacedBubble** PlacedBubble::*at) {
  if (bubble->*at == nullptr) return;
  *(bubble->*at) = bubble->*next;
  if (bubble->*next != nullptr) (bubble->*next)->*at = bubble->*at;
  bubble->*next = nullptr;
  bubble->*at = nullptr;
}

constexpr auto kNextNested = &PlacedBubble::next_nested;
constexpr auto kNestedAt = &PlacedBubble::nested_at;
constexpr auto kNextLive = &PlacedBubble::next_live;
constexpr auto kLiveAt = &PlacedBubble::live_at;

void add_waiting(PlacedBubble* bubble, int threads) {
  // Relaxed: written under the host's lock; the encountering thread looks again under it.
  bubble->waiting.store(bubble->waiting.load(std::memory_order_relaxed) + static_cast<uint32_t>(threads),
                        std::memory_order_relaxed);
}

}  // namespace

struct PolicyHost::Calls {
  static PolicyHost& self(tulle_host* host) { return *static_cast<PolicyHost*>(host); }

  static tulle_runqueue* root(tulle_host* host) { return handle(self(host).tree_->root()); }
  static tulle_runqueue* parent(tulle_host*, tulle_runqueue* queue) {
    return handle(queue_of(queue)->parent);
  }
  static uint32_t children(tulle_host*, tulle_runqueue* queue) {
    return static_cast<uint32_t>(queue_of(queue)->children.size());
  }
  static tulle_runqueue* child(tulle_host*, tulle_runqueue* queue, uint32_t index) {
    auto children = queue_of(queue)->children;
    return index < children.size() ? handle(children[index]) : nullptr;
  }
  static uint32_t workers(tulle_host*, tulle_runqueue* queue) { return queue_of(queue)->leaves; }
  static tulle_level level(tulle_host*, tulle_runqueue* queue) { return queue_of(queue)->level; }

  static int is_bubble(tulle_host*, tulle_entity* entity) { return placed(entity)->is_bubble; }
  static uint32_t threads(tulle_host*, tulle_entity* entity) { return threads_of(placed(entity)); }
  static double load(tulle_host*, tulle_entity* entity) { return placed(entity)->load; }
  static tulle_entity* bubble(tulle_host*, tulle_entity* entity) {
    return handle(placed(entity)->bubble);
  }
  static tulle_entity* first_part(tulle_host*, tulle_entity* entity) {
    PlacedBubble* bubble = as_bubble(placed(entity));
    return bubble == nullptr ? nullptr : handle(part_from(bubble, 0));
  }
  static tulle_entity* next_part(tulle_host*, tulle_entity* entity) {
    if (PlacedBubble* nested = as_bubble(placed(entity))) return handle(nested->next_nested);
    PlacedThread* part = as_thread(placed(entity));
    return handle(part_from(part->bubble, static_cast<uint32_t>(part - part->bubble->parts) + 1));
  }
  static tulle_runqueue* where(tulle_host*, tulle_entity* entity) {
    return handle(placed(entity)->queue);
  }

  static tulle_entity* first_in(tulle_host*, tulle_runqueue* queue) {
    return handle(first_standing(queue_of(queue)));
  }
  static tulle_entity* next_in(tulle_host* host, tulle_entity* entity) {
    return handle(self(host).next_standing(placed(entity)));
  }
  static double load_below(tulle_host*, tulle_runqueue* queue) { return queue_of(queue)->load_below; }

  static void move(tulle_host* host, tulle_entity* entity, tulle_runqueue* queue) {
    if (entity == nullptr || queue == nullptr) return;
    Placed* moved = placed(entity);
    if (threads_of(moved) == 0) return;  // nothing in it waits: there is nothing to move
    self(host).leave(moved);
    self(host).stand(moved, queue_of(queue));
  }
  static void explode(tulle_host* host, tulle_entity* entity) {
    if (entity == nullptr) return;
    if (PlacedBubble* bubble = as_bubble(placed(entity))) self(host).open(bubble);
  }
  static uint32_t random(tulle_host* host, uint32_t bound) { return self(host).draw(bound); }
  static double parameter(tulle_host* host, double otherwise) {
    return self(host).parameter_given_ ? self(host).parameter_ : otherwise;
  }
};

void PolicyHost::use_tree(QueueTree* tree) {
  static_cast<tulle_host&>(*this) = {.root = Calls::root,
                                     .parent = Calls::parent,
                                     .children = Calls::children,
                                     .child = Calls::child,
                                     .workers = Calls::workers,
                                     .is_bubble = Calls::is_bubble,
                                     .threads = Calls::threads,
                                     .load = Calls::load,
                                     .bubble = Calls::bubble,
                                     .first_part = Calls::first_part,
                                     .next_part = Calls::next_part,
                                     .where = Calls::where,
                                     .first_in = Calls::first_in,
                                     .next_in = Calls::next_in,
                                     .load_below = Calls::load_below,
                                     .move = Calls::move,
                                     .explode = Calls::explode,
                                     .random = Calls::random,
                                     .parameter = Calls::parameter,
                                     .level = Calls::level};
  tree_ = tree;
}

void PolicyHost::set_parameter(bool given, double value) {
  parameter_given_ = given;
  parameter_ = value;
}

uint32_t PolicyHost::draw(uint32_t bound) {
  random_state_ ^= random_state_ << 13;
  random_state_ ^= random_state_ >> 7;
  random_state_ ^= random_state_ << 17;
  return bound == 0 ? 0 : static_cast<uint32_t>((random_state_ >> 32) * bound >> 32);
}

// `threads`: by how many the runqueue and those above it count more or fewer.
void PolicyHost::count(TreeQueue* queue, double load, int threads) {
  for (; queue != nullptr; queue = queue->parent) {
    queue->loads_below += static_cast<uint32_t>(threads);
    // Sums of fractions drift: what is empty is exactly empty.
    queue->load_below = queue->loads_below == 0 ? 0 : queue->load_below + load;
  }
}

void PolicyHost::stand(Placed* entity, TreeQueue* queue) {
  queue = served(queue);
  uint32_t threads = threads_of(entity);
  entity->link.insert_before(&queue->standing);
  entity->queue = queue;
  // Relaxed: written under the owner's lock; a hint to others.
  queue->threads.store(queue->threads.load(std::memory_order_relaxed) + threads,
                       std::memory_order_relaxed);
  count(queue, entity->load, static_cast<int>(threads));
  if (queue->fresh) return;
  queue->fresh = true;
  queue->next_fresh = fresh_;
  fresh_ = queue;
}

// Out of the runqueue or the closed bubble in which it stands.
void PolicyHost::leave(Placed* entity) {
  uint32_t threads = threads_of(entity);
  TreeQueue* queue = entity->queue;
  if (PlacedThread* part = as_thread(entity); part != nullptr && is_inside(part)) {
    PlacedBubble* bubble = part->bubble;
    queue = bubble->queue;
    bubble->load = --bubble->inside == 0 ? 0 : bubble->load - part->load;
    if (bubble->inside == 0) {
      bubble->closed = false;
      bubble->link.remove();
      bubble->queue = nullptr;
    }
  }
  entity->link.remove();
  entity->queue = nullptr;
  if (queue == nullptr) return;
  queue->threads.store(queue->threads.load(std::memory_order_relaxed) - threads,
                       std::memory_order_relaxed);
  count(queue, -entity->load, -static_cast<int>(threads));
}

void PolicyHost::begin(PlacedBubble* bubble, PlacedBubble* around, TreeQueue* from, bool counts_own) {
  bubble->bubble = around;
  bubble->load = 0;
  bubble->inside = bubble->unfinished = bubble->count;
  bubble->closed = true;
  bubble->nested = nullptr;
  for (uint32_t i = 0; i < bubble->count; ++i) {
    PlacedThread& part = bubble->parts[i];
    part.bubble = bubble;
    part.state = PartState::waits;
    part.runs_at = nullptr;
    bubble->load += part.load;
  }
  add_waiting(bubble, static_cast<int>(bubble->count));
  waiting_ += bubble->count;
  link_first(live_, bubble, kNextLive, kLiveAt);
  if (around != nullptr && around->live_at != nullptr)
    link_first(around->nested, bubble, kNextNested, kNestedAt);
  bubble->own_leaf = counts_own ? from : nullptr;
  if (counts_own) count(from, bubble->own_load, 1);
  stand(bubble, from);
}

void PolicyHost::end(PlacedBubble* bubble) {
  TULLE_EXPECT(bubble->link.alone());
  while (bubble->nested != nullptr) unlink(bubble->nested, kNextNested, kNestedAt);
  unlink(bubble, kNextNested, kNestedAt);
  if (bubble->live_at == nullptr) return;  // it was forgotten
  unlink(bubble, kNextLive, kLiveAt);
  if (bubble->own_leaf != nullptr) count(bubble->own_leaf, -bubble->own_load, -1);
  bubble->own_leaf = nullptr;
}

void PolicyHost::take(PlacedThread* part, TreeQueue* leaf) {
  TULLE_EXPECT(part->state == PartState::waits);
  leave(part);
  part->state = PartState::runs;
  add_waiting(part->bubble, -1);
  if (part->bubble->live_at == nullptr) return;
  --waiting_;
  part->runs_at = leaf;
  if (leaf != nullptr) count(leaf, part->load, 1);
}

bool PolicyHost::finish(PlacedThread* part) {
  part->state = PartState::ended;
  if (part->runs_at != nullptr) count(part->runs_at, -part->load, -1);
  part->runs_at = nullptr;
  return --part->bubble->unfinished == 0;
}

// Where it stood its parts stand now, in its place in the order.
void PolicyHost::open(PlacedBubble* bubble) {
  if (!bubble->closed || bubble->queue == nullptr) return;
  for (uint32_t i = 0; i < bubble->count; ++i) {
    PlacedThread& part = bubble->parts[i];
    if (!is_inside(&part)) continue;
    part.link.insert_before(&bubble->link);
    part.queue = bubble->queue;
  }
  bubble->link.remove();
  bubble->queue = nullptr;
  bubble->closed = false;
  bubble->inside = 0;
  bubble->load = 0;
}

void PolicyHost::forget_places(PlacedBubble* bubble) {
  bubble->inside = 0;
  bubble->load = 0;
  for (uint32_t i = 0; i < bubble->count; ++i) {
    PlacedThread& part = bubble->parts[i];
    new (&part.link) Link;
    part.queue = part.runs_at = nullptr;
    if (part.state != PartState::waits) continue;
    ++bubble->inside;
    bubble->load += part.load;
  }
  bubble->closed = bubble->inside != 0;
  new (&bubble->link) Link;
  bubble->queue = bubble->own_leaf = nullptr;
  bubble->nested = bubble->next_nested = bubble->next_live = nullptr;
  bubble->nested_at = bubble->live_at = nullptr;
}

void PolicyHost::clear() {
  fresh_ = nullptr;
  live_ = nullptr;
  waiting_ = 0;
  if (tree_ == nullptr) return;
  for (TreeQueue& queue : tree_->queues()) {
    new (&queue.standing) Link;
    queue.threads.store(0, std::memory_order_relaxed);  // relaxed: nobody else is there
    queue.load_below = 0;
    queue.loads_below = 0;
    queue.fresh = false;
  }
}

Placed* PolicyHost::first_standing(TreeQueue* queue) {
  return queue->standing.alone() ? nullptr : at(queue->standing.next);
}

Placed* PolicyHost::next_standing(Placed* entity) const {
  if (entity->queue == nullptr || entity->link.next == &entity->queue->standing) return nullptr;
  return at(entity->link.next);
}

PlacedThread* PolicyHost::first_thread(Placed* entity) {
  if (PlacedThread* part = as_thread(entity)) return part;
  PlacedBubble* bubble = as_bubble(entity);
  for (uint32_t i = 0; i < bubble->count; ++i)
    if (is_inside(&bubble->parts[i])) return &bubble->parts[i];
  return nullptr;
}

TreeQueue* PolicyHost::take_fresh() {
  TreeQueue* list = fresh_;
  fresh_ = nullptr;
  for (TreeQueue* queue = list; queue != nullptr; queue = queue->next_fresh) queue->fresh = false;
  return list;
}

}  // namespace tulle::sched
