// SPDX-License-Identifier: Apache-2.0
// Built without instrumentation: what runs here may be seen as two fibers'.
#include "ult/sanitizer.h"

#include <cstddef>

#include "arch/cpu.h"

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_DEFINED(memory, bytes) ((void)(memory), (void)(bytes))
#endif

// Interfaces of compiler-rt (sanitizer/tsan_interface.h, common_interface_defs.h, lsan_interface.h).
extern "C" {
__attribute__((weak)) void* __tsan_get_current_fiber();
__attribute__((weak)) void* __tsan_create_fiber(unsigned flags);
__attribute__((weak)) void __tsan_destroy_fiber(void* fiber);
__attribute__((weak)) void __tsan_switch_to_fiber(void* fiber, unsigned flags);
__attribute__((weak)) void __tsan_set_fiber_name(void* fiber, const char* name);
__attribute__((weak)) void __tsan_acquire(void* key);
__attribute__((weak)) void __tsan_release(void* key);
__attribute__((weak)) void __sanitizer_start_switch_fiber(void** save, const void* lowest, size_t bytes);
__attribute__((weak)) void __sanitizer_finish_switch_fiber(void* saved, const void** lowest,
                                                           size_t* bytes);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void* lowest, size_t bytes);
__attribute__((weak)) void __lsan_register_root_region(const void* lowest, size_t bytes);
__attribute__((weak)) void __lsan_unregister_root_region(const void* lowest, size_t bytes);
__attribute__((weak)) void __lsan_ignore_object(const void* memory);
}

namespace tulle::ult {

bool sanitized = false;
bool race_detector = false;

namespace {

bool address_checker = false;

// In a build of the runtime under ThreadSanitizer what a worker does on one stack is ordered before
// what it does on the next one, since the worker's own data are accessed from both. A program's code
// knows nothing of workers.
#ifdef TULLE_UNDER_TSAN
constexpr unsigned kSwitchFlags = 0;
constexpr bool kFramesKnown = true;  // the runtime's own
#else
constexpr unsigned kSwitchFlags = 1;  // __tsan_switch_to_fiber_no_sync
constexpr bool kFramesKnown = false;
#endif

void describe_stack(memory::Stack* stack) {
  memory::SanitizerRecord& record = stack->sanitizer;
  if (record.known && !record.ended) return;
  if (race_detector) {
    if (record.ended) __tsan_destroy_fiber(record.fiber);
    record.fiber = __tsan_create_fiber(0);
    __tsan_set_fiber_name(record.fiber, "OpenMP stack");
  }
  if (!record.known && __lsan_register_root_region != nullptr)
    __lsan_register_root_region(stack->lowest, stack->bytes);
  record.known = true;
  record.ended = false;
}

void forget_stack(memory::Stack* stack) {
  memory::SanitizerRecord& record = stack->sanitizer;
  if (record.fiber != nullptr) __tsan_destroy_fiber(record.fiber);
  if (record.known && __lsan_unregister_root_region != nullptr)
    __lsan_unregister_root_region(stack->lowest, stack->bytes);
}

// The bounds of the stack that runs, as AddressSanitizer knows them.
void ask_bounds(memory::Stack* stack) {
  void* frames;
  const void* lowest;
  __sanitizer_start_switch_fiber(&frames, nullptr, 0);
  __sanitizer_finish_switch_fiber(frames, &lowest, &stack->bytes);
  stack->lowest = const_cast<void*>(lowest);
  __sanitizer_start_switch_fiber(&frames, stack->lowest, stack->bytes);
  __sanitizer_finish_switch_fiber(frames, nullptr, nullptr);
}

__attribute__((constructor)) void find_sanitizers() {
  race_detector = __tsan_switch_to_fiber != nullptr && __tsan_create_fiber != nullptr &&
                  __tsan_get_current_fiber != nullptr && __tsan_destroy_fiber != nullptr &&
                  __tsan_set_fiber_name != nullptr && __tsan_acquire != nullptr &&
                  __tsan_release != nullptr;
  address_checker = __asan_unpoison_memory_region != nullptr &&
                    __sanitizer_start_switch_fiber != nullptr &&
                    __sanitizer_finish_switch_fiber != nullptr;
  sanitized = race_detector || address_checker;
  if (sanitized) memory::set_unmap_hook(forget_stack);
}

}  // namespace

void adopt_stack(memory::Stack* stack) {
  memory::SanitizerRecord& record = stack->sanitizer;
  record = {};
  record.known = true;
  if (race_detector) {
    record.fiber = __tsan_get_current_fiber();
    record.rest = __tsan_create_fiber(0);
    __tsan_set_fiber_name(record.rest, "OpenMP thread at rest");
  }
  if (!address_checker) return;
  ask_bounds(stack);
  record.rest_lowest = stack->lowest;
  record.rest_bytes = stack->bytes;
}

void disown_stack(memory::Stack* stack) {
  if (stack->sanitizer.rest != nullptr) __tsan_destroy_fiber(stack->sanitizer.rest);
  stack->sanitizer = {};
}

void leave_stack(memory::Stack* from, memory::Stack* to, bool for_good) {
  describe_stack(to);
  memory::SanitizerRecord &before = from->sanitizer, &after = to->sanitizer;
  after.rest = before.rest;
  after.rest_frames = before.rest_frames;
  after.rest_lowest = before.rest_lowest;
  after.rest_bytes = before.rest_bytes;
  if (address_checker) {
    // Frames that never return leave their marks behind.
    auto* here = static_cast<char*>(__builtin_frame_address(0));
    if (for_good)
      __asan_unpoison_memory_region(here, static_cast<size_t>(static_cast<char*>(from->top()) - here));
    __sanitizer_start_switch_fiber(for_good ? nullptr : &before.frames, to->lowest, to->bytes);
    if (for_good) before.frames = nullptr;
  }
  if (race_detector) __tsan_switch_to_fiber(after.fiber, kSwitchFlags);
  before.ended = for_good && kFramesKnown && race_detector;
}

void arrive_on_stack(memory::Stack* stack) {
  if (address_checker) __sanitizer_finish_switch_fiber(stack->sanitizer.frames, nullptr, nullptr);
}

void change_tls_block(memory::Stack* stack, uintptr_t base) {
  memory::SanitizerRecord& record = stack->sanitizer;
  if (race_detector) __tsan_switch_to_fiber(record.rest, kSwitchFlags);
  if (address_checker) {
    __sanitizer_start_switch_fiber(&record.frames, record.rest_lowest, record.rest_bytes);
    __sanitizer_finish_switch_fiber(record.rest_frames, nullptr, nullptr);
  }
  arch::set_tls_base(base);
  if (address_checker) {
    __sanitizer_start_switch_fiber(&record.rest_frames, stack->lowest, stack->bytes);
    __sanitizer_finish_switch_fiber(record.frames, &record.rest_lowest, &record.rest_bytes);
  }
  if (!race_detector) return;
  record.rest = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(record.fiber, kSwitchFlags);
}

void Aside::begin(void** fiber) {
  void* now = __tsan_get_current_fiber();
  if (now == *fiber) return;
  if (*fiber == nullptr) {
    *fiber = __tsan_create_fiber(0);
    __tsan_set_fiber_name(*fiber, "tool of an OpenMP thread");
  }
  back_ = now;
  __tsan_switch_to_fiber(*fiber, 0);
}

void Aside::end() { __tsan_switch_to_fiber(back_, kSwitchFlags); }

void kept_for_good(const void* memory) {
  if (__lsan_ignore_object != nullptr) __lsan_ignore_object(memory);
}

void take_for_defined(void* memory, std::size_t bytes) { (void)VALGRIND_MAKE_MEM_DEFINED(memory, bytes); }

void note_before(const void* key) { __tsan_release(const_cast<void*>(key)); }

void note_after(const void* key) { __tsan_acquire(const_cast<void*>(key)); }

}  // namespace tulle::ult
