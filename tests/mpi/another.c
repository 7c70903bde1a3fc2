/* SPDX-License-Identifier: Apache-2.0 */
/* An MPI under a name that libtulle-mpi does not know (with -DLIBRARY), and a program that is linked with it. */
#include <stdio.h>

int MPI_Init(int *argc, char ***argv);
int MPI_Query_thread(int *level);
int MPI_Finalize(void);

#ifdef LIBRARY

int PMPI_Init(int *argc, char ***argv) { return argc == NULL || argv == NULL; }
int MPI_Init(int *argc, char ***argv) { return PMPI_Init(argc, argv); }
int MPI_Query_thread(int *level) { return *level = 77, 0; }
int MPI_Finalize(void) { return 0; }

#else

int main(int argc, char **argv) {
  int level = 0, error = MPI_Init(&argc, &argv);
  MPI_Query_thread(&level);
  printf("%d: level %d of its own, %d arguments\n", error, level, argc);
  return MPI_Finalize();
}

#endif
