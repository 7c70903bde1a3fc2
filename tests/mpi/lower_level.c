/* SPDX-License-Identifier: Apache-2.0 */
/* Stands before the MPI library under one of its names, and gives the level that LOWER_LEVEL says at most. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  int (*init)(int *, char ***, int, int *) =
      (int (*)(int *, char ***, int, int *))dlsym(RTLD_NEXT, "PMPI_Init_thread");
  const char *given = getenv("LOWER_LEVEL");
  int most = MPI_THREAD_SINGLE;
  if (strcmp(given, "funneled") == 0) most = MPI_THREAD_FUNNELED;
  if (strcmp(given, "serialized") == 0) most = MPI_THREAD_SERIALIZED;
  return init(argc, argv, required < most ? required : most, provided);
}
