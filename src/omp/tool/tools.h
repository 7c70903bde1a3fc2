// SPDX-License-Identifier: Apache-2.0
// The tools that have registered, and the callbacks of each. Several at once: each has data of its own at every
// thread, region and task. Written by the tools themselves, through their own set_callback; any thread reads.
#pragma once

#include <atomic>

#include "base/cacheline.h"
#include "omp/tool/active.h"
#include "omp/tool/interface.h"
#include "ult/sanitizer.h"

namespace tulle::omp::tool {

inline constexpr uint32_t kTools = 4;

struct Tool {
  StartResult* result = nullptr;
  bool keeps_thread_locals = true;  // of its own; W: the tool, while it registers
  std::atomic<Callback> callbacks[kAllEvents] = {};
};

extern TULLE_NEAR Tool tools[kTools];
extern TULLE_NEAR std::atomic<uint32_t> tool_count;

// Some tool has a callback for it.
bool wants(Event event);

// Of tools that are active some has thread-local data, as any may that has not said otherwise.
bool keeps_thread_locals();

// Whether explicit tasks have records and say when they are made, begin and end. Whoever registers a callback.
void note_wishes();

// What ThreadSanitizer takes the callbacks of the calling OpenMP thread for (ult::Aside); null: there is none.
TULLE_COLD void** callbacks_fiber();

// Calls each tool's callback of an event with call(callback, number of the tool). Relaxed: who misses one that is
// being registered tells that tool of one event less.
template <Event event, class Call>
inline void tell(Call call) {
  uint32_t count = tool_count.load(std::memory_order_acquire);  // pairs with the loader: its tool is initialised
  for (uint32_t i = 0; i < count; ++i) {
    Callback callback = tools[i].callbacks[static_cast<uint32_t>(event)].load(std::memory_order_relaxed);
    if (callback == nullptr) continue;
    const auto typed = reinterpret_cast<typename CallbackOf<event>::Type>(callback);
    if (TULLE_LIKELY(!ult::race_detector)) {
      call(typed, i);
    } else {
      const ult::Aside aside(callbacks_fiber());
      call(typed, i);
    }
  }
}

}  // namespace tulle::omp::tool
