/* SPDX-License-Identifier: Apache-2.0 */
/* Forty times an answer takes 5 ms to come, and 5 ms are computed then: one after the other, and in tasks. Prints
   the time of the tasks over that of the others; the best of three. */
#include <mpi.h>
#include <stdio.h>

enum { kTimes = 40, kAsk = 1, kAnswer = 2, kEnd = 3 };
static const double kDelay = 5e-3;

static void answer_all(void) {
  double due[kTimes];
  int number[kTimes], first = 0, last = 0, flag;
  MPI_Status status;
  for (;;) {
    MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    if (flag) {
      int asked;
      MPI_Recv(&asked, 1, MPI_INT, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (status.MPI_TAG == kEnd) return;
      due[last % kTimes] = MPI_Wtime() + kDelay;
      number[last++ % kTimes] = asked;
    }
    if (first < last && MPI_Wtime() >= due[first % kTimes]) {
      int asked = number[first++ % kTimes];
      MPI_Send(&asked, 1, MPI_INT, 0, 100 + asked, MPI_COMM_WORLD);
    }
  }
}

static void ask_and_compute(int number) {
  MPI_Send(&number, 1, MPI_INT, 1, kAsk, MPI_COMM_WORLD);
  MPI_Recv(&number, 1, MPI_INT, 1, 100 + number, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (double end = MPI_Wtime() + kDelay; MPI_Wtime() < end;) {
  }
}

static double in_turn(void) {
  double start = MPI_Wtime();
  for (int i = 0; i < kTimes; ++i) ask_and_compute(i);
  return MPI_Wtime() - start;
}

static double in_tasks(void) {
  double start = MPI_Wtime();
#pragma omp parallel num_threads(1)
  for (int i = 0; i < kTimes; ++i) {
#pragma omp task firstprivate(i)
    ask_and_compute(i);
  }
  return MPI_Wtime() - start;
}

int main(int argc, char **argv) {
  int rank, end = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    answer_all();
  } else {
    double best = 9;
    for (int i = 0; i < 3; ++i) {
      double alone = in_turn(), ratio = in_tasks() / alone;
      if (ratio < best) best = ratio;
    }
    printf("%.3f\n", best);
    MPI_Send(&end, 1, MPI_INT, 1, kEnd, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
