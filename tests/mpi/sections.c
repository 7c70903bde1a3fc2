/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that block as they are, in lanes beside each other: files, windows, communicators. */
#include <unistd.h>

#include "lanes.h"

static void files(Lane *lane) {
  char name[64];
  int data[4] = {lane->rank, lane->number, 7, 9}, got[8] = {0};
  MPI_File file;
  MPI_Status status;
  snprintf(name, sizeof(name), "sections.%d.data", lane->number);
  int error = MPI_File_open(lane->comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  say(lane, "File_open %d", class_of(error));
  error = MPI_File_write_at(file, lane->rank * (MPI_Offset)sizeof(data), data, 4, MPI_INT, &status);
  say(lane, "File_write_at %d", class_of(error));
  MPI_File_sync(file);
  MPI_Barrier(lane->comm);
  error = MPI_File_read_at_all(file, 0, got, 8, MPI_INT, &status);
  say_ints(lane, "File_read_at_all", error, got, 8);
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  memset(got, 0, sizeof(got));
  error = MPI_File_read_all(file, got, 4, MPI_INT, &status);
  say_ints(lane, "File_read_all", error, got, 8);
  error = MPI_File_read(file, got, 2, MPI_INT, &status);
  say_ints(lane, "File_read", error, got, 8);
  say(lane, "File_close %d", class_of(MPI_File_close(&file)));
  if (lane->rank == 0) unlink(name);
}

static void windows(Lane *lane) {
  int *memory, data = 5 + lane->rank, other = 1 - lane->rank, got = 0;
  MPI_Win window;
  MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, lane->comm, &memory, &window);
  for (int i = 0; i < 4; ++i) memory[i] = 0;
  MPI_Win_fence(0, window);
  MPI_Put(&data, 1, MPI_INT, other, 1, 1, MPI_INT, window);
  int error = MPI_Win_fence(0, window);
  say_ints(lane, "Win_fence", error, memory, 4);
  MPI_Barrier(lane->comm);
  MPI_Win_lock(MPI_LOCK_SHARED, other, 0, window);
  MPI_Get(&got, 1, MPI_INT, other, 1, 1, MPI_INT, window);
  error = MPI_Win_flush(other, window);
  say_ints(lane, "Win_flush", error, &got, 1);
  say(lane, "Win_unlock %d", class_of(MPI_Win_unlock(other, window)));
  MPI_Barrier(lane->comm);
  say(lane, "Win_free %d", class_of(MPI_Win_free(&window)));
}

static void go(Lane *lane) {
  /* MPICH 4.0 holds a lock in collective calls of files: two lanes could wait for each other. */
  if (lane->number == 0) files(lane);
  windows(lane);
  if (lane->number != 0) return;
  MPI_Comm half;
  int size = 0, error = MPI_Comm_split(lane->comm, lane->rank, 0, &half);
  MPI_Comm_size(half, &size);
  say(lane, "Comm_split %d: %d", class_of(error), size);
  say(lane, "Comm_free %d", class_of(MPI_Comm_free(&half)));
}

int main(int argc, char **argv) { return run_lanes(argc, argv, go); }
