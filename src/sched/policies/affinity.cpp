// SPDX-License-Identifier: Apache-2.0
// The Affinity scheduler of Broquedis et al. (ForestGOMP), section 3.2. A greedy distribution, from the
// root down, which explodes a bubble only if otherwise a worker would get nothing, and then as deep
// in the machine as possible; and an idle worker steals from the nearest part of the machine, the
// entity with the most threads first, whole subtrees of a bubble. How long a thread will run is not
// asked. A team that fits around the thread that encountered it goes there; a nested one that does
// not stays with that thread until workers steal from it.
#include <algorithm>

#include "sched/policies/items.h"
#include "sched/policies/policies.h"
#include "sched/policies/tree.h"

namespace tulle::sched {
namespace {

// A child of the runqueue that is distributed over, as it would be afterwards.
struct Child {
  tulle_runqueue* queue;
  double load;
  uint32_t workers;
  uint32_t fed;  // workers that have something
  uint32_t free() const { return workers - fed; }
};

class Distribution {
 public:
  Distribution(tulle_host* host, tulle_runqueue* queue, Items& items)
      : host_(host), queue_(queue), items_(items), count_(host->children(host, queue)) {
    children_ = static_cast<Child*>(malloc(sizeof(Child) * (count_ + 1)));
  }
  ~Distribution() { free(children_); }
  Distribution(const Distribution&) = delete;
  Distribution& operator=(const Distribution&) = delete;

  void run() {
    if (count_ == 0 || children_ == nullptr) return;
    assign();
    for (Item* bubble; (bubble = to_explode()) != nullptr;) {
      items_.explode(static_cast<uint32_t>(bubble - items_.begin()));
      assign();
    }
    carry_out();
  }

 private:
  void look_at_children();
  void assign();
  uint32_t choose(const Item& item, const Item* before, bool families) const;
  Item* to_explode() const;
  void carry_out();

  tulle_host* host_;
  tulle_runqueue* queue_;
  Items& items_;
  uint32_t count_;
  Child* children_;
};

void Distribution::look_at_children() {
  for (uint32_t i = 0; i < count_; ++i) {
    tulle_runqueue* child = host_->child(host_, queue_, i);
    uint32_t workers = host_->workers(host_, child);
    children_[i] = {.queue = child,
                    .load = host_->load_below(host_, child),
                    .workers = workers,
                    .fed = workers - idle_workers(host_, child, workers)};
  }
}

// Parts of one bubble stay together where there is room for them, if there are parts of several.
// Else the least loaded child is the one.
uint32_t Distribution::choose(const Item& item, const Item* before, bool families) const {
  if (families && before != nullptr && before->bubble == item.bubble &&
      children_[before->child].free() >= item.threads)
    return before->child;
  uint32_t best = 0;
  for (uint32_t i = 1; i < count_; ++i)
    if (children_[i].load * children_[best].workers < children_[best].load * children_[i].workers)
      best = i;
  return best;
}

// Greedy, the entity with the most threads first. Nothing is moved yet.
void Distribution::assign() {
  std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
    return a.threads != b.threads ? a.threads > b.threads : a.order < b.order;
  });
  look_at_children();
  bool families = false;
  for (const Item& item : items_) families |= item.bubble != items_[0].bubble;
  const Item* before = nullptr;
  for (Item& item : items_) {
    item.child = choose(item, before, families);
    Child& child = children_[item.child];
    item.overflows = item.threads > child.free();
    child.fed += std::min(item.threads, child.free());
    child.load += item.load;
    before = &item;
  }
}

// Null if every worker has something, or if all that could give it to them is bubbles that can feed
// the child where they are by themselves while the other children have got something too.
Item* Distribution::to_explode() const {
  bool nothing_at_all = false;
  bool unfed = false;
  for (uint32_t i = 0; i < count_; ++i) {
    nothing_at_all |= children_[i].fed == 0;
    unfed |= children_[i].free() > 0;
  }
  if (!unfed) return nullptr;
  for (Item& item : items_) {
    bool suffices = item.threads >= children_[item.child].workers;
    if (item.is_bubble && item.overflows && (nothing_at_all || !suffices)) return &item;
  }
  return nullptr;
}

void Distribution::carry_out() {
  for (const Item& item : items_) host_->move(host_, item.entity, children_[item.child].queue);
  items_.for_each_child([&](uint32_t child, Items& below) {
    Distribution(host_, children_[child].queue, below).run();
  });
}

void distribute(tulle_host* host, tulle_entity* bubble, tulle_runqueue* from) {
  tulle_runqueue* where = room_around(host, from, host->threads(host, bubble));
  if (where == nullptr) {
    if (host->bubble(host, bubble) != nullptr) return;
    where = host->root(host);
  }
  host->move(host, bubble, where);
  Items items(host);
  items.append(bubble);
  Distribution(host, where, items).run();
}

double threads(tulle_host* host, tulle_entity* entity) { return host->threads(host, entity); }

int idle(tulle_host* host, tulle_runqueue* leaf) { return steal_nearest(host, leaf, threads); }

}  // namespace

const tulle_policy kAffinityPolicy = {.version = TULLE_POLICY_VERSION,
                                      .name = "affinity",
                                      .distribute = distribute,
                                      .idle = idle,
                                      .met = nullptr,
                                      .tick = nullptr,
                                      .ended = nullptr,
                                      .scope = room_of_inner};

}  // namespace tulle::sched
