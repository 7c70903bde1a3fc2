/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that ask in loops for what only tasks behind them will send, on one thread: each kind of loop ends. */
#include <mpi.h>
#include <stdio.h>

enum { kMessages = 7, kEpoch = kMessages, kPartitions, kLoops = kPartitions + (MPI_VERSION >= 4) };

static MPI_Win window; /* which the other rank writes to */
static MPI_Group peer;
static int exposed __attribute__((aligned(64))); /* MPICH 4.0 over UCX writes elsewhere where a window begins amid 16 bytes */

static int ask_for_partition(int rank) {
  int got[2] = {0}, flag = 0;
#if MPI_VERSION >= 4
  MPI_Request request;
  MPI_Precv_init(got, 2, 1, MPI_INT, rank, kPartitions, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  while (!flag) MPI_Parrived(request, 1, &flag);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
#else
  (void)rank, (void)flag;
#endif
  return got[1];
}

static int ask_for_epoch(void) {
  int flag = 0;
  while (!flag) MPI_Win_test(window, &flag);
  return exposed;
}

static int ask_for_message(int kind, int rank) {
  int got = 0, flag = 0, index, count, indices[1];
  MPI_Request request;
  MPI_Message message;
  MPI_Status status;
  if (kind < 5) MPI_Irecv(&got, 1, MPI_INT, rank, kind, MPI_COMM_WORLD, &request);
  while (!flag) switch (kind) {
      case 0: MPI_Test(&request, &flag, MPI_STATUS_IGNORE); break;
      case 1: MPI_Testall(1, &request, &flag, &status); break;
      case 2: MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE); break;
      case 3:
        MPI_Testsome(1, &request, &count, indices, &status);
        flag = count == 1;
        break;
      case 4: MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE); break;
      case 5: MPI_Iprobe(rank, kind, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); break;
      default: MPI_Improbe(rank, kind, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    }
  if (kind == 4) MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (kind == 5) MPI_Recv(&got, 1, MPI_INT, rank, kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (kind == 6) MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  return got;
}

static void ask(int kind, int rank) {
  int got = kind < kMessages ? ask_for_message(kind, rank) : kind == kEpoch ? ask_for_epoch() : ask_for_partition(rank);
  if (got != 40 + kind) {
    fprintf(stderr, "loops: kind %d got %d\n", kind, got);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static void answer(int kind, int rank) {
  int sent = 40 + kind;
  if (kind < kMessages) {
    MPI_Send(&sent, 1, MPI_INT, rank, kind, MPI_COMM_WORLD);
  } else if (kind == kEpoch) {
    MPI_Win_start(peer, 0, window);
    MPI_Put(&sent, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window);
    MPI_Win_complete(window);
  } else {
#if MPI_VERSION >= 4
    int both[2] = {0, sent};
    MPI_Request request;
    MPI_Psend_init(both, 2, 1, MPI_INT, rank, kind, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Pready_range(0, 1, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
#endif
  }
}

int main(int argc, char **argv) {
  int rank, other, level;
  MPI_Group world;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &other, &peer);
  MPI_Win_create(&exposed, sizeof(exposed), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_post(peer, 0, window);
#pragma omp parallel num_threads(1)
  {
    for (int kind = 0; kind < kLoops; ++kind) {
#pragma omp task firstprivate(kind)
      ask(kind, rank);
    }
    for (int kind = 0; kind < kLoops; ++kind) {
#pragma omp task firstprivate(kind)
      answer(kind, rank);
    }
  }
  MPI_Win_free(&window);
  MPI_Group_free(&peer);
  MPI_Group_free(&world);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) puts("right");
  MPI_Finalize();
  return 0;
}
