// SPDX-License-Identifier: Apache-2.0
#include "ompt/callbacks.h"

namespace tulle::ompt {

using omp::tool::Answer;
using omp::tool::Event;

namespace {

// "always" where it is true for programs of all compilers. GCC 12's code does not call for static loops, at the end of
// single, for masked and flush; target tasks are not told of.
Answer dependability(Event event) {
  switch (event) {
    case Event::thread_begin:
    case Event::parallel_begin:
    case Event::parallel_end:
    case Event::implicit_task:
    case Event::control_tool:
    case Event::lock_init:
    case Event::lock_destroy:
    case Event::nest_lock:
    case Event::error:
      return Answer::always;
    case Event::sync_region:
    case Event::sync_region_wait:
    case Event::task_create:
    case Event::task_schedule:
    case Event::work:
    case Event::mutex_acquire:
    case Event::mutex_acquired:
    case Event::mutex_released:
      return Answer::sometimes_paired;
    case Event::thread_end:
    case Event::dependences:
    case Event::task_dependence:
    case Event::masked:
    case Event::flush:
    case Event::reduction:
    case Event::dispatch:
    case Event::cancel:
      return Answer::sometimes;
    default:
      return Answer::never;
  }
}

}  // namespace

Answer set_callback(uint32_t tool, uint32_t event, omp::tool::Callback callback) {
  if (event == 0 || event >= omp::tool::kEvents) return Answer::error;
  const Answer answer = dependability(static_cast<Event>(event));
  if (answer == Answer::never) return answer;
  // Relaxed: code is there before anybody knows of it.
  omp::tool::tools[tool].callbacks[event].store(callback, std::memory_order_relaxed);
  omp::tool::note_wishes();
  return answer;
}

int set_own_callback(uint32_t tool, uint32_t event, omp::tool::Callback callback) {
  if (event < omp::tool::kEvents || event >= omp::tool::kAllEvents) return 0;
  omp::tool::tools[tool].callbacks[event].store(callback, std::memory_order_relaxed);  // relaxed: as above
  return 1;
}

int get_callback(uint32_t tool, uint32_t event, omp::tool::Callback* callback) {
  if (event >= omp::tool::kEvents) return 0;
  omp::tool::Callback found = omp::tool::tools[tool].callbacks[event].load(std::memory_order_relaxed);
  if (found == nullptr) return 0;
  *callback = found;
  return 1;
}

}  // namespace tulle::ompt
