// SPDX-License-Identifier: Apache-2.0
// tulle_call_with_digest(object, function): AAPCS64. Any thread; reads the twelve words above the stack
// pointer.

        .text
        .globl  tulle_call_with_digest
        .hidden tulle_call_with_digest
        .type   tulle_call_with_digest, %function
        .p2align 4
tulle_call_with_digest:
        .cfi_startproc
        hint    #34                     // bti c
        mov     x16, x1                 // function
        mov     x9, sp                  // the sum is turned before the next word comes in: that two change places shows
        add     x1, x30, x9
        .irp    word, x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, x29
        eor     x1, \word, x1, ror #55
        .endr
        .irp    offset, 0, 16, 32, 48, 64, 80
        ldp     x10, x11, [sp, #\offset]
        eor     x1, x10, x1, ror #55
        eor     x1, x11, x1, ror #55
        .endr
        br      x16
        .cfi_endproc
        .size   tulle_call_with_digest, .-tulle_call_with_digest

#include "property.inc"
        .section .note.GNU-stack, "", %progbits
