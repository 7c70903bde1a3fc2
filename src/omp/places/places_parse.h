// SPDX-License-Identifier: Apache-2.0
// The grammars of OMP_PLACES (OpenMP 5.2 §21.1.6) and GOMP_CPU_AFFINITY. Any thread.
#pragma once

#include <string_view>

#include "omp/places/place_builder.h"

namespace tulle::omp {

bool places_are_valid(std::string_view text);
bool cpu_affinity_is_valid(std::string_view text);

// Adds the places of a valid text to `builder`. False if it is not valid after all.
bool add_places(std::string_view text, const topology::Tree& tree, PlaceBuilder& builder);
bool add_cpu_affinity(std::string_view text, PlaceBuilder& builder);

// Adds the parts of a kind as places, `count` of them (0: all), each `stride`-th. A machine that has
// no such part is one of it.
bool add_parts(const topology::Tree& tree, topology::Kind kind, int count, int stride,
               PlaceBuilder& builder);

}  // namespace tulle::omp
