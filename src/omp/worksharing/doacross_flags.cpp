// SPDX-License-Identifier: Apache-2.0
// Doacross loops whose schedule is not known: one bit for each iteration of the nest, zero pages
// until touched. Who waits sleeps at the word that holds the bit.
#include <cstdlib>
#include <utility>

#include "omp/tool/events.h"
#include "omp/worksharing/doacross.h"
#include "omp/worksharing/work_share_table.h"
#include "os/report.h"
#include "sched/parking.h"

namespace tulle::omp {

namespace {

struct Dimension {
  int64_t lower;
  int64_t step;
  uint64_t trips;

  // Trip number of a value; false if no trip has it.
  bool find(int64_t value, uint64_t& trip) const {
    bool before = step > 0 ? value < lower : value > lower;
    uint64_t distance = uint64_t(value) - uint64_t(lower), stride = uint64_t(step);
    trip = step > 0 ? distance / stride : (0 - distance) / (0 - stride);
    return !before && trip < trips;
  }
};

// Stands in the slot's memory, before the dimensions and the flags. Where there are tools it is there in teams of one, too,
// without flags.
struct Flags {
  uint64_t dims;

  Dimension* dimensions() { return reinterpret_cast<Dimension*>(this + 1); }
  std::atomic<uint32_t>* words() {
    return reinterpret_cast<std::atomic<uint32_t>*>(dimensions() + dims);
  }

  bool find(const int64_t* values, uint64_t& number) {
    number = 0;
    for (uint64_t i = 0; i < dims; ++i) {
      uint64_t trip;
      if (!dimensions()[i].find(values[i], trip)) return false;
      number = number * dimensions()[i].trips + trip;
    }
    return true;
  }
};

constexpr uint64_t kMostTold = 64;  // dimensions

constexpr uint32_t bit_of(uint64_t number) { return 1u << (number % 32); }

Flags* new_flags(const DoacrossDimension* dims, uint32_t n, bool alone) {
  uint64_t total = 1;
  bool fits = true;
  for (uint32_t i = 0; i < n; ++i) {
    uint64_t trips = space_through<int64_t>(dims[i].lower, dims[i].upper, dims[i].step).trips;
    fits = fits && !__builtin_mul_overflow(total, trips, &total);
  }
  size_t head = sizeof(Flags) + n * sizeof(Dimension);
  if (alone) total = 0, fits = true;
  void* memory = fits ? calloc(head + (total / 32 + 1) * sizeof(uint32_t), 1) : nullptr;
  if (memory == nullptr) os::fatal("no memory for the iterations of a doacross loop");
  auto* flags = static_cast<Flags*>(memory);
  flags->dims = n;
  for (uint32_t i = 0; i < n; ++i) {
    uint64_t trips = space_through<int64_t>(dims[i].lower, dims[i].upper, dims[i].step).trips;
    flags->dimensions()[i] = {dims[i].lower, dims[i].step, trips};
  }
  return flags;
}

Flags* flags_of(Thread* thread) {
  ShareSlot* slot = thread->team->nthreads == 1 ? nullptr : record_of(thread)->flags.slot;
  return slot == nullptr ? nullptr : static_cast<Flags*>(slot->memory);
}

// Of values that some iteration has.
TULLE_COLD void tell(Thread* thread, int kind, const int64_t* values) {
  const bool alone = thread->team->nthreads == 1;
  Flags* flags = alone ? static_cast<Flags*>(tool::of(thread->task()).nest) : flags_of(thread);
  uint64_t trips[kMostTold];
  if (flags == nullptr || flags->dims > kMostTold) return;
  for (uint64_t i = 0; i < flags->dims; ++i)
    if (!flags->dimensions()[i].find(values[i], trips[i])) return;
  tool::tell_doacross(thread, kind, trips, static_cast<uint32_t>(flags->dims));
}

// The same of a team of one, where nobody else would look at it.
TULLE_COLD void begin_told_alone(Thread* thread, const DoacrossDimension* dims, uint32_t n) {
  tool::of(thread->task()).nest = new_flags(dims, n, true);
}
TULLE_COLD void end_told_alone(Task* task) { free(std::exchange(task->tool->nest, nullptr)); }

}  // namespace

void doacross_begin(Thread* thread, const DoacrossDimension* dims, uint32_t n) {
  if (thread->team->nthreads == 1) {
    if (tool::active()) begin_told_alone(thread, dims, n);
    return;
  }
  WorkShare* share = record_of(thread);
  begin_construct(thread, share, share->flags);
  show_no_range(share);
  if (!enter_slot(thread, share, share->flags)) return;
  share->flags.slot->memory = new_flags(dims, n, false);
  open_slot(share->flags);
}

void doacross_post(Thread* thread, const int64_t* values) {
  if (tool::active()) tell(thread, tool::kSourceDependence, values);
  Flags* flags = flags_of(thread);
  uint64_t number;
  if (flags == nullptr || !flags->find(values, number)) return;
  std::atomic<uint32_t>& word = flags->words()[number / 32];
  ult::happens_before(&word);
  word.fetch_or(bit_of(number), std::memory_order_release);  // pairs with the load in doacross_wait
  sched::wake_all(word);
}

namespace {

TULLE_MAY_SUSPEND void wait_for(Thread* thread, const int64_t* values) {
  Flags* flags = flags_of(thread);
  uint64_t number;
  if (flags == nullptr || !flags->find(values, number)) return;
  const std::atomic<uint32_t>& word = flags->words()[number / 32];
  for (uint32_t seen; ((seen = word.load(std::memory_order_acquire)) & bit_of(number)) == 0;)
    sched::wait_while(word, seen);
  ult::happens_after(&word);
}

}  // namespace

void doacross_wait(Thread* thread, const int64_t* values) {
  wait_for(thread, values);
  if (tool::active()) tell(self(), tool::kSinkDependence, values);
}

void doacross_end(Thread* thread) {
  if (thread->team->nthreads == 1) {
    if (Task* task = thread->task(); TULLE_UNLIKELY(task->tool != nullptr)) end_told_alone(task);
    return;
  }
  WorkShare* share = record_of(thread);
  if (share->flags.slot != nullptr) leave_slot(thread->team, share->flags);
}

}  // namespace tulle::omp
