// SPDX-License-Identifier: Apache-2.0
#include "simulator/machine.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"

namespace tulle::simulator {
namespace {

using State = tulle_entity::State;

Machine& machine(tulle_host* host) { return *static_cast<Machine*>(host); }

tulle_level level_of(topology::Kind kind) { return static_cast<tulle_level>(kind); }
static_assert(static_cast<int>(topology::Kind::machine) == TULLE_LEVEL_MACHINE);
static_assert(static_cast<int>(topology::Kind::numa) == TULLE_LEVEL_NUMA);
static_assert(static_cast<int>(topology::Kind::package) == TULLE_LEVEL_PACKAGE);
static_assert(static_cast<int>(topology::Kind::last_cache) == TULLE_LEVEL_LAST_CACHE);
static_assert(static_cast<int>(topology::Kind::cache) == TULLE_LEVEL_CACHE);
static_assert(static_cast<int>(topology::Kind::core) == TULLE_LEVEL_CORE);
static_assert(static_cast<int>(topology::Kind::cpu) == TULLE_LEVEL_CPU);

int memory_of(const topology::Tree& tree, int leaf) {
  int node = tree.ancestor(leaf, topology::Kind::numa);
  if (node < 0) node = tree.ancestor(leaf, topology::Kind::package);
  return node < 0 ? 0 : tree[node].number;
}

tulle_entity* unended_from(std::vector<tulle_entity*>::const_iterator at,
                           std::vector<tulle_entity*>::const_iterator end) {
  at = std::find_if(at, end, [](const tulle_entity* part) { return part->state != State::ended; });
  return at == end ? nullptr : *at;
}

tulle_entity* part_after(tulle_host*, tulle_entity* part) {
  if (part->bubble == nullptr) return nullptr;
  const std::vector<tulle_entity*>& parts = part->bubble->parts;
  // Parts are in the order of their ids.
  auto at = std::lower_bound(parts.begin(), parts.end(), part->id,
                             [](const tulle_entity* p, std::uint32_t id) { return p->id < id; });
  return unended_from(at + 1, parts.end());
}

void describe(const tulle_entity& entity, std::string* text) {
  if (!entity.is_bubble) {
    *text += '1';
    return;
  }
  *text += '{';
  for (const tulle_entity* part : entity.parts) {
    if (part->state != State::in_bubble) continue;
    if (text->back() != '{') *text += ' ';
    describe(*part, text);
  }
  *text += '}';
}

}  // namespace

std::string shape(const tulle_entity& entity) {
  std::string text;
  describe(entity, &text);
  return text;
}

Machine::Machine(const topology::Tree& tree, double parameter, std::uint64_t seed)
    : tulle_host{}, parameter_(parameter), random_(seed) {
  fill_in_host();
  add_queue(tree, topology::Tree::kRoot, nullptr);
}

void Machine::fill_in_host() {
  tulle_host& table = *this;
  table.root = [](tulle_host* host) { return machine(host).root_queue(); };
  table.parent = [](tulle_host*, tulle_runqueue* queue) { return queue->parent; };
  table.children = [](tulle_host*, tulle_runqueue* queue) {
    return static_cast<std::uint32_t>(queue->children.size());
  };
  table.child = [](tulle_host*, tulle_runqueue* queue, std::uint32_t index) {
    return index < queue->children.size() ? queue->children[index] : nullptr;
  };
  table.workers = [](tulle_host*, tulle_runqueue* queue) { return queue->workers; };
  table.is_bubble = [](tulle_host*, tulle_entity* entity) { return int{entity->is_bubble}; };
  table.threads = [](tulle_host*, tulle_entity* entity) {
    bool waits = entity->state == State::in_bubble || entity->state == State::in_runqueue;
    return waits ? entity->threads : 0;
  };
  table.load = [](tulle_host*, tulle_entity* entity) { return entity->load; };
  table.bubble = [](tulle_host*, tulle_entity* entity) { return entity->bubble; };
  table.first_part = [](tulle_host*, tulle_entity* bubble) {
    return unended_from(bubble->parts.begin(), bubble->parts.end());
  };
  table.next_part = part_after;
  table.where = [](tulle_host*, tulle_entity* entity) {
    return entity->state == State::in_runqueue ? entity->where : nullptr;
  };
  table.first_in = [](tulle_host*, tulle_runqueue* queue) { return queue->first; };
  table.next_in = [](tulle_host*, tulle_entity* entity) { return entity->next; };
  table.load_below = [](tulle_host*, tulle_runqueue* queue) { return queue->load; };
  table.move = [](tulle_host* host, tulle_entity* entity, tulle_runqueue* queue) {
    machine(host).move(entity, queue);
  };
  table.explode = [](tulle_host* host, tulle_entity* bubble) { machine(host).explode(bubble); };
  table.random = [](tulle_host* host, std::uint32_t bound) {
    return bound == 0 ? 0 : static_cast<std::uint32_t>(machine(host).random_() % bound);
  };
  table.parameter = [](tulle_host* host, double otherwise) {
    return std::isnan(machine(host).parameter_) ? otherwise : machine(host).parameter_;
  };
  table.level = [](tulle_host*, tulle_runqueue* queue) { return queue->level; };
}

// A part that is all its parent has gets no runqueue of its own.
tulle_runqueue* Machine::add_queue(const topology::Tree& tree, int node, tulle_runqueue* parent) {
  tulle_runqueue* queue = &queues_.emplace_back();
  queue->parent = parent;
  queue->level = level_of(tree[node].kind);
  queue->workers = static_cast<std::uint32_t>(tree[node].leaves);
  queue->first_leaf = tree[node].first_leaf;
  if (queue->workers == 1) {
    queue->level = TULLE_LEVEL_CPU;
    queue->numa = memory_of(tree, tree.leaf(queue->first_leaf));
    leaves_.push_back(queue);
    return queue;
  }
  while (tree[node + 1].leaves == tree[node].leaves) ++node;
  for (int child = node + 1; child < tree[node].end; child = tree[child].end)
    queue->children.push_back(add_queue(tree, child, queue));
  return queue;
}

tulle_entity* Machine::make_bubble(tulle_entity* bubble) {
  tulle_entity* entity = &entities_.emplace_back();
  entity->id = static_cast<std::uint32_t>(entities_.size());
  entity->is_bubble = true;
  entity->bubble = bubble;
  if (bubble != nullptr) {
    if (bubble->parts.size() > 2 * bubble->unended + 16)
      std::erase_if(bubble->parts, [](const tulle_entity* p) { return p->state == State::ended; });
    bubble->parts.push_back(entity);
    ++bubble->unended;
  }
  return entity;
}

tulle_entity* Machine::make_thread(tulle_entity* bubble, double load) {
  TULLE_REQUIRE(load > 0);
  tulle_entity* entity = make_bubble(bubble);
  entity->is_bubble = false;
  entity->load = load;
  entity->threads = 1;
  for (tulle_entity* outer = bubble; outer != nullptr; outer = outer->bubble) {
    if (outer->state != State::in_bubble) break;
    outer->load += load;
    ++outer->threads;
  }
  return entity;
}

void Machine::put(tulle_entity* bubble, tulle_runqueue* queue) {
  TULLE_REQUIRE(bubble->is_bubble && bubble->state == State::in_bubble);
  stand(bubble, queue, nullptr);
}

void Machine::add(tulle_runqueue* queue, double load, int waiting, int running) {
  for (; queue != nullptr; queue = queue->parent) {
    queue->waiting += static_cast<std::uint32_t>(waiting);
    queue->running += static_cast<std::uint32_t>(running);
    queue->load = queue->waiting + queue->running == 0 ? 0 : queue->load + load;
  }
}

void Machine::stand(tulle_entity* entity, tulle_runqueue* queue, tulle_entity* before) {
  entity->state = State::in_runqueue;
  entity->where = queue;
  entity->next = before;
  entity->previous = before == nullptr ? queue->last : before->previous;
  (entity->previous == nullptr ? queue->first : entity->previous->next) = entity;
  (before == nullptr ? queue->last : before->previous) = entity;
  add(queue, entity->load, static_cast<int>(entity->threads), 0);
}

void Machine::unlink(tulle_entity* entity) {
  tulle_runqueue* queue = entity->where;
  (entity->previous == nullptr ? queue->first : entity->previous->next) = entity->next;
  (entity->next == nullptr ? queue->last : entity->next->previous) = entity->previous;
  entity->next = entity->previous = nullptr;
  add(queue, -entity->load, -static_cast<int>(entity->threads), 0);
  entity->where = nullptr;
}

// Out of its runqueue, or out of all the closed bubbles around it. One that is empty then is open.
void Machine::leave(tulle_entity* entity) {
  if (entity->state == State::in_runqueue) {
    unlink(entity);
    return;
  }
  TULLE_REQUIRE(entity->state == State::in_bubble && entity->bubble != nullptr);
  tulle_entity* inner = entity;
  for (tulle_entity* bubble = entity->bubble; inner->state == State::in_bubble;
       inner = bubble, bubble = bubble->bubble) {
    TULLE_REQUIRE(bubble != nullptr && bubble->state != State::open);
    bubble->load -= entity->load;
    bubble->threads -= entity->threads;
    if (bubble->state == State::in_runqueue) {
      add(bubble->where, -entity->load, -static_cast<int>(entity->threads), 0);
      break;
    }
  }
  for (tulle_entity* bubble = entity->bubble; bubble != nullptr && bubble->threads == 0;) {
    tulle_entity* outer = bubble->bubble;
    bool inside = bubble->state == State::in_bubble;
    if (bubble->state == State::in_runqueue) unlink(bubble);
    bubble->state = State::open;
    bubble->load = 0;
    if (!inside) break;
    bubble = outer;
  }
}

void Machine::move(tulle_entity* entity, tulle_runqueue* queue) {
  if (entity == nullptr || queue == nullptr) return;
  if (entity->state != State::in_bubble && entity->state != State::in_runqueue) return;
  leave(entity);
  stand(entity, queue, nullptr);
  if (record_actions) actions.push_back({Action::moved, entity, queue});
}

// The parts take the bubble's place in the order.
void Machine::explode(tulle_entity* bubble) {
  if (bubble == nullptr || !bubble->is_bubble || bubble->state != State::in_runqueue) return;
  tulle_runqueue* queue = bubble->where;
  tulle_entity* before = bubble->next;
  unlink(bubble);
  bubble->state = State::open;
  bubble->load = 0;
  bubble->threads = 0;
  for (tulle_entity* part : bubble->parts)
    if (part->state == State::in_bubble) stand(part, queue, before);
  if (record_actions) actions.push_back({Action::exploded, bubble, queue});
}

void Machine::begin(tulle_entity* thread, tulle_runqueue* leaf) {
  TULLE_REQUIRE(!thread->is_bubble && leaf->children.empty());
  if (thread->bubble != nullptr || thread->state == State::in_runqueue) leave(thread);
  thread->state = State::running;
  thread->where = leaf;
  add(leaf, thread->load, 0, 1);
}

void Machine::block(tulle_entity* thread) {
  TULLE_REQUIRE(thread->state == State::running);
  thread->state = State::blocked;
  add(thread->where, -thread->load, 0, -1);
}

void Machine::resume(tulle_entity* thread) {
  TULLE_REQUIRE(thread->state == State::blocked);
  thread->state = State::running;
  add(thread->where, thread->load, 0, 1);
}

void Machine::end(tulle_entity* entity) {
  if (entity->is_bubble)
    TULLE_REQUIRE(entity->state == State::open && entity->unended == 0);
  else
    block(entity);
  entity->state = State::ended;
  if (entity->bubble != nullptr) --entity->bubble->unended;
}

}  // namespace tulle::simulator
