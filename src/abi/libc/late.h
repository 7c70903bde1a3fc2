// SPDX-License-Identifier: Apache-2.0
// What stands in front of a function of the C library, for modules that found that one.
#pragma once

#include "abi/libc/next.h"

namespace tulle::libc {

struct Replacement {
  const char* name;
  Function replaced;
  const void* by;
};

// Those that keep no account of what others call; null-terminated by name.
extern const Replacement kReplacements[];

}  // namespace tulle::libc
