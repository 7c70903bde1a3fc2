// SPDX-License-Identifier: Apache-2.0
// tulle_call_with_digest(object, function): System V x86-64 calling convention. Any thread; reads the return
// address and the twelve words above it.

        .text
        .globl  tulle_call_with_digest
        .hidden tulle_call_with_digest
        .type   tulle_call_with_digest, @function
        .p2align 4
tulle_call_with_digest:
        .cfi_startproc
        endbr64
        movq    %rsi, %r11              # function
        movq    %rsp, %rsi
        xorl    %eax, %eax              # two sums: each word is turned before the next is added, that two change places shows
        .irp    word, %rbx, %r12, %r14, 0(%rsp), 8(%rsp), 24(%rsp), 40(%rsp), 56(%rsp), 72(%rsp), 88(%rsp)
        rolq    $9, %rsi
        addq    \word, %rsi
        .endr
        .irp    word, %rbp, %r13, %r15, 16(%rsp), 32(%rsp), 48(%rsp), 64(%rsp), 80(%rsp), 96(%rsp)
        rolq    $9, %rax
        addq    \word, %rax
        .endr
        rolq    $5, %rsi
        xorq    %rax, %rsi
        jmp     *%r11
        .cfi_endproc
        .size   tulle_call_with_digest, .-tulle_call_with_digest

#include "property.inc"
        .section .note.GNU-stack,"",@progbits
