// SPDX-License-Identifier: Apache-2.0
// The lists of map clauses that GCC writes: addresses, sizes, and kinds of 16 bits, whose low byte is the kind and
// the high one the alignment's logarithm.
#pragma once

#include "base/array.h"
#include "offload/maps.h"

namespace tulle::abi::gomp {

struct MapLists {
  size_t count;
  void** addresses;
  const size_t* sizes;
  const unsigned short* kinds;
};

// The same as items; few of them in memory of its own.
class MapItems {
 public:
  explicit MapItems(const MapLists& lists);
  ~MapItems();
  MapItems(const MapItems&) = delete;
  MapItems& operator=(const MapItems&) = delete;

  offload::Maps maps() { return {items_, count_}; }

 private:
  static constexpr size_t kFew = 16;

  size_t count_;
  offload::MapItem few_[kFew];
  offload::MapItem* items_;
};

// The kinds of GCC 4.9, which had 8 bits: the low three are the kind.
class WideKinds {
 public:
  WideKinds(const unsigned char* kinds, size_t count);
  unsigned short* kinds() { return kinds_.data(); }

 private:
  Array<unsigned short> kinds_;
};

}  // namespace tulle::abi::gomp
