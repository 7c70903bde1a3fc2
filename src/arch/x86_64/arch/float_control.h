// SPDX-License-Identifier: Apache-2.0
// x86-64: how floating-point operations are done: rounding, exceptions that trap, denormal numbers. One
// word: the SSE unit's MXCSR (16 bits, the lowest six of them its flags), the x87 unit's control word above.
// Reading costs less than a nanosecond, loading some ten cycles: only what differs is loaded.
#pragma once

#include <cstdint>

namespace tulle::arch {

using FloatControl = uint32_t;

inline constexpr FloatControl kFloatFlags = 0x3f;

inline FloatControl float_control() {
  uint32_t sse;
  uint16_t x87;
  asm volatile("stmxcsr %0" : "=m"(sse));
  asm volatile("fnstcw %0" : "=m"(x87));
  return sse | static_cast<uint32_t>(x87) << 16;
}

// The same as two stores, for memory that is read later.
inline void store_float_control(FloatControl& where) {
  asm volatile("stmxcsr %0\n\tfnstcw 2+%0" : "=m"(where));
}

// Flags that the x87 unit has from before must not trap under a control word that lets them.
__attribute__((noinline, cold)) inline void load_float_control(FloatControl now, FloatControl wanted) {
  uint32_t sse = wanted & 0xffff;
  auto x87 = static_cast<uint16_t>(wanted >> 16);
  asm volatile("ldmxcsr %0" ::"m"(sse));
  if (static_cast<uint16_t>(now >> 16) != x87) asm volatile("fnclex\n\tfldcw %0" ::"m"(x87));
}

// Where something begins: the flags that are set stay.
inline void use_float_control(FloatControl now, FloatControl wanted) {
  if (__builtin_expect(((now ^ wanted) & ~kFloatFlags) != 0, 0))
    load_float_control(now, (wanted & ~kFloatFlags) | (now & kFloatFlags));
}

// The frame that goes on has its own flags, too.
inline void restore_float_control(FloatControl now, FloatControl own) {
  if (__builtin_expect(now != own, 0)) load_float_control(now, own);
}

// The SSE unit's word alone, where two bytes have room. The x87 unit's rounding and traps follow it, as C's and
// Fortran's routines set both.
using ShortFloatControl = uint16_t;

inline ShortFloatControl short_float_control() {
  uint32_t sse;
  asm volatile("stmxcsr %0" : "=m"(sse));
  return static_cast<ShortFloatControl>(sse);
}

inline void use_short_float_control(ShortFloatControl wanted) {
  uint32_t sse = short_float_control();
  if (__builtin_expect(((sse ^ wanted) & ~kFloatFlags) == 0, 1)) return;
  constexpr uint32_t kX87Traps = 0x3f, kX87Rounding = 0xc00;
  FloatControl now = float_control();
  uint32_t x87 = (now >> 16 & ~(kX87Traps | kX87Rounding)) | (wanted >> 7 & kX87Traps) |
                 (static_cast<uint32_t>(wanted) >> 3 & kX87Rounding);
  load_float_control(now, (wanted & ~kFloatFlags) | (now & kFloatFlags) | x87 << 16);
}

// For a call that may be short: what was in force comes back with its end. Whether it changed is told by the
// SSE unit's word, which C's and Fortran's routines change together with the other.
class KeepFloatControl {
 public:
  KeepFloatControl() { store_float_control(own_); }
  ~KeepFloatControl() { restore(); }
  // The same between two calls.
  void restore() {
    uint32_t sse;
    asm volatile("stmxcsr %0" : "=m"(sse));
    if (__builtin_expect(static_cast<uint16_t>(sse) != static_cast<uint16_t>(own_), 0)) come_back();
  }
  KeepFloatControl(const KeepFloatControl&) = delete;
  KeepFloatControl& operator=(const KeepFloatControl&) = delete;

 private:
  __attribute__((noinline, cold)) void come_back() { use_float_control(float_control(), own_); }

  FloatControl own_;
};

}  // namespace tulle::arch
