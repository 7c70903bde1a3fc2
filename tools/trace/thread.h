// SPDX-License-Identifier: Apache-2.0
// Where an OpenMP thread's events go. W: the thread, or who tells of it in its name.
#pragma once

#include <atomic>
#include <cstdint>

#include "file.h"
#include "stats/ticks.h"

namespace tulle::trace {

class Thread {
 public:
  uint32_t number = 0;
  Thread* next = nullptr;  // of all that there ever were
  std::atomic<bool> in_use{true};
  bool has_task = false;  // an initial one of its own; another one is a target region's

  void note(uint32_t worker, Kind kind, uint32_t detail, uint64_t body) {
    const uint64_t now = stats::ticks();
    if (__builtin_expect(at_ == end_ || now - begin_ >= uint64_t{1} << kTimeBits, 0) && !take_chunk_slow()) return;
    Record* event = at_++;
    event->body = body;
    // For who reads the file meanwhile: an event is there when its head is.
    const uint64_t time = now > begin_ ? now - begin_ : 0;
    __atomic_store_n(&event->head, head_of(time, worker, kind, detail & ((1u << kKindBits) - 1)), __ATOMIC_RELEASE);
  }

  // The last event is forgotten, if it is of this kind and no older than that.
  bool take_back(Kind kind, uint64_t ticks) {
    if (chunk_ == nullptr || at_ == chunk_->events || at_ == nullptr) return false;
    const uint64_t head = at_[-1].head, time = head & ((uint64_t{1} << kTimeBits) - 1);
    if ((head >> (kTimeBits + kWorkerBits) & ((1u << kKindBits) - 1)) != static_cast<uint64_t>(kind)) return false;
    if (stats::ticks() - begin_ - time > ticks) return false;
    __atomic_store_n(&(--at_)->head, 0, __ATOMIC_RELAXED);
    return true;
  }

  // Of tasks and regions; never 0.
  uint32_t new_id() {
    if (next_id_ == last_id_) take_ids();
    return next_id_++;
  }

  // Its next events go to the file that is open then.
  void forget_chunk();

 private:
  bool take_chunk_slow();
  void take_ids();

  Record* at_ = nullptr;
  Record* end_ = nullptr;
  uint64_t begin_ = 0;
  Chunk* chunk_ = nullptr;
  uint32_t chunks_ = 0;
  uint32_t next_id_ = 0, last_id_ = 0;
};

// A record for a thread that begins; those of threads that have ended serve again. Null: no memory.
Thread* take_thread();
// In the process's new file.
void forget_all_chunks();

}  // namespace tulle::trace
