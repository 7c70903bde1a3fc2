/* SPDX-License-Identifier: Apache-2.0 */
/* A tool by PMPI, preloaded or linked: counts calls and passes them on. */
#include <mpi.h>
#include <stdio.h>

static int sent;

int MPI_Send(const void *data, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  __atomic_fetch_add(&sent, 1, __ATOMIC_RELAXED);
  return PMPI_Send(data, count, type, dest, tag, comm);
}

int MPI_Finalize(void) {
  fprintf(stderr, "tool: %d sent\n", sent);
  return PMPI_Finalize();
}
