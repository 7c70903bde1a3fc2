// SPDX-License-Identifier: Apache-2.0
// The processes that are this one's devices, or whose device it is, and the line to them. `mpirun` started them together,
// as its environment tells: then the program's main begins on rank 0 alone, after the line is open, and the other ranks
// serve instead. Or the program uses MPI itself: then each of its processes starts devices of its own by MPI, as it makes
// them. A program that has no constructs for devices is left alone.
#pragma once

#include "offload/device.h"
#include "offload/remote/rank_server.h"

namespace tulle::offload {

struct Job {
  const char* module = nullptr;  // file of the transport for the MPI whose mpirun it was; null: none
  int rank = 0;
  int ranks = 1;
};
Job job_in_environment();

// Whether ranks are to be started by this process.
bool starts_ranks();
// Why ranks cannot be devices of this process; null: they can.
const char* why_no_ranks();
// How many can be had.
uint32_t most_ranks();
// The line, opened at the first call, in which all ranks meet, or so many that are started. A rank that is not the first
// does not come back: it serves. Null: there is none, and `why` says why.
TULLE_MAY_SUSPEND Line* open_line(int started, const char*& why);

// How a rank that serves makes its device. Set when the library is loaded.
extern Become become_device;

}  // namespace tulle::offload
