// SPDX-License-Identifier: Apache-2.0
// Where in its work the code stands that calls: a loop that does something has other values in the registers that calls
// preserve or in its frame, one that asks the same again and again has the same.
#pragma once

#include <cstdint>

// Calls function(object, digest), in the place of the caller where that calls last: the digest is of the registers that
// calls preserve, of the stack pointer, of where the caller returns to, and of the lowest twelve words of that one's frames, which
// may be undefined. A hint: equal ones may stand for different states.
extern "C" __attribute__((visibility("hidden"))) void tulle_call_with_digest(
    void* object, void (*function)(void* object, uint64_t digest));
