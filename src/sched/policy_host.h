// SPDX-License-Identifier: Apache-2.0
// The data of a policy: a tree of runqueues and what stands in it. It knows no workers and no clock: its
// owner guards it, calls the hooks, and takes threads out for those who run them. The functions of struct
// tulle_host work on the same data. What is const may be called by several takers at once, by each under the lock of
// the runqueue that it takes from, as long as nobody changes anything else (sched/placing.cpp).
#pragma once

#include <atomic>
#include <cstdint>

#include "base/hash.h"
#include "sched/placed.h"
#include "tulle/policy.h"

namespace tulle::sched {

class PolicyHost : public tulle_host {
 public:
  // `waiting`: where it counts the live bubbles with threads that have not begun.
  explicit constexpr PolicyHost(std::atomic<uint32_t>& waiting) : tulle_host{}, waiting_(waiting) {}

  // The same for one hook that keeps to `part`, where the tree ends. If it moves anything, the caller holds the locks there.
  // `seed`: of its random numbers.
  PolicyHost(const PolicyHost& whole, Runqueue* part, uint64_t seed);

  // Before anything else: without a tree there is nothing that the functions could tell.
  void use_tree(QueueTree* tree);
  QueueTree* tree() const { return tree_; }
  Runqueue* root() const { return root_; }

  // For the hook that is called next.
  void set_parameter(bool given, double value);

  // A region begins: all parts stand inside the bubble, which stands in `from`, closed. Its own
  // thread counts there too if `counts_own`.
  void begin(PlacedBubble* bubble, PlacedBubble* around, Runqueue* from, bool counts_own);
  // The same in steps, the first of which is the whole host's.
  void enlist(PlacedBubble* bubble, PlacedBubble* around);
  static void prepare(PlacedBubble* bubble);
  void begin_prepared(PlacedBubble* bubble, Runqueue* from, bool counts_own);
  // A region ends: all its parts have.
  void end(PlacedBubble* bubble);

  // A thread that waits begins to run; its load counts at `leaf`, or nowhere if that is null. True: it was the last one
  // of a live bubble that waited.
  bool take(PlacedThread* part, Runqueue* leaf) const;
  // It ended; no lock is needed. True: it was the last of its bubble.
  static bool finish(PlacedThread* part);
  // Where a thread that waits stands, by itself or inside its bubble: without a lock, a hint.
  static Runqueue* stands_in(const PlacedThread* part);

  // Its parts stand where it stood. By a taker too, under the lock of that runqueue.
  static void open(PlacedBubble* bubble);

  // The parts of a bubble of which some may have begun elsewhere, and that stands in no runqueue of
  // this host any more: those that wait stand inside it.
  static void forget_places(PlacedBubble* bubble);
  // Nothing stands anywhere.
  void clear();

  static Placed* first_standing(Runqueue* queue);
  Placed* next_standing(Placed* entity) const;
  // A thread that waits at `entity`: itself, or one inside.
  static PlacedThread* first_thread(Placed* entity);

  PlacedBubble* first_live() const { return live_; }
  // Runqueues on which something came to stand since the last call, linked by next_fresh.
  Runqueue* take_fresh();

 private:
  struct Calls;  // the functions of struct tulle_host

  void stand(Placed* entity, Runqueue* queue);
  static Runqueue* leave(Placed* entity, uint32_t threads, bool was_inside);
  static void add_load(Runqueue* queue, double load, int threads);
  static void count(Runqueue* queue, double load, int threads, const Runqueue* other = nullptr);
  static double load_of(const Runqueue* queue);
  static void settle(Runqueue* queue);
  uint32_t draw(uint32_t bound);

  QueueTree* tree_ = nullptr;
  Runqueue* root_ = nullptr;
  bool whole_ = true;
  Runqueue* fresh_ = nullptr;
  PlacedBubble* live_ = nullptr;
  std::atomic<uint32_t>& waiting_;
  uint64_t random_state_ = kGoldenRatio;
  bool parameter_given_ = false;
  double parameter_ = 0;
};

}  // namespace tulle::sched
