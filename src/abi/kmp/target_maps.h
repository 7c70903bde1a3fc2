// SPDX-License-Identifier: Apache-2.0
//
// The lists of map clauses that Clang writes, as items: first the words that a region is called with, or the
// addresses that the program gets, then what is mapped.
#pragma once

#include "abi/kmp/target_layout.h"
#include "base/array.h"
#include "offload/maps.h"

namespace tulle::kmp {

struct MapLists {
  int32_t count;
  void** bases;
  void** begins;
  const int64_t* sizes;
  const uint64_t* types;
  void** mappers;  // null: none
};

class TargetMaps {
 public:
  explicit TargetMaps(const MapLists& lists) : lists_(lists) { items_.reserve(2 * static_cast<size_t>(lists.count) + 4); }

  // In this order.
  void add_word(const void* word);
  void add_wanted(uint64_t kind);  // kMapParameter or kMapReturn
  void add_ranges();

  offload::Maps maps();
  size_t wanted() const { return wanted_; }

  // What begin_maps() saw of the wanted goes to the program.
  void give_back(void* const* seen) const;

 private:
  void add(offload::MapItem item) { items_.push(item); }
  void add_want(const MapComponent& item);
  void add_item(const MapComponent& item);
  void add_mapped(const MapComponent& item, void* mapper);
  void add_range(const MapComponent& item);
  void add_pointer(const MapComponent& item);
  void add_sections(const MapComponent& item, size_t at, uint64_t offset);
  MapComponent component(int32_t i) const;

  MapLists lists_;
  Array<offload::MapItem> items_;
  size_t wanted_ = 0;
};

}  // namespace tulle::kmp
