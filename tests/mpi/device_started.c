// SPDX-License-Identifier: Apache-2.0
// A program of MPI whose ranks have started devices of their own: regions beside its own messages, and after MPI_Finalize.
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device_cells.h"

static int on(int device) {
  Ran ran = change_on(device);
  return ran.right && ran.process != getpid() && !ran.initial && ran.number == device;
}

// Messages between the ranks go on while devices work.
static int beside_messages(int devices) {
  int sums[8] = {0}, right = 1, total = 0, size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < ROUNDS; round++) {
    add_round(sums, devices, round);
    MPI_Allreduce(&round, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    right &= total == round * size;
  }
#pragma omp taskwait
  return right & are_sums_right(sums, devices);
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
