// SPDX-License-Identifier: Apache-2.0
// A thread waits for a message that nobody sends.
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
  int word = 0;
  MPI_Init(&argc, &argv);
#pragma omp parallel num_threads(2)
#pragma omp single
  MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return word;
}
