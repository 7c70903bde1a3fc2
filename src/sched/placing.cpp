// SPDX-License-Identifier: Apache-2.0
// A thread is placed by a store under the lock, a hot fence, and a look at who sleeps; the sleeper's
// heavy fence (idle.cpp) is the other half, so one of the two sees the other. Who is woken is told by
// where something came to stand: a policy may keep others from finding it.
// Whoever takes a thread, or opens a bubble that no policy wants to meet, passes the gate beside others, and needs the
// lock of the one runqueue that it stands in, by itself or inside its bubble. Model: tests/models/placed.pml. Hooks may
// look at everything and move anything, anywhere, and count on it that nothing else begins meanwhile (tulle/policy.h):
// which subtree one needs is known when it has ended, so they run alone. A policy that tells a team's subtree before has
// it distributed among the takers, under the locks of all runqueues there, which are taken from the root down.
#include "sched/placing.h"

#include "arch/cpu.h"
#include "base/look.h"
#include "os/fence.h"
#include "os/keep_errno.h"
#include "sched/placed.h"
#include "sched/policy_choice.h"
#include "sched/policy_host.h"
#include "sched/publish.h"
#include "sched/settings.h"
#include "sched/sleepers.h"
#include "sched/worker.h"
#include "sched/worker_tree.h"
#include "sched/workers.h"
#include "sync/gate.h"
#include "sync/spinlock.h"

namespace tulle::sched {

std::atomic<uint32_t> placed_waiting{0};

namespace {

constexpr int kMostMet = 64;  // closed bubbles that a policy may pass about in one search

TULLE_HELD_AT_FORK sync::Spinlock host_lock;
constinit PolicyHost host TULLE_GUARDED_BY(host_lock){placed_waiting};
constinit sync::Gate gate;         // closed while a hook runs, or a region begins
TULLE_HELD_AT_FORK sync::Spinlock list_lock;  // among those who pass the gate: for the lists of bubbles
std::atomic<uint64_t> changes{0};  // a policy may answer anew: something came to stand, or a tick passed
std::atomic<bool> some_stay{false};  // a policy that distributes nothing has placed teams

struct Locked {};  // the caller has the lock, and leaves it to the guard

// Nobody else looks at what stands anywhere.
class TULLE_SCOPED_LOCK Alone {
 public:
  Alone() TULLE_ACQUIRES(host_lock) {
    host_lock.lock();
    close_gate();
  }
  explicit Alone(Locked) TULLE_UNDER(host_lock) { close_gate(); }
  ~Alone() TULLE_RELEASES() {
    gate.open();
    host_lock.unlock();
  }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  static void close_gate() TULLE_UNDER(host_lock) {
    gate.close([](auto wait_for) {
      uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
      for (uint32_t i = 0; i < count; ++i)
        if (const Worker* w = all_workers[i].load(std::memory_order_relaxed)) wait_for(w->takes);
    });
  }
};

// Others take threads too; nothing else is done.
class TULLE_SCOPED_LOCK AmongTakers {
 public:
  explicit AmongTakers(Worker* w) TULLE_ACQUIRES_SHARED(host_lock) : pass_(w->takes) {
    gate.enter(pass_);
  }
  ~AmongTakers() TULLE_RELEASES() { gate.leave(pass_); }
  AmongTakers(const AmongTakers&) = delete;
  AmongTakers& operator=(const AmongTakers&) = delete;

 private:
  sync::Gate::Pass& pass_;
};

template <class Hook, class... Arguments>
auto call_hook_of(PolicyHost& among, const PolicyChoice* choice, Hook hook, Arguments... arguments) {
  among.set_parameter(choice->has_parameter, choice->parameter);
  return hook(&among, arguments...);
}
template <class Hook, class... Arguments>
auto call_hook(const PolicyChoice* choice, Hook hook, Arguments... arguments) TULLE_UNDER(host_lock) {
  return call_hook_of(host, choice, hook, arguments...);
}

tulle_entity* handle(Placed* entity) { return reinterpret_cast<tulle_entity*>(entity); }
tulle_runqueue* handle(Runqueue* queue) { return reinterpret_cast<tulle_runqueue*>(queue); }

// Whom to wake when the lock is free again.
class Wakes {
 public:
  // After the changes.
  void collect() TULLE_UNDER(host_lock) { collect_of(host); }
  void collect_of(PolicyHost& changed) {
    Runqueue* queue = changed.take_fresh();
    if (queue != nullptr) note_change();
    for (; queue != nullptr; queue = queue->next_fresh) {
      if (count_ == kRoom) {  // too many to name: whoever sleeps
        count_ = 1;
        queue_[0] = changed.root();
        threads_[0] = changed.root()->leaves;
        return;
      }
      queue_[count_] = queue;
      threads_[count_++] = queue->threads.load(std::memory_order_relaxed);
    }
  }

  // Relaxed: where something came to stand, the fence before the wake-ups orders it.
  static void note_change() { changes.fetch_add(1, std::memory_order_relaxed); }

  void wake() {
    if (count_ == 0) return;
    os::hot_fence();  // what was placed before the looks at who sleeps
    if (!somebody_sleeps()) return;
    bool left = false;
    for (uint32_t i = 0; i < count_; ++i) left = !wake_below(queue_[i], threads_[i]) || left;
    if (left) wake_any();  // its policy may let it have something from elsewhere
  }

 private:
  static constexpr uint32_t kRoom = 32;

  static bool wake_if_asleep(Worker* w) {
    if (w == nullptr || w->asleep.load(std::memory_order_relaxed) == 0) return false;
    sched::wake(w);
    return true;
  }

  // True if there was a sleeper for each of the threads.
  static bool wake_below(const Runqueue* queue, uint32_t threads) {
    uint32_t leaf = queue->first_leaf, end = leaf + queue->leaves;
    if (leaf == 0) {
      ++leaf;
      uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
      for (uint32_t i = 0; i < count && threads != 0; ++i) {
        Worker* w = all_workers[i].load(std::memory_order_relaxed);
        if (w != nullptr && w->kind == WorkerKind::foreign &&
            w->placed_waiting.load(std::memory_order_relaxed) != 0)
          threads -= wake_if_asleep(w);
      }
    }
    for (; leaf < end && threads != 0; ++leaf)
      threads -= wake_if_asleep(pool_worker(static_cast<int>(leaf)));
    return threads == 0;
  }

  Runqueue* queue_[kRoom];
  uint32_t threads_[kRoom];
  uint32_t count_ = 0;
};

template <class Change>
void change(Change body) {
  Wakes wakes;
  {
    Alone alone;
    body();
    wakes.collect();
  }
  wakes.wake();
}

void count_waiting(const PlacedBubble* bubble, int bubbles) {
  if (bubble->origin != nullptr)  // relaxed: a hint
    bubble->origin->placed_waiting.fetch_add(static_cast<uint32_t>(bubbles), std::memory_order_relaxed);
}

void take(PlacedThread* part, Runqueue* leaf) TULLE_UNDER_SHARED(host_lock) {
  if (host.take(part, leaf)) count_waiting(part->bubble, -1);
}

// A foreign thread takes part in its own regions only: its program waits for it.
bool may_take(const Worker* w, const Placed* entity) {
  if (w->kind != WorkerKind::foreign) return true;
  const auto* bubble =
      entity->is_bubble ? static_cast<const PlacedBubble*>(entity) : entity->bubble;
  return bubble->origin == w;
}

Placed* first_for(const Worker* w, Runqueue* queue) TULLE_UNDER_SHARED(host_lock) {
  Placed* entity = PolicyHost::first_standing(queue);
  while (entity != nullptr && !may_take(w, entity)) entity = host.next_standing(entity);
  return entity;
}

Placed* nearest(const Worker* w, Runqueue* leaf) TULLE_UNDER(host_lock) {
  for (Runqueue* queue = leaf; queue != nullptr; queue = queue->parent)
    if (Placed* entity = first_for(w, queue)) return entity;
  return nullptr;
}

// What is first on the way to the root, taken if it is a thread. A closed bubble opens, or is left for its policy to meet.
PlacedThread* take_nearest(Worker* w, bool& met) {
  AmongTakers among(w);
  Runqueue* leaf = leaf_of(host.tree(), w);
  for (Runqueue* queue = leaf; queue != nullptr; queue = queue->parent) {
    if (queue->threads.load(std::memory_order_relaxed) == 0) continue;
    sync::Guard guard(queue->lock);
    Placed* found = first_for(w, queue);
    for (; found != nullptr && found->is_bubble; found = first_for(w, queue)) {
      auto* bubble = static_cast<PlacedBubble*>(found);
      met = bubble->choice->policy->met != nullptr;
      if (met) return nullptr;
      PolicyHost::open(bubble);
    }
    if (found == nullptr) continue;
    take(static_cast<PlacedThread*>(found), leaf);
    return static_cast<PlacedThread*>(found);
  }
  return nullptr;
}

// False: another worker has taken it.
bool take_if_waiting(PlacedThread* part, Worker* w) {
  AmongTakers among(w);
  while (look(part->state) == PartState::waits) {
    Runqueue* queue = PolicyHost::stands_in(part);
    if (queue == nullptr) {
      if (part->bubble->is_in_force()) continue;  // its taker has yet to say so
      take(part, nullptr);  // forgotten by a fork: only the caller knows of it
      return true;
    }
    sync::Guard guard(queue->lock);
    if (look(part->state) != PartState::waits || PolicyHost::stands_in(part) != queue) continue;
    take(part, nullptr);
    return true;
  }
  return false;
}

bool is_nearer(const Runqueue* queue, const Runqueue* than, const Runqueue* leaf) {
  while (leaf != nullptr && leaf != than && leaf != queue) leaf = leaf->parent;
  return leaf == queue && queue != than;
}

// A bubble that the hook moved elsewhere than nearer opens there: two workers whose policy pushes it from
// one to the other would never call its threads.
void meet(PlacedBubble* bubble, Runqueue* leaf, bool at_once) TULLE_UNDER(host_lock) {
  Runqueue* stood_in = bubble->queue;
  const tulle_policy* policy = bubble->choice->policy;
  if (!at_once && policy->met != nullptr)
    call_hook(bubble->choice, policy->met, handle(bubble), handle(leaf));
  if (bubble->closed && !is_nearer(bubble->queue, stood_in, leaf)) host.open(bubble);
}

PlacedThread* search(const Worker* w, Runqueue* leaf) TULLE_UNDER(host_lock) {
  for (int met = 0;; ++met) {
    Placed* found = nearest(w, leaf);
    if (found == nullptr || !found->is_bubble) return static_cast<PlacedThread*>(found);
    meet(static_cast<PlacedBubble*>(found), leaf, met >= kMostMet);
  }
}

// Nothing has changed since it asked; or a foreign thread could take nothing of others' that a policy moves to it. A hint.
bool has_asked(const Worker* w) {
  return w->asked_at == changes.load(std::memory_order_relaxed) + 1 ||
         (w->kind == WorkerKind::foreign &&
          w->placed_waiting.load(std::memory_order_relaxed) != placed_waiting.load(std::memory_order_relaxed));
}

bool waits_for_nothing(const Worker* w) {
  return w->kind == WorkerKind::spare || w->asleep.load(std::memory_order_relaxed) != 0;  // W: itself
}

// What a policy has distributed is taken by those near it, most often at once: others would meet at the lock, and take it
// from them. One that is about to sleep, and a spare, wait for nothing.
bool is_time_to_ask(Worker* w) {
  if (waits_for_nothing(w) || some_stay.load(std::memory_order_relaxed)) return true;
  const uint64_t now = arch::cycles();
  if (now - w->looked_last > durations::kBetweenLooksAtPlaced) w->looks_since = now;  // meanwhile nothing waited, or it ran
  w->looked_last = now;
  return now - w->looks_since >= durations::kBeforeAsking;
}

bool some_wait_for(const PolicyChoice& choice) TULLE_UNDER(host_lock) {
  for (const PlacedBubble* bubble = host.first_live(); bubble != nullptr; bubble = bubble->next_live)
    if (bubble->choice == &choice && bubble->waiting.load(std::memory_order_relaxed) != 0) return true;
  return false;
}

bool ask_policies(Worker* w, Runqueue* leaf) TULLE_UNDER(host_lock) {
  if (has_asked(w)) return false;
  w->asked_at = changes.load(std::memory_order_relaxed) + 1;
  for (PolicyChoice& choice : policy_choices())
    if (some_wait_for(choice) && choice.policy->idle != nullptr &&
        call_hook(&choice, choice.policy->idle, handle(leaf)))
      return true;
  return false;
}

PlacedThread* any_thread() TULLE_UNDER(host_lock) {
  for (Runqueue* queue : host.tree()->queues())
    if (Placed* entity = PolicyHost::first_standing(queue)) return PolicyHost::first_thread(entity);
  return nullptr;
}

// Whether a thread that waits stands at `leaf` or above, by itself or inside its bubble.
bool is_above(const Runqueue* leaf, const PlacedThread& part) {
  const Runqueue* queue = PolicyHost::stands_in(&part);
  if (queue == nullptr) return true;  // forgotten by a fork: it is found nowhere else
  return queue->covers(leaf->first_leaf);
}

bool stands_above(const Runqueue* leaf) {
  for (const Runqueue* queue = leaf; queue != nullptr; queue = queue->parent)
    if (queue->threads.load(std::memory_order_relaxed) != 0) return true;  // relaxed: a hint
  return false;
}

bool takes_placed(const Worker* w) {
  if (crew_of(w) != nullptr) return false;  // policies are the host's
  return w->kind != WorkerKind::foreign || w->placed_waiting.load(std::memory_order_relaxed) != 0;
}

// A spare, from anywhere.
bool finds_at_once(const Worker* w) {
  return w->kind == WorkerKind::spare || stands_above(leaf_of(known_tree(), w));
}

PlacedThread* find_alone(Worker* w) TULLE_UNDER(host_lock) {
  Runqueue* leaf = leaf_of(host.tree(), w);
  PlacedThread* found = search(w, leaf);
  if (found == nullptr && ask_policies(w, leaf)) found = search(w, leaf);
  if (found == nullptr && w->kind == WorkerKind::spare) found = any_thread();
  if (found != nullptr) take(found, leaf);
  return found;
}

using ScopeHook = decltype(tulle_policy::scope);
ScopeHook scope_hook(const PlacedBubble* bubble) {
  const tulle_policy* policy = bubble->choice->policy;
  return policy->version < 2 ? nullptr : policy->scope;
}

void distribute(PolicyHost& among, PlacedBubble* bubble, Runqueue* leaf) {
  if (auto hook = bubble->choice->policy->distribute) call_hook_of(among, bubble->choice, hook, handle(bubble), handle(leaf));
}

void place_alone(PlacedBubble* bubble, PlacedBubble* around, Worker* from) {
  change([=]() TULLE_UNDER(host_lock) {
    Runqueue* leaf = leaf_of(host.tree(), from);
    host.begin(bubble, around, leaf, around == nullptr);
    distribute(host, bubble, leaf);
  });
}

// All runqueues of a part of the machine.
class LockedPart {
 public:
  explicit LockedPart(Runqueue* part) TULLE_WITHOUT_LOCKS : part_(part) { lock_below(part); }
  ~LockedPart() TULLE_WITHOUT_LOCKS { unlock_below(part_); }
  LockedPart(const LockedPart&) = delete;
  LockedPart& operator=(const LockedPart&) = delete;

 private:
  static void lock_below(Runqueue* queue) TULLE_WITHOUT_LOCKS {
    queue->lock.lock();
    for (Runqueue* child : queue->children) lock_below(child);
  }
  static void unlock_below(Runqueue* queue) TULLE_WITHOUT_LOCKS {
    for (Runqueue* child : queue->children) unlock_below(child);
    queue->lock.unlock();
  }

  Runqueue* part_;
};

Runqueue* scope_of(PlacedBubble* bubble, Runqueue* leaf) TULLE_UNDER_SHARED(host_lock) {
  PolicyHost asked(host, host.root(), 0);
  return reinterpret_cast<Runqueue*>(call_hook_of(asked, bubble->choice, scope_hook(bubble), handle(bubble), handle(leaf)));
}

// `crowded`: no worker is without a thread of the region around. False: its policy has the whole machine in mind, or more of
// it than is worth so many locks.
bool place_in_scope(PlacedBubble* bubble, PlacedBubble* around, Worker* from, bool crowded) {
  constexpr uint32_t kMostLeaves = 16;
  Wakes wakes;
  {
    AmongTakers among(from);
    Runqueue* leaf = leaf_of(host.tree(), from);
    PolicyHost::prepare(bubble);
    Runqueue* part = crowded ? leaf : scope_of(bubble, leaf);
    if (part == nullptr || part->leaves > kMostLeaves || !part->covers(leaf->first_leaf)) return false;
    {
      sync::Guard guard(list_lock);
      host.enlist(bubble, around);
    }
    LockedPart locked(part);
    PolicyHost inside(host, part, arch::cycles());
    inside.begin_prepared(bubble, leaf, false);
    if (!crowded) distribute(inside, bubble, leaf);
    wakes.collect_of(inside);
  }
  wakes.wake();
  return true;
}

TULLE_COLD void make_ready_to_place(QueueTree* tree, uint32_t pool) {
  os::KeepErrno keep;
  {
    Alone alone;
    host.use_tree(tree);
    for (uint32_t i = 0; i < tree->leaves(); ++i) tree->leaf(i)->served = i <= pool;
  }
  bind_pool(tree, pool);
  tree->ready_for.store(pool + 1, std::memory_order_release);  // pairs with ready_to_place
}

}  // namespace

bool ready_to_place(int pool_size) {
  auto pool = static_cast<uint32_t>(pool_size);
  QueueTree* tree = tree_of_workers();
  if (tree == nullptr) return false;
  if (TULLE_UNLIKELY(tree->ready_for.load(std::memory_order_acquire) != pool + 1)) make_ready_to_place(tree, pool);
  return true;
}

void place(PlacedBubble* bubble, PlacedBubble* around, Worker* from, bool crowded) {
  if (bubble->count != 0) count_waiting(bubble, 1);
  if (bubble->choice->policy->distribute == nullptr && !some_stay.load(std::memory_order_relaxed))
    some_stay.store(true, std::memory_order_relaxed);  // a hint, in a line that all read
  if (around == nullptr || scope_hook(bubble) == nullptr || !place_in_scope(bubble, around, from, crowded))
    place_alone(bubble, around, from);
  publish({nullptr, false}, Attention::always);
}

PlacedThread* take_own(PlacedBubble* bubble, Worker* w, bool anywhere, uint32_t& next) {
  if (bubble->waiting.load(std::memory_order_relaxed) == 0) return nullptr;  // they never come back
  const QueueTree* tree = known_tree();  // null: forgotten by a fork, as they are
  const Runqueue* leaf = tree == nullptr ? nullptr : leaf_of(tree, w);
  for (; next < bubble->count; ++next) {
    PlacedThread& part = bubble->parts[next];
    if (look(part.state) != PartState::waits || (!anywhere && !is_above(leaf, part))) continue;
    if (take_if_waiting(&part, w)) return &part;
  }
  return nullptr;
}

bool worth_waiting(const PlacedBubble* bubble) {
  // Relaxed: the wait is short, and nothing hangs on it.
  if (bubble->waiting.load(std::memory_order_relaxed) == 0) return false;
  for (int i = 1; i < settings().workers; ++i) {
    const Worker* w = pool_worker(i);
    if (w != nullptr && !w->busy.load(std::memory_order_relaxed) &&
        w->asleep.load(std::memory_order_relaxed) == 0)
      return true;
  }
  return false;
}

void placed_ended(PlacedThread* part) {
  PlacedBubble* bubble = part->bubble;
  auto hook = bubble->choice->policy->ended;
  if (hook == nullptr) {
    PolicyHost::finish(part);
    return;
  }
  change([=]() TULLE_UNDER(host_lock) {
    bool last = PolicyHost::finish(part);
    Wakes::note_change();
    if (!bubble->is_in_force()) return;
    call_hook(bubble->choice, hook, handle(part));
    if (last) call_hook(bubble->choice, hook, handle(bubble));
  });
}

void end_placed(PlacedBubble* bubble, Worker* w) {
  AmongTakers among(w);
  sync::Guard guard(list_lock);
  host.end(bubble);
}

PlacedThread* find_placed(Worker* w) {
  if (!placed_waits_for(w)) return nullptr;
  bool met = false;
  if (PlacedThread* found = take_nearest(w, met)) return found;
  const bool insists = met || waits_for_nothing(w);
  if (!insists && (has_asked(w) || !is_time_to_ask(w))) return nullptr;
  // Others that found nothing ask meanwhile: it looks again before it sleeps.
  if (insists)
    host_lock.lock();
  else if (!host_lock.try_lock_if_unwanted())
    return nullptr;
  Wakes wakes;
  PlacedThread* found;
  {
    Alone alone(Locked{});
    found = find_alone(w);
    wakes.collect();
  }
  wakes.wake();
  return found;
}

bool placed_within_reach(const Worker* w) {
  return placed_waiting.load(std::memory_order_relaxed) != 0 && takes_placed(w) && (finds_at_once(w) || !has_asked(w));
}

bool placed_waits_slow(Worker* w) {
  return takes_placed(w) && (finds_at_once(w) || (!has_asked(w) && is_time_to_ask(w)));
}

uint32_t placed_above(const Worker* w) {
  if (placed_waiting.load(std::memory_order_relaxed) == 0 || crew_of(w) != nullptr) return 0;
  if (w->kind == WorkerKind::foreign) return w->placed_waiting.load(std::memory_order_relaxed);
  uint32_t waiting = 0;
  for (const Runqueue* queue = leaf_of(known_tree(), w); queue != nullptr; queue = queue->parent)
    if (queue != &w->queue) waiting += queue->threads.load(std::memory_order_relaxed);
  return waiting;
}

void tick_placed() {
  if (placed_waiting.load(std::memory_order_relaxed) == 0) return;
  Wakes::note_change();
  change([]() TULLE_UNDER(host_lock) {
    for (PlacedBubble* bubble = host.first_live(); bubble != nullptr; bubble = bubble->next_live)
      if (auto hook = bubble->choice->policy->tick;
          hook != nullptr && bubble->waiting.load(std::memory_order_relaxed) != 0)
        call_hook(bubble->choice, hook, handle(bubble));
  });
}

void reset_placed_after_fork(Worker* survivor) TULLE_WITHOUT_LOCKS {
  host.use_tree(nullptr);
  host.clear();
  if (survivor != nullptr) {
    survivor->placed_waiting.store(0, std::memory_order_relaxed);
    survivor->leaf.store(0, std::memory_order_relaxed);
    if (survivor->kind == WorkerKind::pool) unbind_thread();
  }
  forget_tree();
}

void forget_placed(PlacedBubble* bubble) { PolicyHost::forget_places(bubble); }

}  // namespace tulle::sched
