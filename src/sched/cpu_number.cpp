// SPDX-License-Identifier: Apache-2.0
#include "sched/cpu_number.h"

#include "os/clock.h"
#include "os/cpus.h"
#include "os/thread.h"
#include "sched/durations.h"
#include "sched/workers.h"

namespace tulle::sched {

namespace {

constexpr uint32_t kMost = 1024;
constexpr uint32_t kStepBits = 48;

// The worker's index and one, and its steps when it was told the number; 0: nobody's. So no word comes twice.
struct TULLE_CACHE_ALIGNED Owner {
  std::atomic<uint64_t> word{0};  // W: the worker that it names; others once that has moved on
};
Owner owners[kMost];

// Acquire: what the worker did in earlier steps is over; pairs with count_step.
uint64_t word_of(const Worker* w) {
  uint64_t steps = w->steps.load(std::memory_order_acquire) & ((uint64_t{1} << kStepBits) - 1);
  return uint64_t{w->index + 1} << kStepBits | steps;
}

const Worker* worker_of(uint64_t word) {
  return word != 0 ? all_workers[(word >> kStepBits) - 1].load(std::memory_order_relaxed) : nullptr;
}

bool has_moved_on(uint64_t word) {
  const Worker* w = worker_of(word);
  if (w == nullptr || word_of(w) != word) return true;
  return w->asleep.load(std::memory_order_acquire) != 0;  // pairs with going there
}

// `mine`: the caller's word. A worker that has made no step meanwhile may be amid its call: it keeps its number.
bool take(Owner& owner, uint64_t mine) {
  uint64_t word = owner.word.load(std::memory_order_relaxed);
  if (word == mine) return true;
  return has_moved_on(word) && owner.word.compare_exchange_strong(word, mine, std::memory_order_relaxed);
}

uint64_t cpu_time_of(uint64_t word) {
  const Worker* w = worker_of(word);
  return w != nullptr ? os::cpu_time_of(w->kernel_id.load(std::memory_order_relaxed)) : 0;
}

// With one owner of a number, as often as it is asked.
class Patience {
 public:
  bool is_over(uint64_t word) {
    uint64_t now = os::now();
    if (word != word_) {
      word_ = word;
      since_ = now;
      cpu_time_ = cpu_time_of(word);
    }
    if (now - since_ < durations::kNumberComputes) return false;
    return now - since_ > durations::kNumberPatience || cpu_time_of(word) - cpu_time_ > durations::kNumberComputes;
  }

 private:
  uint64_t word_ = 0, since_ = 0, cpu_time_ = 0;
};

bool take_any(uint32_t count, uint32_t first, uint64_t mine, uint32_t& number) {
  for (uint32_t i = 0; i < count; ++i) {
    number = first + i < count ? first + i : first + i - count;
    if (take(owners[number], mine)) return true;
  }
  return false;
}

}  // namespace

uint32_t cpu_number(Worker* w, uint32_t count) {
  if (count > kMost) count = kMost;
  const uint64_t mine = word_of(w);
  const uint32_t first = w->cpu_number < count ? w->cpu_number : 0;
  uint32_t number;
  Patience patience;
  while (!take_any(count, first, mine, number)) {
    os::yield_core();
    uint64_t word = owners[first].word.load(std::memory_order_relaxed);
    if (!patience.is_over(word)) continue;
    number = first;
    if (owners[first].word.compare_exchange_strong(word, mine, std::memory_order_relaxed)) break;
  }
  return w->cpu_number = number;
}

}  // namespace tulle::sched
