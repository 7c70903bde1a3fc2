// SPDX-License-Identifier: Apache-2.0
// Places (OpenMP 5.2 §2.5, §21.1.6): what OMP_PLACES, GOMP_CPU_AFFINITY, KMP_AFFINITY or
// KMP_HW_SUBSET ask for on this machine. Found on first need and never changed; any thread. Nothing
// here binds anybody. Without binding there are no places and the topology is not read.
#pragma once

#include <span>

#include "base/cpu_set.h"
#include "omp/icv/icv.h"
#include "topology/topology.h"

namespace tulle::omp {

class PlaceList {
 public:
  int count() const { return count_; }

  // The processors of a place by the operating system's numbers, ascending.
  std::span<const int> cpus(int place) const {
    return {cpus_ + ends_[place], cpus_ + ends_[place + 1]};
  }
  CpuSet cpu_set(int place) const;

 private:
  friend class PlaceBuilder;
  int count_ = 0;
  int* ends_ = nullptr;  // where the place before ends: count_ + 1 of them
  int* cpus_ = nullptr;
};

// Where a thread is assigned to (OpenMP 5.2 §10.1.3).
struct Placement {
  int32_t place;   // -1: none, the thread is not bound
  uint32_t first;  // place partition: the first place and how many
  uint32_t count;
  bool operator==(const Placement&) const = default;
};

// The places of the process.
const PlaceList& places();

// The mask of the OS thread that built them, which then was bound to none. Empty where nothing is ever bound.
const CpuSet& cpus_before_binding();

// The places that `icv` asks for on a machine of which `usable` processors may be used. `report`
// hears of a request that leaves nothing. The list lives on.
PlaceList make_places(const GlobalIcv& icv, const topology::Tree& tree, const CpuSet& usable,
                      void (*report)(const char* line));

}  // namespace tulle::omp
