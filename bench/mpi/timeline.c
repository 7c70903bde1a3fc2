/* SPDX-License-Identifier: Apache-2.0 */
/* When tasks wait for a message and when they compute: each asks the other rank, which answers after 5 ms, and computes
   for 5 ms then, all on one thread. Prints for each task when it asked, went on and ended, in milliseconds. */
#include <mpi.h>
#include <stdio.h>

enum { kTasks = 8, kAnswerTag = 100 };
static const double kTime = 5e-3;

static void spend(double seconds) {
  for (double end = MPI_Wtime() + seconds; MPI_Wtime() < end;) {
  }
}

/* Each kTime after it was asked. */
static void answer_all(void) {
  double due[kTasks];
  int asked = 0, answered = 0;
  while (answered < kTasks) {
    int here = 0;
    MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &here, MPI_STATUS_IGNORE);
    if (here) {
      int number;
      MPI_Recv(&number, 1, MPI_INT, 0, asked, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      due[asked++] = MPI_Wtime() + kTime;
    }
    if (answered < asked && MPI_Wtime() >= due[answered]) {
      MPI_Send(&answered, 1, MPI_INT, 0, kAnswerTag + answered, MPI_COMM_WORLD);
      ++answered;
    }
  }
}

static void ask_and_compute(int number, double times[3]) {
  times[0] = MPI_Wtime();
  MPI_Send(&number, 1, MPI_INT, 1, number, MPI_COMM_WORLD);
  MPI_Recv(&number, 1, MPI_INT, 1, kAnswerTag + number, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  times[1] = MPI_Wtime();
  spend(kTime);
  times[2] = MPI_Wtime();
}

int main(int argc, char **argv) {
  static double times[kTasks][3];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(1) /* a first region starts workers */
  if (rank == 2) puts("");
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  if (rank == 1) {
    answer_all();
  } else {
#pragma omp parallel num_threads(1)
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i)
      ask_and_compute(i, times[i]);
    }
    for (int i = 0; i < kTasks; ++i)
      printf("%.3f %.3f %.3f\n", (times[i][0] - start) * 1e3, (times[i][1] - start) * 1e3, (times[i][2] - start) * 1e3);
  }
  MPI_Finalize();
  return 0;
}
