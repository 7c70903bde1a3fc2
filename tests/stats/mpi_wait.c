// SPDX-License-Identifier: Apache-2.0
// The second rank computes while the first one waits for its message.
#include <mpi.h>

#include "work.h"

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  turns_per_ms();
  for (int round = 0; round < 20; ++round) {
    int word = round;
#pragma omp parallel for num_threads(1)
    for (int i = 0; i < 16; ++i) work_us(rank == 1 ? 1000 : 100);
    if (rank == 1)
      MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else if (rank == 0)
      MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
