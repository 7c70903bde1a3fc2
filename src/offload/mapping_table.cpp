// SPDX-License-Identifier: Apache-2.0
#include "offload/mapping_table.h"

#include "base/create.h"

namespace tulle::offload {

namespace {

uintptr_t number(const void* address) { return reinterpret_cast<uintptr_t>(address); }

void drop_attachments(Mapping* mapping) {
  while (Attachment* attachment = mapping->attachments) {
    mapping->attachments = attachment->next;
    destroy(attachment);
  }
}

}  // namespace

size_t MappingTable::first_ending_behind(uintptr_t address) const {
  size_t low = 0, high = sorted_.size();
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (sorted_[middle]->end <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

Mapping* MappingTable::find(const void* address, size_t bytes) const {
  uintptr_t begin = number(address);
  size_t at = first_ending_behind(begin);
  Mapping* found = at < sorted_.size() ? sorted_[at] : nullptr;
  if (found != nullptr && found->begin <= begin) return bytes <= found->end - begin ? found : nullptr;
  bool ends_there = bytes == 0 && at > 0 && sorted_[at - 1]->end == begin;
  return ends_there ? sorted_[at - 1] : nullptr;
}

Mapping* MappingTable::find_part(const void* address, size_t bytes) const {
  Mapping* all = find(address, bytes);
  return all != nullptr ? all : find_any(address, bytes);
}

Mapping* MappingTable::find_any(const void* address, size_t bytes) const {
  uintptr_t begin = number(address);
  size_t at = first_ending_behind(begin);
  if (at == sorted_.size() || sorted_[at]->begin >= begin + bytes) return nullptr;
  return sorted_[at];
}

Mapping* MappingTable::insert(const void* address, size_t bytes, void* device, Block* block, uint64_t count) {
  uintptr_t begin = number(address);
  Mapping made{begin, begin + bytes, static_cast<char*>(device), block, count};
  auto* mapping = create<Mapping>(made);
  if (mapping == nullptr) return nullptr;
  mapping->made = round;
  if (!sorted_.push(mapping)) {
    destroy(mapping);
    return nullptr;
  }
  size_t at = sorted_.size() - 1;
  for (; at > 0 && sorted_[at - 1]->begin > begin; --at) sorted_[at] = sorted_[at - 1];
  sorted_[at] = mapping;
  if (block != nullptr) ++block->mappings;
  return mapping;
}

Block* MappingTable::erase(Mapping* mapping) {
  size_t at = first_ending_behind(mapping->begin);
  while (sorted_[at] != mapping) ++at;
  for (; at + 1 < sorted_.size(); ++at) sorted_[at] = sorted_[at + 1];
  sorted_.resize(sorted_.size() - 1);
  drop_attachments(mapping);
  Block* block = mapping->block;
  destroy(mapping);
  return block != nullptr && --block->mappings == 0 ? block : nullptr;
}

}  // namespace tulle::offload
