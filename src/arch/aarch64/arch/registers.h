// SPDX-License-Identifier: Apache-2.0
// aarch64 Linux: the registers that a signal handler finds in its context.
#pragma once

#include <signal.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "arch/system_call.h"
#include "base/hash.h"

namespace tulle::arch {

inline constexpr uint32_t kSupervisorCall = 0xd4000001;  // svc #0

// It returns from a system call, or is to begin it anew. The page before may hold no readable code: the kernel
// reads both instructions first, and finds that it is asked for nothing.
inline bool in_system_call(const ucontext_t& context) {
  constexpr int kNothing = -1;
  auto address = static_cast<uintptr_t>(context.uc_mcontext.pc) - sizeof(uint32_t);
  if (system_call(SYS_rt_sigprocmask, kNothing, static_cast<long>(address), 0, 8) == -EFAULT) return false;
  uint32_t instructions[2];
  memcpy(instructions, reinterpret_cast<const void*>(address), sizeof instructions);
  return instructions[0] == kSupervisorCall || instructions[1] == kSupervisorCall;
}

inline const void* stack_pointer(const ucontext_t& context) {
  return reinterpret_cast<const void*>(context.uc_mcontext.sp);
}

inline const void* instruction_pointer(const ucontext_t& context) {
  return reinterpret_cast<const void*>(context.uc_mcontext.pc);
}

// The vector registers stand in the first of the records that follow the general ones, if the kernel wrote it.
inline const fpsimd_context* vectors(const ucontext_t& context) {
  const auto* record = reinterpret_cast<const fpsimd_context*>(context.uc_mcontext.__reserved);
  return record->head.magic == FPSIMD_MAGIC ? record : nullptr;
}

// A digest of the instruction pointer, the general registers and the low halves of the vector
// registers. Equal registers have equal digests; it is odd.
inline uint64_t registers_digest(const ucontext_t& context) {
  uint64_t digest = 1;
  auto add = [&digest](uint64_t word) {
    digest = golden_hash(digest, word);
    digest ^= digest >> 29;
  };
  for (uint64_t word : context.uc_mcontext.regs) add(word);
  add(context.uc_mcontext.sp);
  add(context.uc_mcontext.pc);
  if (const fpsimd_context* floating = vectors(context))
    for (const auto& vector : floating->vregs) {
      add(static_cast<uint64_t>(vector));
      add(static_cast<uint64_t>(vector >> 64));
    }
  return digest | 1;
}

}  // namespace tulle::arch
