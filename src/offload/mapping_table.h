// SPDX-License-Identifier: Apache-2.0
// What of the host's memory has a counterpart on a device (OpenMP 5.2 §5.8): disjoint ranges, in the order of
// their addresses. Ranges that were mapped as parts of one structure share a block of device memory. The table
// copies nothing. Guarded by its device's lock.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/array.h"

namespace tulle::offload {

inline constexpr uint64_t kForEver = UINT64_MAX;

// Device memory that goes with the last range in it.
struct Block {
  void* memory;
  uint32_t mappings;
};

// A pointer in a mapped range that points to mapped data on the device, and to the host's here.
struct Attachment {
  uintptr_t pointer;  // where it stands, on the host
  void* value;        // what it is on the device
  uint64_t count;     // how often it was attached and not detached; kForEver: goes with the range
  Attachment* next;
};

struct Mapping {
  uintptr_t begin;
  uintptr_t end;
  char* device;  // counterpart of `begin`
  Block* block;  // null: the memory is somebody else's
  uint64_t count;  // constructs and `enter data` that hold it; kForEver: it stays
  bool associated = false;  // by omp_target_associate_ptr
  bool stays = false;       // the counterpart is there also while nothing holds it: a variable's of `link`
  bool host_is_newer = false;  // the host ran a region of it; W: leave_to_host(), bring_back()
  uint64_t made = 0;           // when: the table's round
  Attachment* attachments = nullptr;

  bool is_held() const { return count != 0; }
  char* at(uintptr_t address) const { return device + (address - begin); }
  char* at(const void* address) const { return at(reinterpret_cast<uintptr_t>(address)); }
};

class MappingTable {
 public:
  MappingTable() = default;
  MappingTable(const MappingTable&) = delete;
  MappingTable& operator=(const MappingTable&) = delete;

  // The range that holds all of these bytes. No bytes: the one that `address` is in, else the one that ends there.
  Mapping* find(const void* address, size_t bytes) const;

  // The same, or else the first range that holds some of them: of a map that nobody wrote, which takes what is there.
  Mapping* find_part(const void* address, size_t bytes) const;

  // The first range that has a byte in common.
  Mapping* find_any(const void* address, size_t bytes) const;

  // Null: there is no memory for the record. What overlaps has been looked for.
  Mapping* insert(const void* address, size_t bytes, void* device, Block* block, uint64_t count);

  // Forgets it. The block that nobody uses any more, for its memory to be released; else null.
  Block* erase(Mapping* mapping);

  size_t size() const { return sorted_.size(); }
  Mapping* const* begin() const { return sorted_.begin(); }
  Mapping* const* end() const { return sorted_.end(); }

  uint64_t round = 0;           // constructs that have begun
  bool host_is_newer = false;   // than some of the mappings

 private:
  size_t first_ending_behind(uintptr_t address) const;

  Array<Mapping*> sorted_;
};

}  // namespace tulle::offload
