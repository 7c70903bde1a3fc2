// SPDX-License-Identifier: Apache-2.0
// KMP_AFFINITY and KMP_HW_SUBSET, brought to the terms of places and binding. Any thread.
// KMP_AFFINITY sorts the machine's parts and deals threads out in that order: the sorted parts are
// our places and `close` deals them out; `balanced` is what `spread` does over unsorted ones.
#pragma once

#include <string_view>

#include "omp/places/place_builder.h"

namespace tulle::omp {

enum class AffinityType : uint8_t { unset, none, disabled, compact, scatter, balanced, listed };

struct KmpAffinity {
  AffinityType type = AffinityType::unset;
  topology::Kind granularity = topology::Kind::core;
  int permute = 0;
  int offset = 0;
  bool verbose = false;
  bool reset = false;  // who encountered an outermost region is bound to nothing after it
  std::string_view proc_list;  // inside the brackets; part of the parsed text
};

bool parse_kmp_affinity(std::string_view text, KmpAffinity& out);

// The binding policy that it asks for, if it has a type: without one other variables decide.
ProcBind bind_of(const KmpAffinity& affinity);

// Whether a text, which may be null, is valid and has a type.
bool asks_for_places(const char* text);

// Adds the places that such a text asks for.
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

// With a colon in front levels that are not named are not counted by; attributes of cores are read and all
// cores taken to have them.
bool parse_hw_subset(std::string_view text, HwSubset& out);

// The processors of `tree` that a valid text leaves.
CpuSet hw_subset_cpus(std::string_view text, const topology::Tree& tree);

}  // namespace tulle::omp
