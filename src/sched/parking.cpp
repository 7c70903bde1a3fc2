// SPDX-License-Identifier: Apache-2.0
#include "sched/parking.h"

#include <cstdint>
#include <new>

#include "arch/cpu.h"
#include "base/hash.h"
#include "sched/ready.h"

namespace tulle::sched {

namespace {

struct TULLE_CACHE_ALIGNED Bucket {
  sync::Spinlock lock;
  std::atomic<uint32_t> waiters{0};
  std::atomic<uint32_t> wakes{0};  // of one waiter; the monitor looks whether it changes
  Fifo<Address, &Address::next> list TULLE_GUARDED_BY(lock);
};

constexpr uint32_t kBuckets = 256;
Bucket buckets[kBuckets];

Bucket& bucket_of(const std::atomic<uint32_t>& word) {
  return buckets[golden_hash(reinterpret_cast<uintptr_t>(&word) >> 2) >> 56];
}

bool somebody_waits(Bucket& bucket) {
  arch::full_fence();  // pairs with enlist()
  return bucket.waiters.load(std::memory_order_relaxed) != 0;
}

// The word's first waiters, `most` of them at most.
Fifo<Address, &Address::next> take_waiters(Bucket& bucket, const std::atomic<uint32_t>& word,
                                         uint32_t most) TULLE_UNDER(bucket.lock) {
  Fifo<Address, &Address::next> found, others;
  // No further than needed: each waiter's record is a line of another core's.
  while (most != 0) {
    Address* waiter = bucket.list.pop_front();
    if (waiter == nullptr) break;
    bool match = &waiter->word == &word;
    (match ? found : others).push_back(waiter);
    if (!match) continue;
    bucket.waiters.fetch_sub(1, std::memory_order_relaxed);
    --most;
  }
  others.append(bucket.list);
  bucket.list.append(others);
  return found;
}

// The waiter stands in the table from then on, unless `stays` is false there.
template <class Stays>
bool enlist_if(Address& address, Ult* waiter, Stays stays) {
  Bucket& bucket = bucket_of(address.word);
  sync::Guard guard(bucket.lock);
  bucket.waiters.fetch_add(1, std::memory_order_seq_cst);  // before the load: pairs with somebody_waits()
  if (!stays(address.word.load(std::memory_order_seq_cst))) {
    bucket.waiters.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  address.ult = waiter;
  bucket.list.push_back(&address);
  return true;
}

}  // namespace

bool Address::enlist(Ult* waiter) {
  return enlist_if(*this, waiter, [this](uint32_t seen) { return seen == expected; });
}

bool Address::enlist_while(Ult* waiter, uint32_t bits) {
  return enlist_if(*this, waiter, [bits](uint32_t seen) { return (seen & bits) != 0; });
}

bool somebody_waits_for(const std::atomic<uint32_t>& word) { return somebody_waits(bucket_of(word)); }

const std::atomic<uint32_t>* Address::wakes() const { return &bucket_of(word).wakes; }

void wait_while(const std::atomic<uint32_t>& word, uint32_t expected) {
  wait(Address{word, expected}, [&] { return word.load(std::memory_order_acquire) != expected; });
}

void wait_aside_while(const std::atomic<uint32_t>& word, uint32_t expected) {
  wait(AddressAside{{word, expected}}, [&] { return word.load(std::memory_order_acquire) != expected; });
}

bool suspend_while_set(const std::atomic<uint32_t>& word, uint32_t bits) {
  WhileSet<Address> waiter{{word, 0}, bits};
  suspend_once(waiter, nullptr);
  return waiter.ult != nullptr;
}

bool suspend_aside_while_set(const std::atomic<uint32_t>& word, uint32_t bits) {
  WhileSet<AddressAside> waiter{{{word, 0}}, bits};
  suspend_once(waiter, nullptr);
  return waiter.ult != nullptr;
}

// A waiter's record dies with its suspension: what is needed is taken before it is made ready.

void wake_one(const std::atomic<uint32_t>& word) {
  Bucket& bucket = bucket_of(word);
  while (somebody_waits(bucket)) {
    bucket.wakes.fetch_add(1, std::memory_order_relaxed);
    Address* waiter;
    {
      sync::Guard guard(bucket.lock);
      waiter = take_waiters(bucket, word, 1).pop_front();
    }
    if (waiter == nullptr || make_ready(waiter->ult)) return;
  }
}

void wake_one_or_clear(std::atomic<uint32_t>& word, uint32_t bits) {
  Bucket& bucket = bucket_of(word);
  for (;;) {
    Address* waiter;
    {
      sync::Guard guard(bucket.lock);
      waiter = take_waiters(bucket, word, 1).pop_front();
      if (waiter == nullptr) {
        word.fetch_and(~bits, std::memory_order_relaxed);  // waiters look at it under the lock
        return;
      }
    }
    bucket.wakes.fetch_add(1, std::memory_order_relaxed);
    if (make_ready(waiter->ult)) return;
  }
}

void wake_all(const std::atomic<uint32_t>& word) {
  Bucket& bucket = bucket_of(word);
  if (!somebody_waits(bucket)) return;
  Fifo<Address, &Address::next> found;
  {
    sync::Guard guard(bucket.lock);
    found = take_waiters(bucket, word, UINT32_MAX);
  }
  while (Address* waiter = found.pop_front()) make_ready(waiter->ult);
}

void reset_parking_after_fork() {
  for (Bucket& bucket : buckets) new (&bucket) Bucket;
}

}  // namespace tulle::sched
