// SPDX-License-Identifier: Apache-2.0
// The registers that functions preserve, as a digest: who calls in a loop, and has nothing else in them from one turn to
// the next, does the same again.
#pragma once

#include <cstdint>

// Calls function(a, b, digest) in the caller's place.
extern "C" __attribute__((visibility("hidden"))) void tulle_with_digest(
    void* a, uint64_t b, uint64_t unused, void (*function)(void* a, uint64_t b, uint64_t digest));
