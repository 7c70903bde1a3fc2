// SPDX-License-Identifier: Apache-2.0
// The end of constructs that map, and target update.
#include <algorithm>

#include "base/create.h"
#include "offload/faults.h"
#include "offload/maps.h"
#include "offload/transfer.h"

namespace tulle::offload {

namespace {

Mapping* find(const Device& device, const MapItem& item) {
  bool in_part = (item.flags & kImplicit) != 0;
  return in_part ? device.table.find_part(item.address, bytes_of(item)) : device.table.find(item.address, bytes_of(item));
}

void let_go(Mapping* mapping, const MapItem& item) {
  if ((item.flags & kMember) != 0 || mapping->count == kForEver || mapping->count == 0) return;
  --mapping->count;
}

// `delete` lets go of all that holds the range, also where it names a part of it.
void let_go_for_good(Device& device, const MapItem& item) {
  Mapping* mapping = find(device, item);
  if (mapping != nullptr && mapping->count != kForEver) mapping->count = 0;
}

// Copies what of the item the mapping holds: all of it, unless it is there in part.
template <class Copy>
void copy_held(Device& device, Mapping& mapping, const MapItem& item, Copy copy) {
  auto begin = reinterpret_cast<uintptr_t>(item.address), end = begin + bytes_of(item);
  begin = std::max(begin, mapping.begin);
  end = std::min(end, mapping.end);
  copy(device, mapping, reinterpret_cast<void*>(begin), end - begin);
}

void end_range(Device& device, const MapItem& item) {
  Mapping* mapping = find(device, item);
  if (mapping == nullptr) return;
  let_go(mapping, item);
  if ((item.flags & kFrom) != 0 && !mapping->host_is_newer && (mapping->count == 0 || (item.flags & kAlways) != 0))
    copy_held(device, *mapping, item, copy_out);
}

void forget(Device& device, const MapItem& item) {
  Mapping* mapping = find(device, item);
  if (mapping == nullptr || mapping->is_held() || mapping->stays) return;
  Block* block = device.table.erase(mapping);
  if (block == nullptr) return;
  device.release(block->memory);
  destroy(block);
}

// Pointers first, so that none of the device's comes over; then what is deleted, for other parts of it come over in
// whatever order the clauses stand.
void end_items(Device& device, Maps maps, bool only_held) {
  auto each = [&](auto act) {
    for (size_t i = 0; i < maps.count; ++i)
      if (!only_held || (maps.items[i].flags & kHeld) != 0) act(maps.items[i]);
  };
  Holding holding(device);
  each([&](const MapItem& item) {
    bool ends = only_held ? item.action == Action::attach : item.action == Action::detach;
    if (ends || item.action == Action::detach_for_good)
      detach(device, item.address, item.action == Action::detach_for_good);
  });
  each([&](const MapItem& item) {
    if (is_range(item) && (item.flags & kForget) != 0) let_go_for_good(device, item);
  });
  each([&](const MapItem& item) {
    if (is_range(item)) end_range(device, item);
  });
  each([&](const MapItem& item) {
    if (is_range(item)) forget(device, item);
  });
}

void update(Device& device, const MapItem& item) {
  if (!is_range(item) || item.size == 0) return;
  const Mapping* mapping = device.table.find(item.address, item.size);
  if (mapping == nullptr) {
    if (const Mapping* part = device.table.find_any(item.address, item.size))
      overlaps(device, item.address, item.size, *part);
    if ((item.flags & kPresent) != 0) not_present(device, item.address, item.size);
    return;
  }
  if ((item.flags & kTo) != 0) copy_in(device, *mapping, item.address, item.size);
  if ((item.flags & kFrom) != 0 && !mapping->host_is_newer) copy_out(device, *mapping, item.address, item.size);
}

template <class Copy>
void on_present(Device& device, Maps maps, Copy copy) {
  Holding holding(device);
  for (size_t i = 0; i < maps.count; ++i) {
    const MapItem& item = maps.items[i];
    if (!is_range(item)) continue;
    Mapping* mapping = find(device, item);
    if (mapping != nullptr && mapping->is_held()) copy_held(device, *mapping, item, copy);
  }
}

}  // namespace

void end_maps(Device& device, Maps maps) { end_items(device, maps, true); }

void exit_maps(Device& device, Maps maps) { end_items(device, maps, false); }

void update_maps(Device& device, Maps maps) {
  Holding holding(device);
  bring_back(device);
  for (size_t i = 0; i < maps.count; ++i) update(device, maps.items[i]);
}

void undo_maps(Device& device, Maps maps) {
  for (size_t i = 0; i < maps.count; ++i) maps.items[i].flags &= static_cast<uint8_t>(~(kFrom | kAlways));
  end_maps(device, maps);
}

void fetch_present(Device& device, Maps maps) { on_present(device, maps, copy_out); }

void return_present(Device& device, Maps maps) { on_present(device, maps, copy_in); }

void leave_to_host(Device& device, Maps maps) {
  on_present(device, maps, [](Device& where, Mapping& mapping, const void*, size_t) {
    if (mapping.host_is_newer) return;
    copy_out(where, mapping, reinterpret_cast<void*>(mapping.begin), mapping.end - mapping.begin);
    mapping.host_is_newer = where.table.host_is_newer = true;
  });
}

}  // namespace tulle::offload
