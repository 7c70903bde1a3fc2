// SPDX-License-Identifier: Apache-2.0
// A runqueue: ready entities that only its worker may resume (bound), ready entities that anybody
// may, bubbles (sets of entities that have not begun), and what policies have placed here. All under one short lock;
// the counts are hints that spare an idle worker the lock.
//
// Each worker has one. Where policies place anything, those of the pool's workers are leaves of a tree
// (sched/queue_tree.h) whose other runqueues belong to parts of the machine: only what is placed stands there. The
// default policy leaves what has not begun in bubbles at the worker that encountered it, and needs no tree.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "base/cacheline.h"
#include "base/list.h"
#include "sched/entity.h"
#include "sync/spinlock.h"
#include "tulle/policy.h"

namespace tulle::sched {

struct Seat;
struct Worker;

// A set of entities that have not begun to run. Its owner keeps it in one runqueue while something
// in it may be left. The memory of a bubble is never unmapped, so a late look is harmless.
struct Bubble {
  Link link;
  std::atomic<Worker*> holder{nullptr};  // W: who announces it; whose runqueue it was put in last

  // Calls entities of the bubble, as long as there are any, on the caller's stack. May suspend
  // them, and so may return on another worker, which it returns. Null: nothing was left.
  Worker* (*serve)(Bubble* bubble, Worker* worker) = nullptr;

  // Each entity has a seat of its own: who publishes them and finds every seat polled tells nobody
  // else, so a worker leaves such a seat with care. W: owner, by set_seated; R: workers.
  std::atomic<bool> seated{false};

  // How often a worker has left a seat of it: a hint for its owner, who finds all at their seats while it stays as it is.
  std::atomic<uint32_t> departures{0};

  // The same for the entities of one seat (sched/worker.h).
  Worker* (*serve_seat)(Seat* seat, Worker* worker) = nullptr;

  // It may be open again later, so it stays in the runqueue until its owner withdraws it.
  std::atomic<bool> may_reopen{false};

  // A hint: how many of its entities could begin on `worker`; null: on a worker of the pool. No more are looked for once
  // there are `enough`.
  uint32_t (*left)(const Bubble* bubble, const Worker* worker, uint32_t enough) = nullptr;
};

class TULLE_PAIR_ALIGNED Runqueue {
 public:
  sync::Spinlock lock;

  void push_bound(Entity* entity);
  void push_ready(Entity* entity);
  void push_bubble(Bubble* bubble, Worker* holder);
  void remove_bubble(Bubble* bubble);

  // Its own worker: bound entities and others in turn.
  Entity* pop_owner();
  // Any worker: an entity that may run anywhere.
  Entity* steal_any();
  // Any worker: a bubble with something left that `worker` may call, or null. It stays in the
  // runqueue; those with nothing left are dropped on the way.
  Bubble* open_bubble(const Worker* worker);
  // The same for one of many that look again and again: null too while somebody has the lock or waits for it.
  Bubble* open_bubble_if_free(const Worker* worker);
  // Monitor: every entity, bound or not, because the worker does not come back.
  Entity* take_all();

  bool has_entities() const { return entities_.load(std::memory_order_relaxed) != 0; }  // hint
  bool has_stealable() const { return stealable_.load(std::memory_order_relaxed) != 0; }  // hint
  bool has_bubbles() const { return bubble_count_.load(std::memory_order_relaxed) != 0; }  // hint
  // Monitor: how many entities wait here, those of bubbles and of policies included.
  uint32_t waiting();
  // Its own worker: nothing waits here, and who pushes something later sees what that one did before. In a
  // signal handler, which must not wait for the lock: false too where somebody has it.
  bool is_empty();
  bool is_empty_for_handler();
  // Monitor: what has waited longest here, as a digest, 0 if nothing does: of entities; of what has not begun.
  struct Fronts {
    uint64_t ready, unbegun;
  };
  Fronts fronts();
  // Monitor: a bubble that may open again stands here.
  bool may_reopen();
  bool has_open_bubble(const Worker* worker) {
    return has_bubbles() && open_bubble(worker) != nullptr;
  }

 private:
  using List = Fifo<Entity, &Entity::next_in_queue>;

  void count(int entities, int stealable);
  Bubble* open_bubble_locked(const Worker* worker);
  bool find_oldest(const Worker* worker, Bubble*& found) const;
  uint32_t waiting_locked();
  void drop(Bubble* bubble);

  std::atomic<uint32_t> entities_{0};
  std::atomic<uint32_t> stealable_{0};
  std::atomic<uint32_t> bubble_count_{0};
  List bound_;
  bool bound_last_ = false;  // what was popped last
  List ready_;
  Link bubbles_;
  std::atomic<Link*> oldest_bubble_{&bubbles_};  // the first, or the list itself where there is none. W: under the lock

 public:
  // What policies have placed here, oldest first (sched/placed.h), under the lock. W of the rest: the host, under its
  // own lock; takers too, where it says so; R: anybody, as a hint.
  Link standing;
  std::atomic<uint32_t> threads{0};      // that stand here, in closed bubbles too; W: takers, under the lock
  std::atomic<uint32_t> loads_below{0};  // how many threads `load_below` is the load of; W: takers without the lock
  std::atomic<double> load_below{0};     // here and below, running threads included; W: the same
  Runqueue* next_fresh = nullptr;
  bool fresh = false;  // something came to stand here since the host was asked last

  // Its place in the tree: fixed while that is in force.
  bool served = true;  // leaf: there is a worker that looks here
  tulle_level level = TULLE_LEVEL_MACHINE;
  Runqueue* parent = nullptr;
  std::span<Runqueue*> children;
  uint32_t first_leaf = 0;
  uint32_t leaves = 0;
  int cpu = -1;  // of a leaf: the operating system's number

  bool covers(uint32_t leaf) const { return leaf - first_leaf < leaves; }
};

}  // namespace tulle::sched
