// SPDX-License-Identifier: Apache-2.0
// How tools come in (OpenMP 5.2 §19.2): when the library is loaded it is known whether there may be one; the first
// thread that attaches lets them register. They may call omp_* while they do, and open libraries.
#pragma once

#include "omp/thread/thread.h"
#include "omp/tool/interface.h"

namespace tulle::omp::tool {

// A thread has its record: it lets tools register if nobody did, and is known to them then.
TULLE_COLD void attached(Thread* thread);

// The tool is told of nothing any more; it has its last word.
void finalize(uint32_t tool);

// In a child of fork() whose threads are none of the program's: what tools know of is the parent's, and they hear of nothing.
void leave_to_parent();

// What each tool finds functions by, kTools of them, for their questions do not say whose they are. Set by the layer that
// has them (ompt/lookup.cpp) when the library is loaded; null: no tool can register.
extern const Lookup* lookups;
// How many devices there are, from the layer that has them; null: none.
extern int (*count_devices)();

}  // namespace tulle::omp::tool
