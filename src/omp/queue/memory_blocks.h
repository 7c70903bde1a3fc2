// SPDX-License-Identifier: Apache-2.0
// Blocks of pooled objects. A burst makes many; once all objects are free, the pages of all but a few are given back
// to the operating system, while their addresses stay: a late look at an object finds zeros. Owner: whoever owns the
// objects, or who gives back (queue/task_trim.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cacheline.h"
#include "os/memory.h"

namespace tulle::omp {

// The first cache line of a block, which is never given back.
struct TULLE_CACHE_ALIGNED MemoryBlock {
  void* owner = nullptr;  // of a memory whose objects do not know it
  MemoryBlock* next = nullptr;
  uint32_t bytes = 0;
  uint32_t size_class = 0;
  bool touched = true;  // of an empty one: its pages are there still

  char* begin() { return reinterpret_cast<char*>(this + 1); }
  char* end() { return reinterpret_cast<char*>(this) + bytes; }
};

class MemoryBlocks {
 public:
  static constexpr uint32_t kLarge = 64 * 1024;  // bytes of a block that can be given back
  static constexpr uint32_t kKept = 16;          // large blocks that a memory keeps

  // A block without objects, which is in use from now on; null: there is none.
  MemoryBlock* take_empty() {
    MemoryBlock* block = empty_;
    if (block == nullptr) return nullptr;
    empty_ = block->next;
    add(block);
    return block;
  }

  // A block is in use. Relaxed: the end of the region orders it.
  void add(MemoryBlock* block) {
    block->next = used_;
    used_ = block;
    block->touched = true;
    if (block->bytes >= kLarge && ++large_ > kKept && burst_ != nullptr)
      burst_->store(true, std::memory_order_relaxed);
  }

  // What is set when more than is kept comes into use.
  void tell(std::atomic<bool>* burst) { burst_ = burst; }
  bool has_burst() const { return large_ > kKept; }

  // All objects are free, and known to nobody: `keep` makes those of the blocks that stay anew.
  template <class Keep>
  void drop(Keep keep) {
    MemoryBlock* block = used_;
    used_ = nullptr;
    large_ = 0;
    while (block != nullptr) {
      MemoryBlock* next = block->next;
      if (block->bytes < kLarge || large_ < kKept) {
        add(block);
        keep(block);
      } else {
        block->next = empty_;
        empty_ = block;
      }
      block = next;
    }
  }

  // The pages of empty blocks. False: `wanted` came true before the last.
  template <class Wanted>
  bool give_back(Wanted wanted) {
    for (MemoryBlock* block = empty_; block != nullptr; block = block->next) {
      if (!block->touched) continue;
      if (wanted()) return false;
      os::empty_memory(block->begin(), block->bytes - sizeof *block);
      block->touched = false;
    }
    return true;
  }

 private:
  MemoryBlock* used_ = nullptr;
  MemoryBlock* empty_ = nullptr;
  uint32_t large_ = 0;  // of those in use
  std::atomic<bool>* burst_ = nullptr;
};

}  // namespace tulle::omp
