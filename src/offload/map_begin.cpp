// SPDX-License-Identifier: Apache-2.0
// The begin of constructs that map. First all ranges get their counterparts, then the pointers in them get
// their values, for what they point to may come later in the list.
#include "base/create.h"
#include "offload/faults.h"
#include "offload/maps.h"
#include "offload/transfer.h"

namespace tulle::offload {

namespace {

constexpr uintptr_t kLine = 64;

// What has its counterpart at a distance that is a multiple of this is aligned as it is here.
uintptr_t alignment_of(const MapItem& item) { return item.alignment > kLine ? item.alignment : kLine; }

// A block for the bytes from `begin` on, and where their counterpart begins in it. Null: no memory.
Block* new_block(Device& device, uintptr_t begin, size_t bytes, uintptr_t alignment, char*& counterpart) {
  uintptr_t before = begin & (alignment - 1);
  void* memory = device.allocate(before + bytes, alignment);
  if (memory == nullptr) return nullptr;
  auto* block = create<Block>(Block{memory, 0});
  if (block == nullptr) device.release(memory);
  counterpart = static_cast<char*>(memory) + before;
  return block;
}

void drop_block(Device& device, Block* block) {
  if (block == nullptr) return;
  device.release(block->memory);
  destroy(block);
}

// The list being begun.
struct Begin {
  Device& device;
  Maps maps;
  void** seen;

  void see(size_t i, void* address) {
    if (seen != nullptr) seen[i] = address;
  }

  void hold(size_t i, Mapping* mapping) {
    MapItem& item = maps.items[i];
    if (mapping->count != kForEver && (item.flags & kMember) == 0) ++mapping->count;
    item.flags |= kHeld;
    see(i, mapping->at(item.address));
  }

  bool is_new_now(const Mapping* mapping) const { return mapping != nullptr && mapping->made == device.table.round; }

  // A range of which nobody wrote that it is mapped, and which is there in part: the region is taken to use that.
  bool hold_part(size_t i) {
    Mapping* mapping = device.table.find_part(maps.items[i].address, bytes_of(maps.items[i]));
    if (mapping != nullptr) hold(i, mapping);
    return mapping != nullptr;
  }

  // A range that is there. False: it is not.
  bool hold_known(size_t i) {
    MapItem& item = maps.items[i];
    size_t bytes = bytes_of(item);
    Mapping* mapping = device.table.find(item.address, bytes);
    if (mapping == nullptr) return (item.flags & kImplicit) != 0 && hold_part(i);
    bool is_new = !mapping->is_held() || ((item.flags & kMember) != 0 && is_new_now(mapping));
    hold(i, mapping);
    if ((is_new || (item.flags & kAlways) != 0) && (item.flags & kTo) != 0) copy_in(device, *mapping, item.address, bytes);
    return true;
  }

  void require_new(const MapItem& item, size_t bytes) {
    if ((item.flags & kPresent) != 0) not_present(device, item.address, bytes);
    if (const Mapping* other = device.table.find_any(item.address, bytes))
      overlaps(device, item.address, bytes, *other);
  }

  // A range that is not there gets its counterpart.
  bool add(size_t i, Block* block, char* counterpart) {
    MapItem& item = maps.items[i];
    size_t bytes = bytes_of(item);
    Mapping* mapping = device.table.insert(item.address, bytes, counterpart, block, 0);
    if (mapping == nullptr) return false;
    item.flags &= static_cast<uint8_t>(~kMember);
    hold(i, mapping);
    if ((item.flags & kTo) != 0 || item.action == Action::pointer) copy_in(device, *mapping, item.address, bytes);
    if (item.action == Action::descriptor || item.action == Action::pointer) mark_new(i);
    return true;
  }

  // Its pointers are to be set.
  void mark_new(size_t i) {
    if (maps.items[i].action == Action::pointer) maps.items[i].flags |= kAlways;
    uintptr_t begin = reinterpret_cast<uintptr_t>(maps.items[i].address), end = begin + bytes_of(maps.items[i]);
    for (size_t j = i + 1; maps.items[i].action == Action::descriptor && j < maps.count; ++j) {
      MapItem& next = maps.items[j];
      auto at = reinterpret_cast<uintptr_t>(next.address);
      if (next.action != Action::pointer || at < begin || at >= end) return;
      next.flags |= kAlways;
    }
  }

  bool begin_range(size_t i) {
    MapItem& item = maps.items[i];
    size_t bytes = bytes_of(item);
    if (hold_known(i)) return true;
    if (item.action == Action::section || bytes == 0) {
      if ((item.flags & kPresent) != 0) not_present(device, item.address, bytes);
      see(i, item.address);
      return true;
    }
    require_new(item, bytes);
    char* counterpart = nullptr;
    Block* block =
        new_block(device, reinterpret_cast<uintptr_t>(item.address), bytes, alignment_of(item), counterpart);
    if (block == nullptr) return false;
    if (add(i, block, counterpart)) return true;
    drop_block(device, block);
    return false;
  }

  // The parts of a structure that are there have been mapped together with all others of them.
  bool begin_structure(size_t i) {
    MapItem& whole = maps.items[i];
    size_t first = i + 1, behind = first + whole.size;
    uintptr_t low = UINTPTR_MAX, high = 0;
    const Mapping* known = nullptr;
    for (size_t j = first; j < behind; ++j) {
      const MapItem& part = maps.items[j];
      auto begin = reinterpret_cast<uintptr_t>(part.address);
      if (begin < low) low = begin;
      if (begin + bytes_of(part) > high) high = begin + bytes_of(part);
      if (known == nullptr && bytes_of(part) != 0) known = device.table.find(part.address, bytes_of(part));
    }
    if (known != nullptr) {
      for (size_t j = first; j < behind; ++j)
        if (bytes_of(maps.items[j]) != 0 && !hold_known(j))
          not_with_its_structure(device, maps.items[j].address, bytes_of(maps.items[j]));
      see(i, known->at(whole.address));
      return true;
    }
    char* counterpart = nullptr;
    Block* block = new_block(device, low, high - low, alignment_of(whole), counterpart);
    if (block == nullptr) return false;
    for (size_t j = first; j < behind; ++j) {
      const MapItem& part = maps.items[j];
      if (bytes_of(part) == 0 || hold_known(j)) continue;  // a part may be listed twice
      require_new(part, bytes_of(part));
      if (!add(j, block, counterpart + (reinterpret_cast<uintptr_t>(part.address) - low))) {
        if (block->mappings == 0) drop_block(device, block);
        return false;
      }
    }
    see(i, counterpart - low + reinterpret_cast<uintptr_t>(whole.address));
    return true;
  }

  bool begin_ranges() {
    for (size_t i = 0; i < maps.count; ++i) {
      MapItem& item = maps.items[i];
      if (item.action == Action::structure) {
        if (!begin_structure(i)) return false;
        i += item.size;
      } else if (is_range(item)) {
        if (!is_inside_descriptor(i) && !begin_range(i)) return false;
      } else {
        see(i, item.address);
      }
    }
    return true;
  }

  // A pointer of the descriptor that is being mapped, or was before: it is part of that.
  bool is_inside_descriptor(size_t i) {
    if (maps.items[i].action != Action::pointer) return false;
    for (size_t j = i; j-- > 0;) {
      const MapItem& before = maps.items[j];
      if (before.action == Action::pointer) continue;
      auto begin = reinterpret_cast<uintptr_t>(before.address), at = reinterpret_cast<uintptr_t>(maps.items[i].address);
      return before.action == Action::descriptor && at >= begin && at < begin + before.size;
    }
    return false;
  }

  void set_pointers() {
    for (size_t i = 0; i < maps.count; ++i) {
      MapItem& item = maps.items[i];
      switch (item.action) {
        case Action::pointer:
          if ((item.flags & kAlways) != 0) attach(device, item.address, item.size, kForEver);
          break;
        case Action::set_pointer:
          attach(device, item.address, item.size, kForEver);
          break;
        case Action::attach:
          attach(device, item.address, item.size);
          item.flags |= kHeld;
          break;
        case Action::attach_new:
          attach_new(item);
          break;
        case Action::argument:
          pass(i);
          break;
        case Action::use:
        case Action::use_if_present:
          use(i);
          break;
        default:
          break;
      }
    }
  }

  void attach_new(const MapItem& item) {
    const char* pointer = *static_cast<char* const*>(item.address);
    const Mapping* holder = device.table.find(item.address, sizeof(void*));
    if (holder == nullptr || pointer == nullptr) return;
    bool is_new = is_new_now(holder) || is_new_now(device.table.find(pointer + item.size, 0));
    if (!is_new && (item.flags & kAlways) == 0) return;
    const char* address = static_cast<const char*>(item.address);
    if (item.alignment > sizeof(void*))
      copy_in(device, *holder, address + sizeof(void*), item.alignment - sizeof(void*));
    attach(device, address, item.size, kForEver);
  }

  void pass(size_t i) {
    const MapItem& item = maps.items[i];
    const Mapping* mapping = item.address != nullptr ? device.table.find(item.address, 0) : nullptr;
    auto seen_there = reinterpret_cast<uintptr_t>(mapping != nullptr ? mapping->at(item.address) : item.address);
    see(i, reinterpret_cast<void*>(seen_there - item.size));
  }

  void use(size_t i) {
    const MapItem& item = maps.items[i];
    const Mapping* mapping = item.address != nullptr ? device.table.find(item.address, 0) : nullptr;
    if (mapping != nullptr)
      see(i, mapping->at(item.address));
    else if (item.action == Action::use && item.address != nullptr)
      not_present(device, item.address, 0);
  }
};

}  // namespace

bool begin_maps(Device& device, Maps maps, void** seen) {
  bool done;
  {
    Holding holding(device);
    bring_back(device);
    ++device.table.round;
    Begin begin{device, maps, seen};
    done = begin.begin_ranges();
    if (done) begin.set_pointers();
  }
  if (!done) undo_maps(device, maps);
  return done;
}

}  // namespace tulle::offload
