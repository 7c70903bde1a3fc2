// SPDX-License-Identifier: Apache-2.0
// The processes that mpirun started with this one, as its environment tells, and the line to them. Where TULLE_DEVICES
// asks for them the program's main begins on rank 0 alone, after the line is open; the other ranks serve instead. A
// program that has no constructs for devices is left alone, and one that uses MPI itself is refused.
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

// Why its ranks cannot be devices of this process; null: they can.
const char* why_no_ranks();
// The line, opened at the first call, in which all ranks meet. A rank that is not the first does not come back: it
// serves. Null: there is none, and `why` says why.
TULLE_MAY_SUSPEND Line* open_line(const char*& why);

// How a rank that serves makes its device. Set when the library is loaded.
extern Become become_device;

// At the end of the process: all ranks are told, and MPI is left.
void close_line();
void leave_line_in_child();

}  // namespace tulle::offload
