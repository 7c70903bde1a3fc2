/* SPDX-License-Identifier: Apache-2.0 */
/* Which error handlers are called for what fails in a region, how often, with what, and where: printed, so that two
   runs can be compared. With a handler of its own for each communicator, with those that return and with the one that ends the
   program left in place for MPI_COMM_WORLD, which is not concerned. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 10000 };
static MPI_Comm comm;
static int rank, other, of_comm, of_world, of_others, outside;
static FILE *out; /* printed by one rank at the end: lines of two would mix */

static void note(MPI_Comm *failed, int *error, ...) {
  (void)error;
  if (*failed == comm)
    ++of_comm;
  else if (*failed == MPI_COMM_WORLD)
    ++of_world;
  else
    ++of_others;
  if (!omp_in_parallel()) ++outside;
}

/* The calls have one rank after the other: handlers are called where the error is found. */
static void say(const char *what, int error) {
  int class = error;
  if (error != MPI_SUCCESS) MPI_Error_class(error, &class);
  fprintf(out, "%d %s: %d, handlers %d %d %d, outside %d\n", rank, what, class, of_comm, of_world, of_others, outside);
  of_comm = of_world = of_others = outside = 0;
}

static int wait_for_one(void) {
  int one = 0;
  MPI_Request request;
  MPI_Irecv(&one, 1, MPI_INT, other, 2, comm, &request);
  return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

#ifndef OPEN_MPI /* 4.1.4 does not end in MPI_Waitall with a request that failed */
static int wait_for_two(void) {
  int got[2] = {0};
  MPI_Request requests[2];
  MPI_Status statuses[2];
  for (int i = 0; i < 2; ++i) MPI_Irecv(&got[i], 1, MPI_INT, other, 3 + i, comm, &requests[i]);
  return MPI_Waitall(2, requests, statuses);
}
#endif

/* Two numbers come for each that is expected. */
static void receive_too_much(void) {
  int two[2] = {1, 2}, one = 0;
  MPI_Recv(&one, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  say("Recv", MPI_Recv(&one, 1, MPI_INT, other, 1, comm, MPI_STATUS_IGNORE));
  say("Sendrecv", MPI_Sendrecv(two, 2, MPI_INT, other, 1, &one, 1, MPI_INT, other, 5, comm, MPI_STATUS_IGNORE));
  say("Probe", MPI_Probe(99, 1, comm, MPI_STATUS_IGNORE));
  say("Send", MPI_Send(two, 1, MPI_INT, 99, 1, comm));
  say("Bcast", MPI_Bcast(two, 1, MPI_INT, 99, comm));
}

static void send_too_much(int waits) {
  int two[2] = {1, 2};
  MPI_Send(two, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
  MPI_Send(two, 2, MPI_INT, other, 1, comm);
  MPI_Send(two, 2, MPI_INT, other, 5, comm);
  MPI_Recv(two, 2, MPI_INT, other, 1, comm, MPI_STATUS_IGNORE);
  if (waits) MPI_Send(two, 2, MPI_INT, other, 2, comm);
  for (int i = 0; waits && i < 2; ++i) MPI_Send(two, 2 - i, MPI_INT, other, 3 + i, comm);
}

/* In a task, while others have a use for the core. `waits`: of requests too, which MPICH gives to the world's. */
static void in_turn(int waits) {
  for (int turn = 0; turn < 2; ++turn) {
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
      if (turn == rank) {
        receive_too_much();
        if (waits) say("Wait", wait_for_one());
#ifndef OPEN_MPI
        if (waits) say("Waitall", wait_for_two());
#else
        for (int i = 0; waits && i < 2; ++i) {
          int two[2];
          MPI_Recv(two, 2, MPI_INT, other, 3 + i, comm, MPI_STATUS_IGNORE);
        }
#endif
      } else {
        send_too_much(waits);
      }
      for (int i = 0; i < 4; ++i) {
#pragma omp task firstprivate(i)
        {
          MPI_Request request;
          MPI_Irecv(&i, 1, MPI_INT, 0, 100 + i, MPI_COMM_SELF, &request);
          MPI_Cancel(&request);
          MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  int level;
  char *text = NULL, theirs[kMost] = "";
  size_t length = 0;
  MPI_Errhandler own, worlds, seen;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  out = open_memstream(&text, &length);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  in_turn(0);
  MPI_Comm_create_errhandler(note, &own);
  MPI_Comm_set_errhandler(comm, own);
  in_turn(0);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &seen);
  fprintf(out, "%d the world's ends all: %d\n", rank, seen == MPI_ERRORS_ARE_FATAL);
#ifdef OPEN_MPI
  MPI_Comm_create_errhandler(note, &worlds);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, worlds);
#else /* by the names of MPI 1 */
  MPI_Errhandler_create(note, &worlds);
  MPI_Errhandler_set(MPI_COMM_WORLD, worlds);
  MPI_Errhandler_get(MPI_COMM_WORLD, &seen);
  fprintf(out, "%d the world has it: %d\n", rank, seen == worlds);
#endif
  MPI_Errhandler_free(&own);
  MPI_Errhandler_free(&worlds);
  in_turn(1);
  MPI_Comm_free(&comm);
  fclose(out);
  MPI_Sendrecv(text, (int)length + 1, MPI_CHAR, other, 9, theirs, kMost, MPI_CHAR, other, 9, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  if (rank == 0) printf("%s%s", text, theirs);
  free(text);
  MPI_Finalize();
  return 0;
}
