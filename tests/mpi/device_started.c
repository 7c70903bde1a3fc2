// SPDX-License-Identifier: Apache-2.0
// A program of MPI whose ranks have started devices of their own: regions beside its own messages, and after MPI_Finalize.
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CELLS = 200000, ROUNDS = 20 };

#pragma omp declare target
int bias = 5;
static int changed(int x) { return 2 * x + bias; }
#pragma omp end declare target

static int cells[CELLS];

static int on(int device) {
  int process = 0, initial = -1, number = -1, right = 1;
  for (int i = 0; i < CELLS; i++) cells[i] = i;
#pragma omp target device(device) map(tofrom : cells) map(from : process, initial, number)
  {
    process = getpid();
    initial = omp_is_initial_device();
    number = omp_get_device_num();
#pragma omp parallel for
    for (int i = 0; i < CELLS; i++) cells[i] = changed(cells[i]);
  }
  for (int i = 0; i < CELLS; i++) right &= cells[i] == 2 * i + 5;
  return right && process != getpid() && !initial && number == device;
}

// Messages between the ranks go on while devices work.
static int beside_messages(int devices) {
  int sums[8] = {0}, right = 1, total = 0, wanted = 0, size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < ROUNDS; round++) {
    for (int d = 0; d < devices; d++) {
#pragma omp target device(d) nowait map(tofrom : sums[d : 1]) depend(inout : sums[d])
      sums[d] = sums[d] * 3 + round;
    }
    MPI_Allreduce(&round, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    right &= total == round * size;
  }
#pragma omp taskwait
  for (int round = 0; round < ROUNDS; round++) wanted = (int)((unsigned)wanted * 3u + (unsigned)round);
  for (int d = 0; d < devices; d++) right &= sums[d] == wanted;
  return right;
}

static int is_on_host(void) {
  int initial = -1;
#pragma omp target map(from : initial)
  initial = omp_is_initial_device();
  return initial == 1;
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  if (strcmp(how, "early") == 0) printf("%d devices\n", omp_get_num_devices());
  MPI_Init(&argc, &argv);
  int devices = omp_get_num_devices(), right = 1, all = 0, rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int d = 0; d < devices; d++) right &= on(d);
  right &= beside_messages(devices);
  if (strcmp(how, "exit") == 0) exit(right ? 0 : 1);
  MPI_Reduce(&right, &all, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d devices each, %s\n", devices, all ? "right" : "wrong");
  MPI_Finalize();
  if (!is_on_host() || !right) return 1;
  return 0;
}
