// SPDX-License-Identifier: Apache-2.0
// tulle_with_digest(a, b, -, function): jumps to function(a, b, digest of x19 to x28), AAPCS64: what the caller of
// this keeps there over calls. Any thread; touches no memory.

        .text
        .globl  tulle_with_digest
        .hidden tulle_with_digest
        .type   tulle_with_digest, %function
        .p2align 4
tulle_with_digest:
        .cfi_startproc
        hint    #34                     // bti c
        mov     x16, x3                 // function; a jump by x16 may reach a landing pad of calls
        mov     x9, #0x7c15
        movk    x9, #0x7f4a, lsl #16
        movk    x9, #0x79b9, lsl #32
        movk    x9, #0x9e37, lsl #48
        mov     x2, x19
        .irp    register, x20, x21, x22, x23, x24, x25, x26, x27, x28
        mul     x2, x2, x9
        ror     x2, x2, #29
        add     x2, x2, \register
        .endr
        mul     x2, x2, x9
        br      x16
        .cfi_endproc
        .size   tulle_with_digest, .-tulle_with_digest

        .section .note.gnu.property, "a" // has landing pads (BTI)
        .p2align 3
        .word   4, 16, 5
        .asciz  "GNU"
        .word   0xc0000000, 4, 1, 0

        .section .note.GNU-stack, "", %progbits
