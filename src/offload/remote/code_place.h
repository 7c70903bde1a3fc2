// SPDX-License-Identifier: Apache-2.0
// Where a function or variable is, in words that another process that runs the same program understands: the module,
// known by its build id or, if it has none, by its code, and the offset in it. Any thread; takes the loader's lock.
#pragma once

#include <cstdint>

namespace tulle::offload {

struct CodePlace {
  uint64_t module;  // 0: none
  uint64_t offset;
};

CodePlace place_of(const void* address);
// Null: no such module is loaded here, or it is shorter.
void* address_of(const CodePlace& place);

}  // namespace tulle::offload
