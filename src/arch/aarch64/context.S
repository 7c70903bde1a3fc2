// SPDX-License-Identifier: Apache-2.0
// Context switch for aarch64 (AAPCS64). The frame of 176 bytes, from the saved stack pointer upwards:
//   0: x29 x30; 16: x19 to x28; 96: d8 to d15; 160: FPCR, FPSR
// Control words are written only when they differ. The return address is the caller's own, which a caller that
// signs its addresses signs in its own frame, under the stack pointer that it has again.

        .text
        .globl  tulle_context_switch
        .hidden tulle_context_switch
        .type   tulle_context_switch, %function
        .globl  tulle_context_switch_alike      // `ret` is good for both
        .hidden tulle_context_switch_alike
        .type   tulle_context_switch_alike, %function
        .p2align 5
tulle_context_switch:
tulle_context_switch_alike:
        .cfi_startproc
        hint    #34                     // bti c
        stp     x29, x30, [sp, #-176]!
        .cfi_def_cfa_offset 176
        .cfi_offset x29, -176
        .cfi_offset x30, -168
        stp     x19, x20, [sp, #16]
        .cfi_offset x19, -160
        .cfi_offset x20, -152
        stp     x21, x22, [sp, #32]
        .cfi_offset x21, -144
        .cfi_offset x22, -136
        stp     x23, x24, [sp, #48]
        .cfi_offset x23, -128
        .cfi_offset x24, -120
        stp     x25, x26, [sp, #64]
        .cfi_offset x25, -112
        .cfi_offset x26, -104
        stp     x27, x28, [sp, #80]
        .cfi_offset x27, -96
        .cfi_offset x28, -88
        stp     d8, d9, [sp, #96]
        .cfi_offset d8, -80
        .cfi_offset d9, -72
        stp     d10, d11, [sp, #112]
        .cfi_offset d10, -64
        .cfi_offset d11, -56
        stp     d12, d13, [sp, #128]
        .cfi_offset d12, -48
        .cfi_offset d13, -40
        stp     d14, d15, [sp, #144]
        .cfi_offset d14, -32
        .cfi_offset d15, -24
        mrs     x9, fpcr
        mrs     x10, fpsr
        stp     x9, x10, [sp, #160]
        mov     x11, sp
        str     x11, [x0]
        mov     sp, x1
        ldp     x12, x13, [sp, #160]
        cmp     x9, x12
        b.eq    1f
        msr     fpcr, x12
1:      cmp     x10, x13
        b.eq    2f
        msr     fpsr, x13
2:      cbz     x2, 3f
        mov     x0, x3
        blr     x2
3:      ldp     d14, d15, [sp, #144]
        ldp     d12, d13, [sp, #128]
        ldp     d10, d11, [sp, #112]
        ldp     d8, d9, [sp, #96]
        ldp     x27, x28, [sp, #80]
        ldp     x25, x26, [sp, #64]
        ldp     x23, x24, [sp, #48]
        ldp     x21, x22, [sp, #32]
        ldp     x19, x20, [sp, #16]
        ldp     x29, x30, [sp], #176
        .cfi_def_cfa_offset 0
        .cfi_restore x29
        .cfi_restore x30
        .cfi_restore x19
        .cfi_restore x20
        .cfi_restore x21
        .cfi_restore x22
        .cfi_restore x23
        .cfi_restore x24
        .cfi_restore x25
        .cfi_restore x26
        .cfi_restore x27
        .cfi_restore x28
        .cfi_restore d8
        .cfi_restore d9
        .cfi_restore d10
        .cfi_restore d11
        .cfi_restore d12
        .cfi_restore d13
        .cfi_restore d14
        .cfi_restore d15
        ret
        .cfi_endproc
        .size   tulle_context_switch, .-tulle_context_switch

        .globl  tulle_context_start
        .hidden tulle_context_start
        .type   tulle_context_start, %function
        .p2align 4
tulle_context_start:
        .cfi_startproc
        .cfi_undefined x30
        mov     x0, x20
        blr     x19
        brk     #1
        .cfi_endproc
        .size   tulle_context_start, .-tulle_context_start

#include "property.inc"
        .section .note.GNU-stack, "", %progbits
