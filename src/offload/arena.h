// SPDX-License-Identifier: Apache-2.0
// The memory of a device in another process: one range that both processes have at the same address, dealt out by
// the host. Any thread of the host.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/array.h"
#include "sync/spinlock.h"

namespace tulle::offload {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // As much as the machine has, or less where the system does not give so much. False: none.
  bool open();
  void close();
  // These bytes instead, which somebody else has mapped.
  bool deal_out(void* memory, size_t bytes);

  void* allocate(size_t bytes, size_t alignment);  // null: there is no room
  void release(void* block);
  bool holds(const void* address) const;
  size_t bytes_of(const void* block) const { return header_of(block).extent.end - reinterpret_cast<uintptr_t>(block); }

 private:
  struct Extent {
    uintptr_t begin;
    uintptr_t end;
  };
  // In front of each block.
  struct Header {
    Extent extent;
  };

  static const Header& header_of(const void* block) { return static_cast<const Header*>(block)[-1]; }
  void give_back_locked(Extent extent) TULLE_UNDER(lock_);

  uintptr_t begin_ = 0;
  uintptr_t end_ = 0;
  sync::Spinlock lock_;
  Array<Extent> free_ TULLE_GUARDED_BY(lock_);  // disjoint, none beside another, by their addresses
};

}  // namespace tulle::offload
