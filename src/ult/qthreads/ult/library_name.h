// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tulle::ult::library {

inline constexpr char kName[] = "Qthreads", kModule[] = "libqthread.so";
inline constexpr size_t kStack = 64 * 1024;
inline constexpr bool kAdopts = true, kAdds = false;
inline constexpr char kCount[] = "QT_NUM_SHEPHERDS";

}  // namespace tulle::ult::library
