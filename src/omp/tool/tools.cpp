// SPDX-License-Identifier: Apache-2.0
#include "omp/tool/tools.h"

#include <algorithm>
#include <initializer_list>

#include "base/look.h"
#include "base/probe.h"
#include "omp/queue/task_policy.h"
#include "omp/tool/record.h"

namespace tulle::omp::tool {

bool active_word = false, left_word = false;
Tool tools[kTools];
std::atomic<uint32_t> tool_count{0};

bool wants(Event event) {
  for (const Tool& tool : tools)
    if (tool.callbacks[static_cast<uint32_t>(event)].load(std::memory_order_relaxed) != nullptr) return true;
  return false;
}

bool keeps_thread_locals() {
  const uint32_t count = tool_count.load(std::memory_order_acquire);
  return std::any_of(tools, tools + count, [](const Tool& tool) { return tool.keeps_thread_locals; });
}

void** callbacks_fiber() {
  const Thread* thread = self();
  return thread != nullptr && thread->tool != nullptr ? &thread->tool->aside : nullptr;
}

void note_wishes() {
  bool tasks = look(tulle_probe_watchers) != 0;
  for (Event event : {Event::task_create, Event::task_schedule, Event::dependences, Event::task_dependence})
    tasks = tasks || wants(event);
  observe_tasks(tasks);
}

}  // namespace tulle::omp::tool
