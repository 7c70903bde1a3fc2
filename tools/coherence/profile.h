// SPDX-License-Identifier: Apache-2.0
// Where the cores' time goes: of each access to memory, what it took and whether it missed, added up by instruction. Time
// is put down to the instruction that waits, so that of a load to the next one, which needs it.
#pragma once

#include <cstdint>

#include "coherence/cores.h"

namespace tulle::coherence {

inline constexpr int kNoCore = -2, kAllCores = -1;

// Of one core, of all together, or of none, from now on.
void begin_profile(int core);
// The instructions that took longest, a line each: ns, misses, address in the program's file.
void print_profile();

// One access, from its beginning to its end.
class Access {
 public:
  explicit Access(const void* instruction)
      : core_(self()), instruction_(instruction), time_(core_.time), misses_(core_.misses) {}
  ~Access();
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;

 private:
  Core& core_;
  const void* instruction_;
  double time_;
  std::uint64_t misses_;
};

}  // namespace tulle::coherence
