// SPDX-License-Identifier: Apache-2.0
// The part of the tool that the runtime calls.
#pragma once

#include "format.h"
#include "omp/tool/interface.h"

namespace tulle::trace {

void register_callbacks(omp::tool::Lookup lookup);

// The calling OpenMP thread begins or ends a call of MPI; nothing where there is none.
void note_mpi(Kind kind, uint32_t call, const void* code);

}  // namespace tulle::trace
