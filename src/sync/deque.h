// SPDX-License-Identifier: Apache-2.0
// A bounded work-stealing deque (Chase and Lev, SPAA 2005; the C11 form follows Le et al., PPoPP
// 2013). The owner pushes and pops at the bottom, thieves take from the top. Pointers only.
//
// Ordering: push's store of bottom (release) pairs with steal's load (acquire): the thief sees the
// item. pop stores bottom, passes a full fence, then reads top; steal reads top, passes a full fence,
// then reads bottom: of an owner and a thief after the last item one sees the other, and the
// exchange of top decides. ask: a thief's exchange of top, then its look at wanting_, pair with the
// owner's exchange of wanting_, then its look at top: a thief that does not ask is seen.
#pragma once

#include <atomic>
#include <cstdint>

#include "arch/cpu.h"
#include "base/cacheline.h"

namespace tulle::sync {

template <class T, uint32_t kCapacity>
class Deque {
  static_assert((kCapacity & (kCapacity - 1)) == 0);

 public:
  // Owner only. False: full.
  bool push_owner(T* item) {
    int64_t bottom = bottom_.load(std::memory_order_relaxed);  // W: owner
    if (bottom - top_seen_ >= kCapacity) {
      top_seen_ = top_.load(std::memory_order_acquire);  // pairs with the thieves' exchange
      if (bottom - top_seen_ >= kCapacity) return false;
    }
    items_[bottom & (kCapacity - 1)].store(item, std::memory_order_relaxed);
    bottom_.store(bottom + 1, std::memory_order_release);
    return true;
  }

  // Owner only: the newest item, or null.
  T* pop_owner() {
    int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
    // Owner's view of top is never too new, so an empty deque is found without a fence.
    if (bottom < top_.load(std::memory_order_relaxed)) return nullptr;
    bottom_.store(bottom, std::memory_order_relaxed);
    arch::full_fence();
    int64_t top = top_.load(std::memory_order_relaxed);
    top_seen_ = top;
    if (top < bottom) return items_[bottom & (kCapacity - 1)].load(std::memory_order_relaxed);
    T* item = nullptr;
    if (top == bottom) {
      item = items_[bottom & (kCapacity - 1)].load(std::memory_order_relaxed);
      if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                        std::memory_order_relaxed))
        item = nullptr;  // a thief was faster
    }
    bottom_.store(bottom + 1, std::memory_order_relaxed);
    return item;
  }

  // Owner only: the newest item, which stays; a thief may take it meanwhile.
  T* peek_owner() const {
    int64_t bottom = bottom_.load(std::memory_order_relaxed);
    if (bottom <= top_.load(std::memory_order_relaxed)) return nullptr;
    return items_[(bottom - 1) & (kCapacity - 1)].load(std::memory_order_relaxed);
  }

  // Owner only: whether it holds `limit` items, as far as it knows: it does not look at what thieves
  // write, so that an owner and a thief do not share a cache line, until they ask for more.
  bool holds_owner(uint32_t limit) const {
    return bottom_.load(std::memory_order_relaxed) - top_seen_ >= limit;
  }
  // Owner only: the same, with a look at what thieves took if anything was pushed since the last one.
  bool holds_counted_owner(uint32_t limit) {
    int64_t bottom = bottom_.load(std::memory_order_relaxed);  // W: owner
    if (bottom != counted_at_) {
      counted_at_ = bottom;
      top_seen_ = top_.load(std::memory_order_relaxed);  // a late look finds more items than there are
    }
    return bottom - top_seen_ >= limit;
  }
  // Owner only: thieves find few items here. Relaxed: it is seen next time.
  bool asked_owner() const { return wanting_.load(std::memory_order_relaxed); }
  // Owner only: answers thieves by a look at what they have left.
  void recount_owner() {
    wanting_.exchange(false, std::memory_order_seq_cst);  // pairs with ask
    top_seen_ = top_.load(std::memory_order_seq_cst);     // pairs with the thieves' exchange
  }

  // Any thread: the oldest item that `allowed` accepts (it is looked at before it is taken, so it
  // must stay readable when another thread takes and frees it), or null.
  template <class Allowed>
  T* steal_any(Allowed allowed) {
    for (;;) {
      int64_t top = top_.load(std::memory_order_acquire);
      arch::full_fence();
      int64_t bottom = bottom_.load(std::memory_order_acquire);
      if (top >= bottom) return nullptr;
      T* item = items_[top & (kCapacity - 1)].load(std::memory_order_relaxed);
      if (!allowed(item)) return nullptr;
      if (top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                       std::memory_order_relaxed)) {
        if (bottom - top <= kFew) ask();
        if (bottom - top > 1)  // the next one comes from the owner's cache while this one runs
          prefetch_object(items_[(top + 1) & (kCapacity - 1)].load(std::memory_order_relaxed));
        return item;
      }
    }
  }

  // Any thread, a hint.
  uint32_t size() const {
    int64_t count = bottom_.load(std::memory_order_relaxed) - top_.load(std::memory_order_relaxed);
    return count > 0 ? static_cast<uint32_t>(count) : 0;
  }

 private:
  static constexpr int64_t kFew = 16;  // items left to thieves when they ask for more

  void ask() {
    if (!wanting_.load(std::memory_order_seq_cst)) wanting_.store(true, std::memory_order_relaxed);
  }

  TULLE_PAIR_ALIGNED std::atomic<int64_t> bottom_{0};  // W: owner
  int64_t top_seen_ = 0;                                // W, R: owner; a lower bound of top_
  int64_t counted_at_ = -1;                             // W, R: owner; bottom_ at the last look for it
  TULLE_PAIR_ALIGNED std::atomic<int64_t> top_{0};     // W: thieves, owner for the last item
  TULLE_PAIR_ALIGNED std::atomic<bool> wanting_{false};  // W: thieves set, owner clears
  TULLE_PAIR_ALIGNED std::atomic<T*> items_[kCapacity];
};

}  // namespace tulle::sync
