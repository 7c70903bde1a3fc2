// SPDX-License-Identifier: Apache-2.0
// KMP_AFFINITY and KMP_HW_SUBSET, brought to the terms of places and binding. Any thread.
// KMP_AFFINITY sorts the machine's parts and deals threads out in that order: the sorted parts are
// our places and `close` deals them out; `balanced` is what `spread` does over unsorted ones.
#pragma once

#include <string_view>

#include "omp/places/place_builder.h"

namespace tulle::omp {

enum class AffinityType : uint8_t { none, disabled, compact, scatter, balanced, listed };

struct KmpAffinity {
  AffinityType type = AffinityType::none;
  topology::Kind granularity = topology::Kind::core;
  int permute = 0;
  int offset = 0;
  bool verbose = false;
  std::string_view proc_list;  // inside the brackets; part of the parsed text
};

bool parse_kmp_affinity(std::string_view text, KmpAffinity& out);

// The binding policy that it asks for.
ProcBind bind_of(const KmpAffinity& affinity);

// Adds the places that a valid text asks for.
bool add_kmp_affinity(std::string_view text, const topology::Tree& tree, PlaceBuilder& builder);

struct HwSubset {
  struct Item {
    topology::Kind kind;
    int count;  // per part of the kind before; 0: all
    int offset;
  };
  Item items[topology::kKinds];  // outermost first
  int count = 0;
};

bool parse_hw_subset(std::string_view text, HwSubset& out);

// The processors of `tree` that a valid text leaves.
CpuSet hw_subset_cpus(std::string_view text, const topology::Tree& tree);

}  // namespace tulle::omp
