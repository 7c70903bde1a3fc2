// SPDX-License-Identifier: Apache-2.0
// aarch64: how floating-point operations are done: rounding, exceptions that trap, denormal numbers. One
// word: FPCR, moved up by five bits, and the five flags of IEEE 754 out of FPSR in the lowest ones. Reading costs
// little, loading FPCR may drain the pipeline: only what differs is loaded.
#pragma once

#include <cstdint>

namespace tulle::arch {

using FloatControl = uint32_t;

inline constexpr FloatControl kFloatFlags = 0x1f;
inline constexpr int kFloatFlagBits = 5;

inline uint64_t control_register() {
  uint64_t value;
  asm volatile("mrs %0, fpcr" : "=r"(value));
  return value;
}

inline void set_control_register(uint64_t value) { asm volatile("msr fpcr, %0" ::"r"(value)); }

inline uint64_t flags_register() {
  uint64_t value;
  asm volatile("mrs %0, fpsr" : "=r"(value));
  return value;
}

inline FloatControl float_control() {
  return static_cast<FloatControl>(control_register() << kFloatFlagBits | (flags_register() & kFloatFlags));
}

__attribute__((noinline, cold)) inline void load_float_control(FloatControl now, FloatControl wanted) {
  if (((now ^ wanted) & ~kFloatFlags) != 0) set_control_register(wanted >> kFloatFlagBits);
  if (((now ^ wanted) & kFloatFlags) == 0) return;
  uint64_t flags = (flags_register() & ~uint64_t{kFloatFlags}) | (wanted & kFloatFlags);
  asm volatile("msr fpsr, %0" ::"r"(flags));
}

// Where something begins: the flags that are set stay.
inline void use_float_control(FloatControl now, FloatControl wanted) {
  if (__builtin_expect(((now ^ wanted) & ~kFloatFlags) != 0, 0))
    load_float_control(now, (wanted & ~kFloatFlags) | (now & kFloatFlags));
}

// What goes on has its own flags, too.
inline void restore_float_control(FloatControl now, FloatControl own) {
  if (__builtin_expect(now != own, 0)) load_float_control(now, own);
}

// Where two bytes have room: traps in the low half, half precision's denormal numbers at bit 8, and above bit 10
// denormal numbers, rounding and formats. What no routine of C or Fortran sets stays as it is.
using ShortFloatControl = uint16_t;

inline constexpr uint64_t kTrapBits = 0xbf00, kModeBits = 0x7c80000;  // in FPCR

inline ShortFloatControl short_float_control() {
  uint64_t control = control_register();
  return static_cast<ShortFloatControl>((control & kTrapBits) >> 8 | (control & kModeBits) >> 11);
}

inline void use_short_float_control(ShortFloatControl wanted) {
  if (__builtin_expect(short_float_control() == wanted, 1)) return;
  uint64_t bits = (uint64_t{wanted} << 8 & kTrapBits) | (uint64_t{wanted} << 11 & kModeBits);
  set_control_register((control_register() & ~(kTrapBits | kModeBits)) | bits);
}

// For a call that may be short: what was in force comes back with its end.
class KeepFloatControl {
 public:
  KeepFloatControl() : own_(control_register()) {}
  ~KeepFloatControl() { restore(); }
  // The same between two calls.
  void restore() {
    if (__builtin_expect(control_register() != own_, 0)) set_control_register(own_);
  }
  KeepFloatControl(const KeepFloatControl&) = delete;
  KeepFloatControl& operator=(const KeepFloatControl&) = delete;

 private:
  uint64_t own_;
};

using KeepShortFloatControl = KeepFloatControl;

}  // namespace tulle::arch
