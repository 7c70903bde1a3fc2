// SPDX-License-Identifier: Apache-2.0
// The one word that entry points look at. True: a tool may be there, so whoever sees it goes the way that tells
// tools what happens. Set when the library is loaded and there may be a tool, and before any thread has a record
// otherwise; cleared if none registers, and when the process ends.
#pragma once

#include "base/cacheline.h"

namespace tulle::omp::tool {

extern TULLE_NEAR bool active_word, left_word;

// Read plainly, which is one instruction: who misses that it has changed tells tools of one event more or less.
inline bool active() { return TULLE_UNLIKELY(active_word); }

// There were tools, and they have ended.
inline bool have_left() { return TULLE_UNLIKELY(left_word); }

}  // namespace tulle::omp::tool
