// SPDX-License-Identifier: Apache-2.0
// Messages to the user: one line on standard error, behind "tulle: ".
#pragma once

namespace tulle::os {

__attribute__((format(printf, 1, 2))) void report(const char* format, ...);

// Says it and ends the process by abort().
[[noreturn]] __attribute__((format(printf, 1, 2))) void fatal(const char* format, ...);

}  // namespace tulle::os
