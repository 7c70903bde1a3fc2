/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that ask in loops for what only tasks behind them will send, on one thread: each kind of loop ends. */
#include <mpi.h>
#include <stdio.h>

enum { kLoops = 6 };

static void ask(int kind, int rank) {
  int got = 0, flag = 0, index, count, indices[1];
  MPI_Request request;
  MPI_Message message;
  MPI_Status status;
  if (kind < 4) MPI_Irecv(&got, 1, MPI_INT, rank, kind, MPI_COMM_WORLD, &request);
  while (!flag) switch (kind) {
      case 0: MPI_Test(&request, &flag, MPI_STATUS_IGNORE); break;
      case 1: MPI_Testall(1, &request, &flag, &status); break;
      case 2: MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE); break;
      case 3:
        MPI_Testsome(1, &request, &count, indices, &status);
        flag = count == 1;
        break;
      case 4: MPI_Iprobe(rank, kind, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); break;
      default: MPI_Improbe(rank, kind, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    }
  if (kind == 4) MPI_Recv(&got, 1, MPI_INT, rank, kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (kind == 5) MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  if (got != 40 + kind) {
    fprintf(stderr, "loops: kind %d got %d\n", kind, got);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

int main(int argc, char **argv) {
  int rank, level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(1)
  {
    for (int kind = 0; kind < kLoops; ++kind) {
#pragma omp task firstprivate(kind)
      ask(kind, rank);
    }
    for (int kind = 0; kind < kLoops; ++kind) {
#pragma omp task firstprivate(kind)
      {
        int sent = 40 + kind;
        MPI_Send(&sent, 1, MPI_INT, rank, kind, MPI_COMM_WORLD);
      }
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) puts("right");
  MPI_Finalize();
  return 0;
}
