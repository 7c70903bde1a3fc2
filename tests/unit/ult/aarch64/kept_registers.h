// SPDX-License-Identifier: Apache-2.0
#pragma once

// Changes all registers that a call keeps, but the frame pointer.
__attribute__((always_inline)) inline void change_kept_registers() {
  asm volatile("mov x19, #0\n\tmov x20, #0\n\tmov x21, #0\n\tmov x22, #0\n\tmov x23, #0\n\tmov x24, #0\n\t"
               "mov x25, #0\n\tmov x26, #0\n\tmov x27, #0\n\tmov x28, #0"
               ::: "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28");
  asm volatile("fmov d8, xzr\n\tfmov d9, xzr\n\tfmov d10, xzr\n\tfmov d11, xzr\n\tfmov d12, xzr\n\t"
               "fmov d13, xzr\n\tfmov d14, xzr\n\tfmov d15, xzr"
               ::: "d8", "d9", "d10", "d11", "d12", "d13", "d14", "d15");
}
