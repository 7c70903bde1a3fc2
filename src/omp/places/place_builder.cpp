// SPDX-License-Identifier: Apache-2.0
#include "omp/places/place_builder.h"

#include <stdlib.h>

#include <algorithm>

namespace tulle::omp {

PlaceBuilder::~PlaceBuilder() { free(sets_); }

bool PlaceBuilder::reserve() {
  if (count_ < room_) return true;
  int room = room_ == 0 ? 16 : 2 * room_;
  void* sets = realloc(static_cast<void*>(sets_), static_cast<std::size_t>(room) * sizeof(CpuSet));
  if (sets == nullptr) return false;
  sets_ = static_cast<CpuSet*>(sets);
  room_ = room;
  return true;
}

bool PlaceBuilder::add(const CpuSet& place) {
  CpuSet kept = place;
  kept &= usable_;
  if (kept.empty()) return true;
  if (count_ == kMaxPlaces || !reserve()) return false;
  sets_[count_++] = kept;
  return true;
}

bool PlaceBuilder::add_listed(const CpuSet& place) {
  int before = count_;
  bool fits = add(place);
  listed_in_vain_ += fits && count_ == before;
  return fits;
}

void PlaceBuilder::remove(const CpuSet& place) {
  CpuSet gone = place;
  gone &= usable_;
  count_ = static_cast<int>(std::remove(sets_, sets_ + count_, gone) - sets_);
}

void PlaceBuilder::rotate(int offset) {
  if (count_ > 1 && offset > 0) std::rotate(sets_, sets_ + offset % count_, sets_ + count_);
}

PlaceList PlaceBuilder::take() {
  std::size_t total = 0;
  for (int i = 0; i < count_; ++i) total += static_cast<std::size_t>(sets_[i].count());
  std::size_t ends = static_cast<std::size_t>(count_) + 1;
  PlaceList list;
  int* memory = static_cast<int*>(malloc((ends + total) * sizeof(int)));
  if (count_ == 0 || memory == nullptr) {
    free(memory);
    return list;
  }
  list.ends_ = memory;
  list.cpus_ = memory + ends;
  list.count_ = count_;
  int at = 0;
  for (int i = 0; i < count_; ++i) {
    list.ends_[i] = at;
    for (int cpu = sets_[i].first(); cpu >= 0; cpu = sets_[i].next(cpu)) list.cpus_[at++] = cpu;
  }
  list.ends_[count_] = at;
  count_ = 0;
  return list;
}

}  // namespace tulle::omp
