// SPDX-License-Identifier: Apache-2.0
// How pooled objects come back to the memory that they are from. Each memory has a ReturnedList that
// others push to and its owner empties; each worker collects what it frees of others' in an
// OutgoingChain, so that a whole chain takes one exchange.
// Ordering: give (release) pairs with take_all (acquire): the giver's last use before the next one.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"

namespace tulle::omp {

template <class Item, Item* Item::*kLink>
class ReturnedList {
 public:
  // Any OS thread: the chain from `first` to `last`.
  void give(Item* first, Item* last) {
    Item* seen = first_.load(std::memory_order_relaxed);  // relaxed: the exchange decides
    do {
      last->*kLink = seen;
    } while (!first_.compare_exchange_weak(seen, first, std::memory_order_release,
                                           std::memory_order_relaxed));
  }

  // Owner only.
  Item* take_all() { return first_.exchange(nullptr, std::memory_order_acquire); }
  // Owner only: in front of those that are free, one by one, each of whose lines may be elsewhere.
  void move_all_to(Item*& free) {
    Item* item = take_all();
    while (item != nullptr) {
      Item* next = item->*kLink;
      item->*kLink = free;
      free = item;
      item = next;
    }
  }

 private:
  TULLE_CACHE_ALIGNED std::atomic<Item*> first_{nullptr};
};

// One worker's, of objects that all go to the same list.
template <class Item, Item* Item::*kLink>
class OutgoingChain {
 public:
  void add(Item* item, ReturnedList<Item, kLink>* home) {
    if (first_ != nullptr && home_ != home) send();
    if (first_ == nullptr) {
      home_ = home;
      last_ = item;
      count_ = 0;
    }
    item->*kLink = first_;
    first_ = item;
    if (++count_ == kMost) send();
  }

  void send_all() {
    if (first_ != nullptr) send();
  }

 private:
  static constexpr uint32_t kMost = 32;

  void send() {
    home_->give(first_, last_);
    first_ = nullptr;
  }

  Item* first_ = nullptr;
  Item* last_ = nullptr;
  ReturnedList<Item, kLink>* home_ = nullptr;
  uint32_t count_ = 0;
};

}  // namespace tulle::omp
