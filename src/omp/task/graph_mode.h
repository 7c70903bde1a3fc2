// SPDX-License-Identifier: Apache-2.0
// The setting TULLE_TASK_GRAPH. Any thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"

namespace tulle::omp {

enum class GraphMode : uint8_t { off, automatic, record, replay, unknown };

extern TULLE_NEAR std::atomic<GraphMode> graph_mode;  // unknown until the first task with dependences; written under a lock

// Reads what there is to read. Whether the mode is not off.
TULLE_COLD bool open_graph_store();

// Relaxed: what is stored is found under its lock.
inline bool graphs_repeat() {
  GraphMode mode = graph_mode.load(std::memory_order_relaxed);
  return TULLE_UNLIKELY(mode != GraphMode::off) && (mode != GraphMode::unknown || open_graph_store());
}

}  // namespace tulle::omp
