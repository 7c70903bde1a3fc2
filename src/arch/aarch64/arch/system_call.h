// SPDX-License-Identifier: Apache-2.0
// aarch64 Linux: a system call that leaves errno alone, since the TLS block in force can be lent.
// Returns what the kernel returns: a negative error number on failure.
#pragma once

namespace tulle::arch {

inline long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                        long f = 0) {
  register long x8 asm("x8") = number;
  register long x0 asm("x0") = a;
  register long x1 asm("x1") = b;
  register long x2 asm("x2") = c;
  register long x3 asm("x3") = d;
  register long x4 asm("x4") = e;
  register long x5 asm("x5") = f;
  asm volatile("svc #0"
               : "+r"(x0)
               : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
               : "memory", "cc");
  return x0;
}

}  // namespace tulle::arch
