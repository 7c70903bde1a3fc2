/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that have agreed nothing with this one: a child, who runs on the library alone or on Tulle, and a process
   that is met by a port. What is shared with them works, while the world's own collectives are converted. */
#include <arpa/inet.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int sum_over(MPI_Comm comm) {
  int one = 1, sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  MPI_Barrier(comm);
  return sum;
}

/* Each of the two meets the other, by a port or by a socket. */
static int meet(MPI_Comm met) {
  MPI_Comm both;
  MPI_Intercomm_merge(met, 0, &both);
  int sum = sum_over(both);
  MPI_Comm_free(&both);
  MPI_Comm_disconnect(&met);
  return sum == 2;
}

static int by_port(int rank) {
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm met;
  if (rank == 0) MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, sizeof(port), MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &met);
  else MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &met);
  int right = meet(met);
  if (rank == 0) MPI_Close_port(port);
  return right;
}

static int by_socket(int rank) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof(address);
  int listener = socket(AF_INET, SOCK_STREAM, 0), end;
  MPI_Comm met;
  if (rank == 0) {
    bind(listener, (struct sockaddr *)&address, length);
    listen(listener, 1);
    getsockname(listener, (struct sockaddr *)&address, &length);
  }
  MPI_Bcast(&address, sizeof(address), MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rank == 1) connect(listener, (struct sockaddr *)&address, length);
  end = rank == 0 ? accept(listener, NULL, NULL) : listener;
  MPI_Comm_join(end, &met);
  int right = meet(met);
  if (rank == 0) close(end);
  close(listener);
  return right;
}

static int by_spawn(const char *program, int twice) {
  char *programs[2] = {(char *)program, (char *)program};
  int processes[2] = {1, 1};
  MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
  MPI_Comm children, all;
  if (twice)
    MPI_Comm_spawn_multiple(2, programs, MPI_ARGVS_NULL, processes, infos, 0, MPI_COMM_WORLD, &children,
                            MPI_ERRCODES_IGNORE);
  else
    MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
  MPI_Intercomm_merge(children, 0, &all);
  int sum = sum_over(all);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&children);
  return sum == (twice ? 4 : 3);
}

int main(int argc, char **argv) {
  int rank, level, right = 1;
  MPI_Comm parent, all;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    MPI_Intercomm_merge(parent, 1, &all);
    sum_over(all);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&parent);
  } else {
#pragma omp parallel num_threads(2)
#pragma omp masked
    right = by_spawn(argv[0], 0) && by_spawn(argv[0], 1) && sum_over(MPI_COMM_WORLD) == 2 && by_port(rank) && by_socket(rank);
    if (rank == 0 && right) puts("right");
  }
  MPI_Finalize();
  return !right;
}
