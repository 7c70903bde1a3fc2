// SPDX-License-Identifier: Apache-2.0
// What GCC and Clang call for each access to memory and each atomic operation of code that they build with
// -fsanitize=thread (the interface of compiler-rt, sanitizer/tsan_interface_atomic.h): no sanitizer stands behind
// it here, but the model. Built without that option itself.
#include <cstdint>

#include "arch/simulation.h"
#include "coherence/lines.h"

using namespace tulle::coherence;

namespace {

std::uintptr_t number_of(const volatile void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

#define TULLE_CALLER __builtin_return_address(0)

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_read(void** address) { read_line(number_of(address), TULLE_CALLER); }
void __tsan_vptr_update(void** address, void*) { write_line(number_of(address), TULLE_CALLER); }
void __tsan_read_range(void* address, unsigned long) { read_line(number_of(address), TULLE_CALLER); }
void __tsan_write_range(void* address, unsigned long) { write_line(number_of(address), TULLE_CALLER); }

#define TULLE_PLAIN(suffix)                                                                 \
  void __tsan_read##suffix(void* a) { read_line(number_of(a), TULLE_CALLER); }              \
  void __tsan_write##suffix(void* a) { write_line(number_of(a), TULLE_CALLER); }            \
  void __tsan_unaligned_read##suffix(void* a) { read_line(number_of(a), TULLE_CALLER); }    \
  void __tsan_unaligned_write##suffix(void* a) { write_line(number_of(a), TULLE_CALLER); }  \
  void __tsan_volatile_read##suffix(void* a) { read_line(number_of(a), TULLE_CALLER); }     \
  void __tsan_volatile_write##suffix(void* a) { write_line(number_of(a), TULLE_CALLER); }

TULLE_PLAIN(1)
TULLE_PLAIN(2)
TULLE_PLAIN(4)
TULLE_PLAIN(8)
TULLE_PLAIN(16)

#define TULLE_CHANGE(bits, type, name, builtin)                       \
  type __tsan_atomic##bits##_##name(volatile type* a, type v, int) {  \
    change_line(number_of(a), TULLE_CALLER);                          \
    return builtin(a, v, __ATOMIC_RELAXED);                           \
  }

#define TULLE_COMPARE(bits, type, name)                                                                    \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile type* a, type* expected, type v, int, int) {  \
    change_line(number_of(a), TULLE_CALLER);                                                               \
    return __atomic_compare_exchange_n(a, expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);         \
  }

#define TULLE_ATOMIC(bits, type)                                                                        \
  type __tsan_atomic##bits##_load(const volatile type* a, int) {                                        \
    read_line(number_of(a), TULLE_CALLER);                                                              \
    return __atomic_load_n(a, __ATOMIC_RELAXED);                                                        \
  }                                                                                                     \
  void __tsan_atomic##bits##_store(volatile type* a, type v, int order) {                               \
    if (order == __ATOMIC_SEQ_CST)                                                                      \
      change_line(number_of(a), TULLE_CALLER);                                                          \
    else                                                                                                \
      write_line(number_of(a), TULLE_CALLER);                                                           \
    __atomic_store_n(a, v, __ATOMIC_RELAXED);                                                           \
  }                                                                                                     \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* a, type expected, type v, int, int) {  \
    change_line(number_of(a), TULLE_CALLER);                                                            \
    __atomic_compare_exchange_n(a, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);            \
    return expected;                                                                                    \
  }                                                                                                     \
  TULLE_CHANGE(bits, type, exchange, __atomic_exchange_n)                                               \
  TULLE_CHANGE(bits, type, fetch_add, __atomic_fetch_add)                                               \
  TULLE_CHANGE(bits, type, fetch_sub, __atomic_fetch_sub)                                               \
  TULLE_CHANGE(bits, type, fetch_and, __atomic_fetch_and)                                               \
  TULLE_CHANGE(bits, type, fetch_or, __atomic_fetch_or)                                                 \
  TULLE_CHANGE(bits, type, fetch_xor, __atomic_fetch_xor)                                               \
  TULLE_CHANGE(bits, type, fetch_nand, __atomic_fetch_nand)                                             \
  TULLE_COMPARE(bits, type, strong)                                                                     \
  TULLE_COMPARE(bits, type, weak)

TULLE_ATOMIC(8, std::uint8_t)
TULLE_ATOMIC(16, std::uint16_t)
TULLE_ATOMIC(32, std::uint32_t)
TULLE_ATOMIC(64, std::uint64_t)

void __tsan_atomic_thread_fence(int order) {
  if (order == __ATOMIC_SEQ_CST) tulle_sim_fence();
}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
