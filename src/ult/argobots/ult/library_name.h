// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tulle::ult::library {

inline constexpr char kName[] = "Argobots", kModule[] = "libabt.so";
inline constexpr size_t kStack = 64 * 1024;
inline constexpr bool kAdopts = true, kAdds = true;
inline constexpr char kCount[] = "";

}  // namespace tulle::ult::library
