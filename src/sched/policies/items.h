// SPDX-License-Identifier: Apache-2.0
// Entities that a policy is about to distribute, all of which stand in one runqueue, in an array so
// that they can be sorted. An entity for which there is no memory is left out, and so stays in that
// runqueue, where workers find it. One thread uses it.
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include <algorithm>

#include "sched/policies/tree.h"
#include "tulle/policy.h"

namespace tulle::sched {

struct Item {
  tulle_entity* entity;
  tulle_entity* bubble;  // it is part of
  double load;
  uint32_t threads;
  uint32_t order;  // of appending
  uint32_t child;  // of that runqueue: where it goes
  bool is_bubble;
  bool overflows;  // it has more threads than `child` had workers left for
};

class Items {
 public:
  explicit Items(tulle_host* host) : host_(host) {}
  ~Items() { free(items_); }
  Items(const Items&) = delete;
  Items& operator=(const Items&) = delete;

  Item* begin() const { return items_; }
  Item* end() const { return items_ + size_; }
  uint32_t size() const { return size_; }
  Item& operator[](uint32_t index) const { return items_[index]; }

  void append(tulle_entity* entity) {
    if (size_ == room_ && !grow()) return;
    items_[size_++] = {.entity = entity,
                       .bubble = host_->bubble(host_, entity),
                       .load = host_->load(host_, entity),
                       .threads = host_->threads(host_, entity),
                       .order = appended_++,
                       .child = 0,
                       .is_bubble = host_->is_bubble(host_, entity) != 0,
                       .overflows = false};
  }

  // Opens a bubble: it leaves the array, and its parts are appended.
  void explode(uint32_t index) {
    tulle_entity* bubble = items_[index].entity;
    items_[index] = items_[--size_];
    for (tulle_entity* part = host_->first_part(host_, bubble); part != nullptr;
         part = host_->next_part(host_, part))
      if (stands_inside(host_, part)) append(part);
    host_->explode(host_, bubble);
  }

  // Calls distribute(child, items) for each child that has got something, with what it has got.
  template <class Distribute>
  void for_each_child(Distribute distribute) {
    std::sort(begin(), end(), [](const Item& a, const Item& b) {
      return a.child != b.child ? a.child < b.child : a.order < b.order;
    });
    for (uint32_t i = 0; i < size_;) {
      uint32_t child = items_[i].child;
      Items below(host_);
      for (; i < size_ && items_[i].child == child; ++i) below.append(items_[i].entity);
      distribute(child, below);
    }
  }

 private:
  bool grow() {
    uint32_t room = room_ == 0 ? 16 : room_ * 2;
    void* larger = realloc(items_, sizeof(Item) * room);
    if (larger == nullptr) return false;
    items_ = static_cast<Item*>(larger);
    room_ = room;
    return true;
  }

  tulle_host* host_;
  Item* items_ = nullptr;
  uint32_t size_ = 0;
  uint32_t room_ = 0;
  uint32_t appended_ = 0;
};

}  // namespace tulle::sched
