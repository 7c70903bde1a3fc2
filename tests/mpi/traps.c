/* SPDX-License-Identifier: Apache-2.0 */
/* What a conversion could break, one for each argument: ends, and prints "right". */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kTasks = 32 };
static int rank, wrong;

static void expect(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "traps: %s\n", what);
#pragma omp atomic write
  wrong = 1;
}

/* Ranks that asked for different levels still use the same form: MPI matches no blocking one with another. */
static void collectives_of_different_levels(void) {
  for (int i = 0; i < 50; ++i) {
    int sum = 0, mine = rank + i, root = i % 2 ? -1 : i;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(&root, 1, MPI_INT, 0, MPI_COMM_WORLD);
    expect(sum == 2 * i + 1 && root == (i % 2 ? -1 : i), "a collective gives what it should");
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/* An error of the program: it is told of. The ranks take turns: two tasks of one thread, which runs one at a time,
   are both amid their calls when it goes on, and only then does the other rank make the same ones. */
static void one_communicator_twice(void) {
  for (int turn = 0; turn < 2; ++turn) {
    if (turn != rank) {
      MPI_Recv(NULL, 0, MPI_INT, 1 - rank, 800, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 0; i < 2; ++i) MPI_Barrier(MPI_COMM_WORLD);
      continue;
    }
    volatile int begun = 0;
#pragma omp parallel num_threads(1) shared(begun)
    {
      for (int i = 0; i < 2; ++i) {
#pragma omp task shared(begun)
        {
          begun = begun + 1;
          MPI_Barrier(MPI_COMM_WORLD);
        }
      }
      while (begun < 2) {
#pragma omp taskyield
      }
      MPI_Send(NULL, 0, MPI_INT, 1 - rank, 800, MPI_COMM_WORLD);
    }
  }
}

/* A task in a critical section waits for what other tasks send, some of which want that section themselves. */
static void critical_sections(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i)
    {
      int got = -1;
#pragma omp critical
      MPI_Recv(&got, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      expect(got == i, "what came in a critical section");
    }
#pragma omp task firstprivate(i)
    MPI_Send(&i, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
  }
}

/* Tied tasks wait above each other; the sends begin last, and are no descendants of any. */
static void tied_tasks(void) {
#pragma omp parallel num_threads(1)
#pragma omp single
  {
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i)
      {
        int got[2] = {-1, -1};
#pragma omp task shared(got) firstprivate(i)
        MPI_Recv(&got[0], 1, MPI_INT, 1 - rank, 2 * i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got[1], 1, MPI_INT, 1 - rank, 2 * i + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp taskwait
        expect(got[0] == 2 * i && got[1] == 2 * i + 1, "what came to tied tasks");
      }
    }
    for (int tag = 2 * kTasks - 1; tag >= 0; --tag) {
#pragma omp task firstprivate(tag)
      MPI_Ssend(&tag, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD);
    }
  }
}

/* A request that one task waits for, while others test and wait for theirs: each is ended once, by its own. */
static void requests_of_others(void) {
  MPI_Request kept;
  int slot = -1;
  MPI_Recv_init(&slot, 1, MPI_INT, 1 - rank, 900, MPI_COMM_WORLD, &kept);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(kept, slot)
    for (int i = 0; i < kTasks; ++i) {
      MPI_Status status;
      MPI_Start(&kept);
      MPI_Wait(&kept, &status);
      expect(kept != MPI_REQUEST_NULL && slot == i && status.MPI_TAG == 900, "a persistent request is started anew");
    }
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i)
      {
        int got = -1, index = -1;
        MPI_Request two[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Irecv(&got, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &two[1]);
        MPI_Send(&i, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
        MPI_Waitany(2, two, &index, MPI_STATUS_IGNORE);
        expect(index == 1 && got == i && two[1] == MPI_REQUEST_NULL, "one of two");
      }
    }
#pragma omp task
    for (int i = 0; i < kTasks; ++i) MPI_Send(&i, 1, MPI_INT, 1 - rank, 900, MPI_COMM_WORLD);
  }
  MPI_Request_free(&kept);
}

/* The other one's messages are still under way, and nobody here waits for them. */
static void finalize_with_messages_under_way(void) {
  static int sent[kTasks];
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i)
    {
      MPI_Request request;
      int got;
      sent[i] = i;
      if (rank == 0) {
        MPI_Isend(&sent[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
      } else {
        usleep(1000);
        MPI_Recv(&got, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(got == i, "what was sent before the end");
      }
    }
  }
}

/* Partitions of one message from several tasks, where the MPI has them. */
static void partitions(void) {
#if MPI_VERSION >= 4
  int data[4] = {0};
  MPI_Request request;
  if (rank == 0) MPI_Psend_init(data, 4, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  else MPI_Precv_init(data, 4, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(request)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; rank == 0 && i < 4; ++i) {
#pragma omp task shared(request, data) firstprivate(i)
      {
        data[i] = 10 + i;
        MPI_Pready(i, request);
      }
    }
  }
  expect(data[0] == 10 && data[3] == 13, "all partitions came");
  MPI_Request_free(&request);
#endif
}

/* Ends the process from a task, others waiting for ever. */
static void abort_from_a_task(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i)
    {
      int got;
      if (i == kTasks - 1) MPI_Abort(MPI_COMM_WORLD, 7);
      MPI_Recv(&got, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
}

/* An error that ends the program: in a call that is the library's own, and in one that is converted. */
static void fatal_error_from_a_task(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
  {
    MPI_Request none = MPI_REQUEST_NULL;
    if (rank == 0 && omp_get_max_threads() > 1) MPI_Request_free(&none);
    MPI_Recv(&wrong, 1, MPI_INT, rank == 0 ? 99 : 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static const struct {
  const char *name;
  void (*go)(void);
} kTraps[] = {{"levels", collectives_of_different_levels}, {"twice", one_communicator_twice},
              {"critical", critical_sections}, {"tied", tied_tasks}, {"requests", requests_of_others},
              {"finalize", finalize_with_messages_under_way}, {"partitions", partitions}, {"abort", abort_from_a_task},
              {"fatal", fatal_error_from_a_task}};

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  const char *number = getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK") : getenv("PMI_RANK");
  int level, first = number != NULL && atoi(number) == 0;
  MPI_Init_thread(&argc, &argv, strcmp(name, "levels") == 0 && first ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (size_t i = 0; i < sizeof(kTraps) / sizeof(*kTraps); ++i)
    if (strcmp(name, kTraps[i].name) == 0) kTraps[i].go();
  if (rank == 0 && !wrong) puts("right");
  MPI_Finalize();
  return wrong;
}
