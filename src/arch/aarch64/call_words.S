// SPDX-License-Identifier: Apache-2.0
// tulle_call_words(function, first, second, words, count): AAPCS64. The first eight integer arguments
// go in registers, the others on the stack, the ninth lowest, with the stack aligned to 16 bytes. Any
// thread; touches nothing but its own frame.

        .text
        .globl  tulle_call_words
        .hidden tulle_call_words
        .type   tulle_call_words, %function
        .p2align 4
tulle_call_words:
        .cfi_startproc
        hint    #34                     // bti c
        stp     x29, x30, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        mov     x29, sp
        .cfi_def_cfa_register x29
        mov     x16, x0                 // function
        mov     x9, x3                  // words
        mov     x10, x4                 // words left to place, from the last to the first
        mov     x0, x1                  // first
        mov     x1, x2                  // second
        subs    x11, x10, #6            // of them on the stack
        b.ls    2f
        add     x12, x11, #1            // an odd number of words there needs one of padding
        and     x12, x12, #~1
        sub     sp, sp, x12, lsl #3
        add     x13, x9, #48
1:      sub     x11, x11, #1
        ldr     x14, [x13, x11, lsl #3]
        str     x14, [sp, x11, lsl #3]
        cbnz    x11, 1b
        mov     x10, #6
2:      cbz     x10, 3f
        ldr     x2, [x9]
        cmp     x10, #2
        b.lo    3f
        ldr     x3, [x9, #8]
        b.eq    3f
        ldr     x4, [x9, #16]
        cmp     x10, #4
        b.lo    3f
        ldr     x5, [x9, #24]
        b.eq    3f
        ldr     x6, [x9, #32]
        cmp     x10, #6
        b.lo    3f
        ldr     x7, [x9, #40]
3:      blr     x16
        mov     sp, x29
        .cfi_def_cfa_register sp
        ldp     x29, x30, [sp], #16
        .cfi_restore x29
        .cfi_restore x30
        .cfi_def_cfa_offset 0
        ret
        .cfi_endproc
        .size   tulle_call_words, .-tulle_call_words

#include "property.inc"
        .section .note.GNU-stack, "", %progbits
