// SPDX-License-Identifier: Apache-2.0
#pragma once

// Changes all registers that a call keeps, but the frame pointer.
__attribute__((always_inline)) inline void change_kept_registers() {
  asm volatile("xorl %%ebx, %%ebx\n\txorl %%r12d, %%r12d\n\txorl %%r13d, %%r13d\n\txorl %%r14d, %%r14d\n\t"
               "xorl %%r15d, %%r15d"
               ::: "rbx", "r12", "r13", "r14", "r15", "cc");
}
