// SPDX-License-Identifier: Apache-2.0
// x86-64: how floating-point operations are done: rounding, exceptions that trap, denormal numbers. One
// word: the SSE unit's MXCSR (16 bits, the lowest six of them its flags), the x87 unit's control word above.
// Loading costs some ten cycles and more: only what differs is loaded.
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

// The x87 unit's word alone, where two bytes have room and nanoseconds count: to read the SSE unit's takes up to 5 ns, this
// half of one. C's and Fortran's routines set both; rounding and traps of the SSE unit follow this one, its
// treatment of denormal numbers stays.
using ShortFloatControl = uint16_t;

inline ShortFloatControl short_float_control() {
  uint16_t x87;
  asm volatile("fnstcw %0" : "=m"(x87));
  return x87;
}

__attribute__((noinline, cold)) inline void load_short_float_control(ShortFloatControl wanted) {
  constexpr uint32_t kTraps = 0x3f, kRounding = 0xc00;
  constexpr int kToTraps = 7, kToRounding = 3;
  FloatControl now = float_control();
  uint32_t sse = (now & 0xffff & ~(kTraps << kToTraps | kRounding << kToRounding)) |
                 (wanted & kTraps) << kToTraps | (wanted & kRounding) << kToRounding;
  load_float_control(now, sse | static_cast<uint32_t>(wanted) << 16);
}

inline void use_short_float_control(ShortFloatControl wanted) {
  if (__builtin_expect(short_float_control() != wanted, 0)) load_short_float_control(wanted);
}

// For a call that may be a few nanoseconds long: what was in force comes back with its end.
class KeepShortFloatControl {
 public:
  KeepShortFloatControl() : own_(short_float_control()) {}
  ~KeepShortFloatControl() { restore(); }
  // The same between two calls.
  void restore() { use_short_float_control(own_); }
  KeepShortFloatControl(const KeepShortFloatControl&) = delete;
  KeepShortFloatControl& operator=(const KeepShortFloatControl&) = delete;

 private:
  ShortFloatControl own_;
};

// For a call: what was in force comes back with its end.
class KeepFloatControl {
 public:
  KeepFloatControl() : own_(float_control()) {}
  ~KeepFloatControl() { use_float_control(float_control(), own_); }
  KeepFloatControl(const KeepFloatControl&) = delete;
  KeepFloatControl& operator=(const KeepFloatControl&) = delete;

 private:
  FloatControl own_;
};

}  // namespace tulle::arch
