// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tulle::omp {

// How an item of a depend clause accesses what it names (OpenMP 5.2 §15.9.5). Graphs' files hold the numbers.
enum class DependenceKind : uint8_t { in, out, mutexinoutset, inoutset };

}  // namespace tulle::omp
