// SPDX-License-Identifier: Apache-2.0
#include "sched/policy_host.h"

#include <cstddef>
#include <new>

#include "base/contract.h"
#include "base/look.h"

namespace tulle::sched {

namespace {

Runqueue* queue_of(tulle_runqueue* queue) { return reinterpret_cast<Runqueue*>(queue); }
tulle_runqueue* handle(Runqueue* queue) { return reinterpret_cast<tulle_runqueue*>(queue); }
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
  return look(part->state) == PartState::waits && part->link.alone() && part->bubble->closed;
}

uint32_t threads_of(Placed* entity) {
  if (PlacedBubble* bubble = as_bubble(entity)) return bubble->inside;
  return look(as_thread(entity)->state) == PartState::waits ? 1 : 0;
}

// A runqueue that somebody looks at: a leaf without a worker passes on to the part around it.
Runqueue* served(Runqueue* queue) {
  while (!queue->served && queue->parent != nullptr) queue = queue->parent;
  return queue;
}

// The parts of `bubble` from number `first` of its threads on, then the bubbles in it if they are asked for.
Placed* part_from(PlacedBubble* bubble, uint32_t first, bool bubbles_too) {
  for (uint32_t i = first; i < bubble->count; ++i)
    if (look(bubble->parts[i].state) != PartState::ended) return &bubble->parts[i];
  return bubbles_too ? bubble->nested : nullptr;
}

void link_first(PlacedBubble*& list, PlacedBubble* bubble, PlacedBubble* PlacedBubble::*next,
                PlacedBubble** PlacedBubble::*at) {
  bubble->*next = list;
  set_looked_at(bubble->*at, &list);
  if (list != nullptr) set_looked_at(list->*at, &(bubble->*next));
  list = bubble;
}

void unlink(PlacedBubble* bubble, PlacedBubble* PlacedBubble::*next, PlacedBubble** PlacedBubble::*at) {
  if (bubble->*at == nullptr) return;
  *(bubble->*at) = bubble->*next;
  if (bubble->*next != nullptr) set_looked_at((bubble->*next)->*at, bubble->*at);
  bubble->*next = nullptr;
  set_looked_at(bubble->*at, nullptr);
}

constexpr auto kNextNested = &PlacedBubble::next_nested;
constexpr auto kNestedAt = &PlacedBubble::nested_at;
constexpr auto kNextLive = &PlacedBubble::next_live;
constexpr auto kLiveAt = &PlacedBubble::live_at;

// Loads below it are counted at it too. At parts of more workers all would write the same lines; who asks adds up there.
bool counts_below(const Runqueue* queue) {
  constexpr uint32_t kMostLeaves = 8;
  return queue->leaves <= kMostLeaves;
}

bool is_at_or_above(const Runqueue* queue, const Runqueue* other) {
  return other != nullptr && queue->covers(other->first_leaf) && other->leaves <= queue->leaves;
}

// Relaxed, as all counts here: hints to those without a lock, and who has the host's has waited for the others.
void add(std::atomic<uint32_t>& count, int threads) {
  count.fetch_add(static_cast<uint32_t>(threads), std::memory_order_relaxed);
}
// Nobody else changes it meanwhile.
void add_alone(std::atomic<uint32_t>& count, int threads) {
  count.store(count.load(std::memory_order_relaxed) + static_cast<uint32_t>(threads), std::memory_order_relaxed);
}

}  // namespace

struct PolicyHost::Calls {
  static PolicyHost& self(tulle_host* host) { return *static_cast<PolicyHost*>(host); }

  static tulle_runqueue* root(tulle_host* host) { return handle(self(host).root_); }
  static tulle_runqueue* parent(tulle_host* host, tulle_runqueue* queue) {
    return queue_of(queue) == self(host).root_ ? nullptr : handle(queue_of(queue)->parent);
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
  static tulle_entity* first_part(tulle_host* host, tulle_entity* entity) {
    PlacedBubble* bubble = as_bubble(placed(entity));
    return bubble == nullptr ? nullptr : handle(part_from(bubble, 0, self(host).whole_));
  }
  static tulle_entity* next_part(tulle_host* host, tulle_entity* entity) {
    if (PlacedBubble* nested = as_bubble(placed(entity))) return handle(nested->next_nested);
    PlacedThread* part = as_thread(placed(entity));
    return handle(part_from(part->bubble, static_cast<uint32_t>(part - part->bubble->parts) + 1, self(host).whole_));
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
  static double load_below(tulle_host*, tulle_runqueue* queue) {
    return load_of(queue_of(queue));
  }

  static void move(tulle_host* host, tulle_entity* entity, tulle_runqueue* queue) {
    if (entity == nullptr || queue == nullptr) return;
    Placed* moved = placed(entity);
    const uint32_t threads = threads_of(moved);
    if (threads == 0) return;  // nothing in it waits: there is nothing to move
    count(leave(moved, threads, !moved->is_bubble && is_inside(as_thread(moved))), -moved->load,
          -static_cast<int>(threads));
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
  root_ = tree == nullptr ? nullptr : tree->root();
}

PolicyHost::PolicyHost(const PolicyHost& whole, Runqueue* part, uint64_t seed)
    : tulle_host(whole), tree_(whole.tree_), root_(part), whole_(false), waiting_(whole.waiting_),
      random_state_(kGoldenRatio ^ seed) {}

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

// A load is there only while it is counted as one. Release: pairs with settle's loads.
void PolicyHost::add_load(Runqueue* queue, double load, int threads) {
  if (threads > 0) queue->loads_below.fetch_add(static_cast<uint32_t>(threads), std::memory_order_release);
  queue->load_below.fetch_add(load, std::memory_order_release);
  if (threads <= 0) queue->loads_below.fetch_add(static_cast<uint32_t>(threads), std::memory_order_release);
}

// `threads`: by how many the runqueue and those above it count more or fewer, up to one that is above `other` too.
void PolicyHost::count(Runqueue* queue, double load, int threads, const Runqueue* other) {
  if (queue != nullptr && !counts_below(queue)) return add_load(queue, load, threads);
  for (; queue != nullptr && counts_below(queue) && !is_at_or_above(queue, other); queue = queue->parent)
    add_load(queue, load, threads);
}

// 0 if and only if there is nothing.
double PolicyHost::load_of(const Runqueue* queue) {
  const bool empty = queue->loads_below.load(std::memory_order_relaxed) == 0;
  double load = empty ? 0 : queue->load_below.load(std::memory_order_relaxed);
  if (!counts_below(queue))
    for (const Runqueue* child : queue->children) load += load_of(child);
  return load;
}

// Sums of fractions drift: what is empty begins anew. Others may count meanwhile: one that does so is seen, but for a load
// of the same size that comes in the place of one that goes.
void PolicyHost::settle(Runqueue* queue) {
  for (; queue != nullptr; queue = queue->parent) {
    double drift = queue->load_below.load(std::memory_order_acquire);
    if (drift != 0 && queue->loads_below.load(std::memory_order_acquire) == 0)
      queue->load_below.compare_exchange_strong(drift, 0, std::memory_order_relaxed);
  }
}

void PolicyHost::stand(Placed* entity, Runqueue* queue) {
  queue = served(queue);
  uint32_t threads = threads_of(entity);
  entity->link.insert_before(&queue->standing);
  set_looked_at(entity->queue, queue);
  add_alone(queue->threads, static_cast<int>(threads));
  settle(queue);
  count(queue, entity->load, static_cast<int>(threads));
  if (queue->fresh) return;
  queue->fresh = true;
  queue->next_fresh = fresh_;
  fresh_ = queue;
}

// Out of the runqueue or the closed bubble in which it stands: where its load still counts.
Runqueue* PolicyHost::leave(Placed* entity, uint32_t threads, bool was_inside) {
  Runqueue* queue = entity->queue;
  if (was_inside) {
    PlacedBubble* bubble = entity->bubble;
    queue = bubble->queue;
    bubble->load = --bubble->inside == 0 ? 0 : bubble->load - entity->load;
    if (bubble->inside == 0) {
      bubble->closed = false;
      bubble->link.remove();
      set_looked_at(bubble->queue, nullptr);
    }
  }
  entity->link.remove();
  set_looked_at(entity->queue, nullptr);
  if (queue != nullptr) add_alone(queue->threads, -static_cast<int>(threads));
  return queue;
}

void PolicyHost::begin(PlacedBubble* bubble, PlacedBubble* around, Runqueue* from, bool counts_own) {
  enlist(bubble, around);
  prepare(bubble);
  begin_prepared(bubble, from, counts_own);
}

void PolicyHost::enlist(PlacedBubble* bubble, PlacedBubble* around) {
  bubble->bubble = around;
  bubble->nested = nullptr;
  link_first(live_, bubble, kNextLive, kLiveAt);
  if (around != nullptr && around->is_in_force())
    link_first(around->nested, bubble, kNextNested, kNestedAt);
}

void PolicyHost::prepare(PlacedBubble* bubble) {
  bubble->load = 0;
  bubble->inside = bubble->count;
  bubble->unfinished.store(bubble->count, std::memory_order_relaxed);  // nobody has heard of it
  bubble->closed = true;
  for (uint32_t i = 0; i < bubble->count; ++i) {
    PlacedThread& part = bubble->parts[i];
    part.bubble = bubble;
    set_looked_at(part.state, PartState::waits);
    part.runs_at = nullptr;
    bubble->load += part.load;
  }
}

void PolicyHost::begin_prepared(PlacedBubble* bubble, Runqueue* from, bool counts_own) {
  add(bubble->waiting, static_cast<int>(bubble->count));
  if (bubble->count != 0) add(waiting_, 1);
  bubble->own_leaf = counts_own ? from : nullptr;
  if (counts_own) count(from, bubble->own_load, 1);
  stand(bubble, from);
}

void PolicyHost::end(PlacedBubble* bubble) {
  TULLE_EXPECT(bubble->link.alone());
  while (bubble->nested != nullptr) unlink(bubble->nested, kNextNested, kNestedAt);
  unlink(bubble, kNextNested, kNestedAt);
  bubble->bubble = nullptr;  // teams within the next region may ask, which no policy places
  if (!bubble->is_in_force()) return;  // it was forgotten
  unlink(bubble, kNextLive, kLiveAt);
  if (bubble->own_leaf != nullptr) count(bubble->own_leaf, -bubble->own_load, -1);
  bubble->own_leaf = nullptr;
}

Runqueue* PolicyHost::stands_in(const PlacedThread* part) {
  Runqueue* queue = look(part->queue);
  return queue != nullptr ? queue : look(part->bubble->queue);
}

bool PolicyHost::take(PlacedThread* part, Runqueue* leaf) const {
  TULLE_EXPECT(look(part->state) == PartState::waits);
  const bool was_inside = is_inside(part);
  set_looked_at(part->state, PartState::runs);  // before it stands nowhere
  Runqueue* stood_in = leave(part, 1, was_inside);
  const bool live = part->bubble->is_in_force();
  const bool last = part->bubble->waiting.fetch_sub(1, std::memory_order_relaxed) == 1 && live;
  if (last) add(waiting_, -1);
  part->runs_at = live ? leaf : nullptr;
  // It counts as before where both are below.
  count(stood_in, -part->load, -1, part->runs_at);
  count(part->runs_at, part->load, 1, stood_in);
  return last;
}

bool PolicyHost::finish(PlacedThread* part) {
  set_looked_at(part->state, PartState::ended);
  if (part->runs_at != nullptr) count(part->runs_at, -part->load, -1);
  part->runs_at = nullptr;
  return part->bubble->unfinished.fetch_sub(1, std::memory_order_relaxed) == 1;
}

// Where it stood its parts stand now, in its place in the order.
void PolicyHost::open(PlacedBubble* bubble) {
  if (!bubble->closed || bubble->queue == nullptr) return;
  for (uint32_t i = 0; i < bubble->count; ++i) {
    PlacedThread& part = bubble->parts[i];
    if (!is_inside(&part)) continue;
    part.link.insert_before(&bubble->link);
    set_looked_at(part.queue, bubble->queue);
  }
  bubble->link.remove();
  set_looked_at(bubble->queue, nullptr);
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
    if (look(part.state) != PartState::waits) continue;
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
  waiting_.store(0, std::memory_order_relaxed);  // relaxed: nobody else is there
  if (tree_ == nullptr) return;
  for (Runqueue* queue : tree_->queues()) {
    new (&queue->standing) Link;
    queue->threads.store(0, std::memory_order_relaxed);
    queue->load_below.store(0, std::memory_order_relaxed);
    queue->loads_below.store(0, std::memory_order_relaxed);
    queue->fresh = false;
  }
}

Placed* PolicyHost::first_standing(Runqueue* queue) {
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

Runqueue* PolicyHost::take_fresh() {
  Runqueue* list = fresh_;
  fresh_ = nullptr;
  for (Runqueue* queue = list; queue != nullptr; queue = queue->next_fresh) queue->fresh = false;
  return list;
}

}  // namespace tulle::sched
