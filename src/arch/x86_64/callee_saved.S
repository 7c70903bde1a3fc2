// SPDX-License-Identifier: Apache-2.0
// tulle_with_digest(a, b, -, function): jumps to function(a, b, digest of rbx, rbp and r12 to r15), System V x86-64
// calling convention: what the caller of this keeps there over calls. Any thread; touches no memory.

        .text
        .globl  tulle_with_digest
        .hidden tulle_with_digest
        .type   tulle_with_digest, @function
        .p2align 4
tulle_with_digest:
        .cfi_startproc
        endbr64
        movabsq $0x9e3779b97f4a7c15, %rax
        movq    %rbx, %rdx
        .irp    register, rbp, r12, r13, r14, r15
        imulq   %rax, %rdx
        rorq    $29, %rdx
        addq    %\register, %rdx
        .endr
        imulq   %rax, %rdx
        jmp     *%rcx
        .cfi_endproc
        .size   tulle_with_digest, .-tulle_with_digest

#include "property.inc"
        .section .note.GNU-stack,"",@progbits
