// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tulle::ult::library {

inline constexpr char kName[] = "MassiveThreads", kModule[] = "libmyth";
inline constexpr size_t kStack = 64 * 1024;
inline constexpr bool kAdopts = true, kAdds = false;
inline constexpr char kCount[] = "MYTH_NUM_WORKERS";

}  // namespace tulle::ult::library
