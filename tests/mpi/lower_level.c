/* SPDX-License-Identifier: Apache-2.0 */
/* Stands before the MPI library under one of its names, gives the level that LOWER_LEVEL says at most, and counts
   receives that are started and not waited for. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int receives_started;

int PMPI_Irecv(void *data, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request) {
  int (*receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) =
      (int (*)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *))dlsym(RTLD_NEXT, "PMPI_Irecv");
  ++receives_started;
  return receive(data, count, type, source, tag, comm, request);
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  int (*init)(int *, char ***, int, int *) =
      (int (*)(int *, char ***, int, int *))dlsym(RTLD_NEXT, "PMPI_Init_thread");
  const char *given = getenv("LOWER_LEVEL");
  int most = MPI_THREAD_SINGLE;
  if (given == NULL) return init(argc, argv, required, provided);
  if (strcmp(given, "funneled") == 0) most = MPI_THREAD_FUNNELED;
  if (strcmp(given, "serialized") == 0) most = MPI_THREAD_SERIALIZED;
  return init(argc, argv, required < most ? required : most, provided);
}
