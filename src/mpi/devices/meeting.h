// SPDX-License-Identifier: Apache-2.0
// How the processes come together: all of them ranks of one mpirun, of a program that does not use MPI; or devices that a
// rank of a program that does has started, and speaks with over what MPI_Comm_spawn gives. There they are not
// made one communicator with it: between the devices of two jobs Open MPI 4.1 breaks connections at their end.
#pragma once

#include <mpi.h>

#include "tulle/remote.h"

struct Meeting {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int ranks = 1;
  int first = 0;  // the peer that is rank 0 of those that `comm` leads to
  bool is_own = false;  // MPI is this module's to end

  int rank_of(int peer) const { return peer - first; }
  int peer_of(int there) const { return there + first; }
};

// False: `why` says why not.
bool meet(const tulle_remote_start& start, Meeting& meeting, const char** why);
// Nothing is said any more, by anybody.
void leave(Meeting& meeting);
