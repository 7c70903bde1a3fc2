// SPDX-License-Identifier: Apache-2.0
// Calls of MPI that wait for other processes: their names in C and in Fortran, and the numbers of their arguments.
#pragma once

#include <cstdint>

#define TULLE_MPI_CALLS(call) \
  call(Recv, recv, 7, 8)                          \
  call(Send, send, 6, 7)                          \
  call(Ssend, ssend, 6, 7)                        \
  call(Sendrecv, sendrecv, 12, 13)                \
  call(Sendrecv_replace, sendrecv_replace, 9, 10) \
  call(Probe, probe, 4, 5)                        \
  call(Wait, wait, 2, 3)                          \
  call(Waitall, waitall, 3, 4)                    \
  call(Waitany, waitany, 4, 5)                    \
  call(Waitsome, waitsome, 5, 6)                  \
  call(Barrier, barrier, 1, 2)                    \
  call(Bcast, bcast, 5, 6)                        \
  call(Reduce, reduce, 7, 8)                      \
  call(Allreduce, allreduce, 6, 7)                \
  call(Reduce_scatter, reduce_scatter, 6, 7)      \
  call(Scan, scan, 6, 7)                          \
  call(Gather, gather, 8, 9)                      \
  call(Gatherv, gatherv, 9, 10)                   \
  call(Scatter, scatter, 8, 9)                    \
  call(Scatterv, scatterv, 9, 10)                 \
  call(Allgather, allgather, 7, 8)                \
  call(Allgatherv, allgatherv, 8, 9)              \
  call(Alltoall, alltoall, 7, 8)                  \
  call(Alltoallv, alltoallv, 9, 10)

namespace tulle::stats {

#define TULLE_MPI_NUMBER(name, fortran, count, fortran_count) name,
enum class MpiCall : uint32_t { TULLE_MPI_CALLS(TULLE_MPI_NUMBER) };
#undef TULLE_MPI_NUMBER

#define TULLE_MPI_NAME(name, fortran, count, fortran_count) "MPI_" #name,
inline constexpr const char* kMpiNames[] = {TULLE_MPI_CALLS(TULLE_MPI_NAME)};
#undef TULLE_MPI_NAME

}  // namespace tulle::stats
