// SPDX-License-Identifier: Apache-2.0
#include "mpi.h"

#include <atomic>

#include "budget.h"
#include "callbacks.h"
#include "stats/mpi_calls.h"
#include "thread.h"

namespace tulle::stats {

namespace {

struct Shared {
  std::atomic<const char*> call{nullptr};
  std::atomic<uint64_t> count{0}, time{0};
};
Shared shared[kSites];  // relaxed: sums that are read at the end

// While it lives the calling thread waits in MPI. A call that another one makes is part of it.
class Waiting {
 public:
  Waiting(MpiCall call, const void* code) : call_(kMpiNames[static_cast<uint32_t>(call)]), code_(code), begin_(ticks()) {
    Thread* thread = current_thread();
    if (thread == nullptr) return;
    inner_ = thread->activity() == Activity::mpi;
    if (thread->part != nullptr) region_ = thread->part->site;
    if (!inner_) thread->wait(Activity::mpi, begin_);
  }
  ~Waiting() {
    if (inner_ || budget.ended_at() != 0) return;
    const uint64_t now = ticks();
    Shared& totals = shared[site_of(SiteKind::mpi, code_, region_)];
    totals.call.store(call_, std::memory_order_relaxed);
    totals.count.fetch_add(1, std::memory_order_relaxed);
    totals.time.fetch_add(now - begin_, std::memory_order_relaxed);
    if (Thread* thread = current_thread(); thread != nullptr) thread->go_on(now);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  const char* call_;
  const void* code_;
  uint64_t begin_;
  uint32_t region_ = kSerial;
  bool inner_ = false;
};

}  // namespace

MpiTotals mpi_totals(uint32_t site) {
  const Shared& totals = shared[site];
  return {totals.call.load(std::memory_order_relaxed), totals.count.load(std::memory_order_relaxed),
          totals.time.load(std::memory_order_relaxed)};
}

void forget_mpi() {
  for (Shared& totals : shared) {
    totals.count.store(0, std::memory_order_relaxed);
    totals.time.store(0, std::memory_order_relaxed);
  }
}

}  // namespace tulle::stats

#define TULLE_MPI_CALL(name, fortran, count, fortran_count) \
  TULLE_MPI_CALL_OF(tulle::stats::Waiting, name, fortran, count, fortran_count)
TULLE_MPI_CALLS(TULLE_MPI_CALL)
