// SPDX-License-Identifier: Apache-2.0
// Collects places one by one, keeping of each the usable processors only. One thread at a time.
#pragma once

#include "omp/places/places.h"

namespace tulle::omp {

class PlaceBuilder {
 public:
  static constexpr int kMaxPlaces = kMaxCpus;

  explicit PlaceBuilder(const CpuSet& usable) : usable_(usable) {}
  ~PlaceBuilder();
  PlaceBuilder(const PlaceBuilder&) = delete;
  PlaceBuilder& operator=(const PlaceBuilder&) = delete;

  // Appends a place; one without a usable processor is left out. False if there are too many.
  bool add(const CpuSet& place);
  // The same for one that the user named by its processors.
  bool add_listed(const CpuSet& place);

  // Takes out every place equal to this one.
  void remove(const CpuSet& place);

  // Moves the first `offset` places to the end.
  void rotate(int offset);

  int count() const { return count_; }
  int listed_in_vain() const { return listed_in_vain_; }  // without a usable processor

  // Hands the list over; the builder is empty afterwards.
  PlaceList take();

 private:
  bool reserve();

  CpuSet usable_;
  CpuSet* sets_ = nullptr;
  int count_ = 0;
  int room_ = 0;
  int listed_in_vain_ = 0;
};

}  // namespace tulle::omp
