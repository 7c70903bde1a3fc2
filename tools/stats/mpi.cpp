// SPDX-License-Identifier: Apache-2.0
// Arguments are passed on as words, whatever they are: integers and pointers alike take one each, by the processors'
// calling conventions, so one definition serves all MPIs.
#include "mpi.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "budget.h"
#include "callbacks.h"
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
  Waiting(const char* call, const void* code) : call_(call), code_(code), begin_(ticks()) {
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

template <class Function>
Function* next(std::atomic<void*>& known, const char* name) {
  void* function = known.load(std::memory_order_relaxed);  // the same whoever looks it up
  if (function == nullptr) {
    function = dlsym(RTLD_NEXT, name);
    if (function == nullptr) {
      std::fprintf(stderr, "tulle: stats: the program calls %s, and no library has it\n", name);
      std::abort();
    }
    known.store(function, std::memory_order_relaxed);
  }
  return reinterpret_cast<Function*>(function);
}

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

#define TULLE_WAITING_CALL(symbol, name, parameters, arguments)                           \
  extern "C" __attribute__((visibility("default"))) int symbol parameters {               \
    static std::atomic<void*> known{nullptr};                                             \
    auto* real = tulle::stats::next<int parameters>(known, #symbol);                      \
    tulle::stats::Waiting waiting(name, __builtin_return_address(0));                     \
    return real arguments;                                                                \
  }

// By the number of arguments in C; Fortran's have one more, the error.
#define TULLE_P1 long a
#define TULLE_P2 TULLE_P1, long b
#define TULLE_P3 TULLE_P2, long c
#define TULLE_P4 TULLE_P3, long d
#define TULLE_P5 TULLE_P4, long e
#define TULLE_P6 TULLE_P5, long f
#define TULLE_P7 TULLE_P6, long g
#define TULLE_P8 TULLE_P7, long h
#define TULLE_P9 TULLE_P8, long i
#define TULLE_P10 TULLE_P9, long j
#define TULLE_P12 TULLE_P10, long k, long l
#define TULLE_P13 TULLE_P12, long m
#define TULLE_A1 a
#define TULLE_A2 TULLE_A1, b
#define TULLE_A3 TULLE_A2, c
#define TULLE_A4 TULLE_A3, d
#define TULLE_A5 TULLE_A4, e
#define TULLE_A6 TULLE_A5, f
#define TULLE_A7 TULLE_A6, g
#define TULLE_A8 TULLE_A7, h
#define TULLE_A9 TULLE_A8, i
#define TULLE_A10 TULLE_A9, j
#define TULLE_A12 TULLE_A10, k, l
#define TULLE_A13 TULLE_A12, m

#define TULLE_MPI_CALL(name, fortran, count, fortran_count)                                  \
  TULLE_WAITING_CALL(MPI_##name, "MPI_" #name, (TULLE_P##count), (TULLE_A##count))           \
  TULLE_WAITING_CALL(mpi_##fortran##_, "MPI_" #name, (TULLE_P##fortran_count), (TULLE_A##fortran_count))

TULLE_MPI_CALL(Recv, recv, 7, 8)
TULLE_MPI_CALL(Send, send, 6, 7)
TULLE_MPI_CALL(Ssend, ssend, 6, 7)
TULLE_MPI_CALL(Sendrecv, sendrecv, 12, 13)
TULLE_MPI_CALL(Sendrecv_replace, sendrecv_replace, 9, 10)
TULLE_MPI_CALL(Probe, probe, 4, 5)
TULLE_MPI_CALL(Wait, wait, 2, 3)
TULLE_MPI_CALL(Waitall, waitall, 3, 4)
TULLE_MPI_CALL(Waitany, waitany, 4, 5)
TULLE_MPI_CALL(Waitsome, waitsome, 5, 6)
TULLE_MPI_CALL(Barrier, barrier, 1, 2)
TULLE_MPI_CALL(Bcast, bcast, 5, 6)
TULLE_MPI_CALL(Reduce, reduce, 7, 8)
TULLE_MPI_CALL(Allreduce, allreduce, 6, 7)
TULLE_MPI_CALL(Reduce_scatter, reduce_scatter, 6, 7)
TULLE_MPI_CALL(Scan, scan, 6, 7)
TULLE_MPI_CALL(Gather, gather, 8, 9)
TULLE_MPI_CALL(Gatherv, gatherv, 9, 10)
TULLE_MPI_CALL(Scatter, scatter, 8, 9)
TULLE_MPI_CALL(Scatterv, scatterv, 9, 10)
TULLE_MPI_CALL(Allgather, allgather, 7, 8)
TULLE_MPI_CALL(Allgatherv, allgatherv, 8, 9)
TULLE_MPI_CALL(Alltoall, alltoall, 7, 8)
TULLE_MPI_CALL(Alltoallv, alltoallv, 9, 10)
