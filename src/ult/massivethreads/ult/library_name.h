// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tulle::ult::library {

inline constexpr char kName[] = "MassiveThreads", kModule[] = "libmyth";
inline constexpr size_t kStack = 64 * 1024;
inline constexpr bool kAdopts = true, kAdds = false;
inline constexpr uint32_t kOsThreads = 96;  // there are no more later

}  // namespace tulle::ult::library
