// SPDX-License-Identifier: Apache-2.0
// x86-64 Linux: the registers that a signal handler finds in its context.
#pragma once

#include <sys/ucontext.h>

#include <cstdint>
#include <cstring>

#include "base/hash.h"

namespace tulle::arch {

// It returns from a system call, which leaves the address behind it in rcx.
inline bool in_system_call(const ucontext_t& context) {
  return context.uc_mcontext.gregs[REG_RCX] == context.uc_mcontext.gregs[REG_RIP];
}

inline const void* stack_pointer(const ucontext_t& context) {
  return reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RSP]);
}

inline const void* instruction_pointer(const ucontext_t& context) {
  return reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RIP]);
}

// A digest of the instruction pointer, the general registers and the low halves of the vector
// registers. Equal registers have equal digests; it is odd.
inline uint64_t registers_digest(const ucontext_t& context) {
  uint64_t digest = 1;
  auto add = [&digest](uint64_t word) {
    digest = golden_hash(digest, word);
    digest ^= digest >> 29;
  };
  static_assert(REG_R8 == 0 && REG_RSP < REG_RIP);
  for (int i = REG_R8; i <= REG_RIP; ++i) add(static_cast<uint64_t>(context.uc_mcontext.gregs[i]));
  if (context.uc_mcontext.fpregs != nullptr) {
    for (const auto& vector : context.uc_mcontext.fpregs->_xmm) {
      uint64_t halves[2];
      memcpy(halves, &vector, sizeof halves);
      add(halves[0]);
      add(halves[1]);
    }
  }
  return digest | 1;
}

}  // namespace tulle::arch
