/* SPDX-License-Identifier: Apache-2.0 */
/* Two ranks with 64 tasks each, which send and receive in opposite orders: task by task nobody could go on. It
   ends, what arrives is right, and no OS threads are made for it. Argument: bytes of a message. */
#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "process.h"

enum { kTasks = 64, kRounds = 3, kBesideCores = 6 };

/* Who they are, for whoever wonders. */
static void name_os_threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *task; (task = readdir(tasks)) != NULL;) {
    char path[300], name[32] = "";
    snprintf(path, sizeof(path), "/proc/self/task/%s/comm", task->d_name);
    FILE *file = fopen(path, "r");
    if (file == NULL) continue;
    if (fgets(name, sizeof(name), file) != NULL) fprintf(stderr, "opposite: %s", name);
    fclose(file);
  }
  closedir(tasks);
}

static int exchange(int rank, int number, int bytes) {
  char *sent = malloc((size_t)bytes), *got = calloc(1, (size_t)bytes);
  sent[0] = (char)(number + rank);
  sent[bytes - 1] = (char)number;
  if (rank == 0) MPI_Send(sent, bytes, MPI_CHAR, 1, number, MPI_COMM_WORLD);
  MPI_Recv(got, bytes, MPI_CHAR, 1 - rank, number, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(sent, bytes, MPI_CHAR, 0, number, MPI_COMM_WORLD);
  int right = got[0] == (char)(number + 1 - rank) && got[bytes - 1] == (char)number;
  free(sent);
  free(got);
  return right;
}

int main(int argc, char **argv) {
  int bytes = argc > 1 ? atoi(argv[1]) : 4096, rank, right = 0, most = 0, level;
  MPI_Init(&argc, &argv);
  MPI_Query_thread(&level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int before = os_threads(), may_be_more = (int)sysconf(_SC_NPROCESSORS_ONLN) + kBesideCores;
  for (int round = 0; round < kRounds; ++round) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < kTasks; ++i) {
      int number = rank == 0 ? i : kTasks - 1 - i;
#pragma omp task firstprivate(number) shared(right, most)
      {
        int ok = exchange(rank, number, bytes), threads = os_threads();
#pragma omp critical
        {
          right += ok;
          if (threads > most && threads - before > may_be_more) name_os_threads();
          if (threads > most) most = threads;
        }
      }
    }
  }
  int bad = right != kTasks * kRounds || level != MPI_THREAD_MULTIPLE ||
            most - before > may_be_more;
  if (bad) fprintf(stderr, "opposite: %d right, level %d, %d OS threads and %d before\n", right, level, most, before);
  int all_bad = 0;
  MPI_Allreduce(&bad, &all_bad, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (!all_bad && rank == 0) puts("right");
  MPI_Finalize();
  return bad;
}
