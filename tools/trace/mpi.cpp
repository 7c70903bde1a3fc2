// SPDX-License-Identifier: Apache-2.0
// Calls of MPI that wait for other processes, as events. A call that another one makes is part of it.
#include "callbacks.h"
#include "stats/mpi_calls.h"

namespace tulle::trace {

namespace {

class Waiting {
 public:
  Waiting(stats::MpiCall call, const void* code) { note_mpi(Kind::mpi_begin, static_cast<uint32_t>(call), code); }
  ~Waiting() { note_mpi(Kind::mpi_end, 0, nullptr); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
};

}  // namespace

}  // namespace tulle::trace

#define TULLE_MPI_CALL(name, fortran, count, fortran_count) \
  TULLE_MPI_CALL_OF(tulle::trace::Waiting, name, fortran, count, fortran_count)
TULLE_MPI_CALLS(TULLE_MPI_CALL)
