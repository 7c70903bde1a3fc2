// SPDX-License-Identifier: Apache-2.0
#include "omp/task/blocking_task.h"

#include <stdlib.h>

#include <new>

#include "base/hash.h"
#include "sync/spinlock.h"

namespace tulle::omp {

namespace {

// In the frame of a task that is blocked; or malloc'ed, by who came first to unblock it.
struct Blocked {
  const Task* task;
  Blocked* next = nullptr;
  sched::Event unblocked = {};
};

struct TULLE_CACHE_ALIGNED Bucket {
  sync::Spinlock lock;
  Blocked* first = nullptr;
};

constexpr uint32_t kBuckets = 64;
Bucket buckets[kBuckets];

Bucket& bucket_of(const Task* task) { return buckets[golden_hash(reinterpret_cast<uintptr_t>(task) >> 6) >> 58]; }

// The one that the other side has left there; null: `mine` is there now.
Blocked* take_or_leave(Blocked* mine) {
  Bucket& bucket = bucket_of(mine->task);
  sync::Guard guard(bucket.lock);
  for (Blocked** at = &bucket.first; *at != nullptr; at = &(*at)->next) {
    Blocked* found = *at;
    if (found->task != mine->task) continue;
    *at = found->next;
    return found;
  }
  mine->next = bucket.first;
  bucket.first = mine;
  return nullptr;
}

}  // namespace

void block_task(Thread* thread, const Task* task) {
  Blocked blocked{task};
  if (Blocked* early = take_or_leave(&blocked))
    free(early);
  else
    wait_outside(thread, blocked.unblocked);
}

bool unblock_task(const Task* task) {
  void* memory = malloc(sizeof(Blocked));
  if (memory == nullptr) return false;
  auto* early = new (memory) Blocked{task};
  if (Blocked* blocked = take_or_leave(early)) {
    free(memory);
    blocked->unblocked.signal();
  }
  return true;
}

}  // namespace tulle::omp
