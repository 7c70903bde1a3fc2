// SPDX-License-Identifier: Apache-2.0
// The code that the process has at some point, which is what a process forked then has for good.
#pragma once

#include <cstdint>

#include "base/array.h"

namespace tulle::offload {

class CodeRanges {
 public:
  // All that is loaded now, the program's first. False: there is no memory.
  bool note();
  bool hold(const void* function) const;

 private:
  struct Range {
    uintptr_t begin;
    uintptr_t end;
  };
  Array<Range> ranges_;
};

}  // namespace tulle::offload
