// SPDX-License-Identifier: Apache-2.0
// The meaning of GCC's flags of a parallel region.
#pragma once

#include "omp/icv/icv.h"

namespace tulle::abi::gomp {

inline omp::ProcBind bind_of(unsigned flags) { return static_cast<omp::ProcBind>(flags & 7); }

}  // namespace tulle::abi::gomp
