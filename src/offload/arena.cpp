// SPDX-License-Identifier: Apache-2.0
#include "offload/arena.h"

#include "os/memory.h"
#include "os/shared_memory.h"

namespace tulle::offload {

namespace {

constexpr size_t kMost = size_t{1} << 40;
constexpr size_t kLeast = size_t{1} << 24;
constexpr uintptr_t kUnit = 64;
constexpr size_t kWorthEmptying = size_t{1} << 25;  // smaller ones are wanted again soon: pages cost more than copies

uintptr_t rounded_up(uintptr_t value, uintptr_t alignment) { return (value + alignment - 1) & ~(alignment - 1); }

}  // namespace

bool Arena::open() {
  for (size_t bytes = kMost; bytes >= kLeast; bytes /= 2) {
    void* memory = bytes <= os::machine_memory() || bytes == kLeast ? os::map_shared(bytes) : nullptr;
    if (memory != nullptr) return deal_out(memory, bytes);
  }
  return false;
}

bool Arena::deal_out(void* memory, size_t bytes) {
  begin_ = reinterpret_cast<uintptr_t>(memory);
  end_ = begin_ + bytes;
  sync::Guard guard(lock_);
  return free_.push({begin_, end_});
}

void Arena::close() {
  if (begin_ != end_) os::unmap_shared(reinterpret_cast<void*>(begin_), end_ - begin_);
}

void* Arena::allocate(size_t bytes, size_t alignment) {
  if (bytes > end_ - begin_) return nullptr;
  if (alignment < kUnit) alignment = kUnit;
  sync::Guard guard(lock_);
  for (size_t i = 0; i < free_.size(); ++i) {
    Extent& from = free_[i];
    uintptr_t block = rounded_up(from.begin + sizeof(Header), alignment);
    uintptr_t end = rounded_up(block + (bytes != 0 ? bytes : 1), kUnit);
    if (end > from.end) continue;
    reinterpret_cast<Header*>(block)[-1] = {{from.begin, end}};
    from.begin = end;
    return reinterpret_cast<void*>(block);
  }
  return nullptr;
}

void Arena::release(void* block) {
  Extent extent = header_of(block).extent;
  if (extent.end - extent.begin >= kWorthEmptying)
    os::empty_shared(reinterpret_cast<void*>(extent.begin), extent.end - extent.begin);
  sync::Guard guard(lock_);
  give_back_locked(extent);
}

void Arena::give_back_locked(Extent extent) {
  size_t at = 0;
  while (at < free_.size() && free_[at].begin < extent.begin) ++at;
  bool joins_next = at < free_.size() && free_[at].begin == extent.end;
  bool joins_last = at > 0 && free_[at - 1].end == extent.begin;
  if (joins_last) {
    free_[at - 1].end = joins_next ? free_[at].end : extent.end;
    if (!joins_next) return;
    for (; at + 1 < free_.size(); ++at) free_[at] = free_[at + 1];
    free_.resize(free_.size() - 1);
  } else if (joins_next) {
    free_[at].begin = extent.begin;
  } else if (free_.push(extent)) {  // without memory for its record it is lost
    for (size_t i = free_.size() - 1; i > at; --i) free_[i] = free_[i - 1];
    free_[at] = extent;
  }
}

bool Arena::holds(const void* address) const {
  auto at = reinterpret_cast<uintptr_t>(address);
  return at >= begin_ && at < end_;
}

}  // namespace tulle::offload
