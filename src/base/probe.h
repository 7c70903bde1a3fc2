// SPDX-License-Identifier: Apache-2.0
// Static probes for perf, bpftrace, SystemTap and gdb (USDT, version 3 of the note). A probe is one nop, and a note in
// the file that says where it is and in which registers or memory its arguments are; no library and no header of
// anybody's is needed. TULLE_PROBE_n(name, arguments): `n` integers or pointers, which cost no instruction where they
// are in a register or a word of memory anyway. The semaphore counts who watches; the kernel or the debugger writes it.
#pragma once

#include <cstdint>

extern "C" __attribute__((visibility("hidden"))) std::uint16_t tulle_probe_watchers;

#define TULLE_PROBE_NOTE(name, arguments)                                      \
  "990: nop\n"                                                                 \
  ".pushsection .note.stapsdt, \"?\", \"note\"\n"                              \
  ".balign 4\n"                                                                \
  ".4byte 992f - 991f, 994f - 993f, 3\n" /* lengths of owner and text, type */ \
  "991: .asciz \"stapsdt\"\n"                                                  \
  "992: .balign 4\n"                                                           \
  "993: .8byte 990b, _.stapsdt.base, tulle_probe_watchers\n"                   \
  ".asciz \"tulle\"\n"                                                         \
  ".asciz \"" #name "\"\n"                                                     \
  ".asciz \"" arguments "\"\n"                                                 \
  "994: .balign 4\n"                                                           \
  ".popsection\n"                                                              \
  ".ifndef _.stapsdt.base\n" /* where prelinked files are seen to have moved */ \
  ".pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat\n"  \
  ".weak _.stapsdt.base\n"                                                     \
  ".hidden _.stapsdt.base\n"                                                   \
  "_.stapsdt.base: .space 1\n"                                                 \
  ".size _.stapsdt.base, 1\n"                                                  \
  ".popsection\n"                                                              \
  ".endif\n"

// Each argument: its size and its place.
#define TULLE_PROBE_1(name, a) asm volatile(TULLE_PROBE_NOTE(name, "%c1@%0") : : "nor"(a), "i"(sizeof(a)))
#define TULLE_PROBE_2(name, a, b)                         \
  asm volatile(TULLE_PROBE_NOTE(name, "%c2@%0 %c3@%1")    \
               :                                          \
               : "nor"(a), "nor"(b), "i"(sizeof(a)), "i"(sizeof(b)))
#define TULLE_PROBE_3(name, a, b, c)                           \
  asm volatile(TULLE_PROBE_NOTE(name, "%c3@%0 %c4@%1 %c5@%2")  \
               :                                               \
               : "nor"(a), "nor"(b), "nor"(c), "i"(sizeof(a)), "i"(sizeof(b)), "i"(sizeof(c)))
