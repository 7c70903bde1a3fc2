// SPDX-License-Identifier: Apache-2.0
// The part of the tool that the runtime calls.
#pragma once

#include "omp/tool/interface.h"

namespace tulle::stats {

class Thread;

void register_callbacks(omp::tool::Lookup lookup);

// The calling OpenMP thread's record; null: it has none.
Thread* current_thread();

}  // namespace tulle::stats
