// SPDX-License-Identifier: Apache-2.0
// tulle_call_words(function, first, second, words, count): System V x86-64 calling convention. The
// first six integer arguments go in registers, the others on the stack, the seventh lowest, with
// the stack aligned to 16 bytes at the call. Any thread; touches nothing but its own frame.

        .text
        .globl  tulle_call_words
        .hidden tulle_call_words
        .type   tulle_call_words, @function
        .p2align 4
tulle_call_words:
        .cfi_startproc
        endbr64
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        movq    %rdi, %r11              # function
        movq    %rcx, %r10              # words
        movq    %rsi, %rdi              # first
        movq    %rdx, %rsi              # second
        movq    %r8, %rax               # words left to place, from the last to the first
        cmpq    $4, %rax
        jbe     2f
        testb   $1, %al                 # an odd number of words on the stack needs one of padding
        jz      1f
        subq    $8, %rsp
1:      pushq   -8(%r10,%rax,8)
        decq    %rax
        cmpq    $4, %rax
        ja      1b
2:      cmpq    $4, %rax
        jae     6f
        cmpq    $3, %rax
        jae     5f
        cmpq    $2, %rax
        jae     4f
        testq   %rax, %rax
        jz      7f
        jmp     3f
6:      movq    24(%r10), %r9
5:      movq    16(%r10), %r8
4:      movq    8(%r10), %rcx
3:      movq    (%r10), %rdx
7:      xorl    %eax, %eax              # no vector registers, should the callee be variadic
        call    *%r11
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   tulle_call_words, .-tulle_call_words

#include "property.inc"
        .section .note.GNU-stack,"",@progbits
