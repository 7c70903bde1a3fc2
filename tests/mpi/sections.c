/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that block as they are, in lanes beside each other: files, windows, communicators. */
#include <unistd.h>

#include "lanes.h"

/* Each rank has a view of its own. */
static void collective_files(Lane *lane, MPI_File file, int *data) {
  int got[4] = {0};
  MPI_Status status;
  say(lane, "File_write_all %d", class_of(MPI_File_write_all(file, data, 4, MPI_INT, &status)));
  say(lane, "File_write_at_all %d", class_of(MPI_File_write_at_all(file, 1, data, 2, MPI_INT, &status)));
  MPI_File_write_at_all_begin(file, 3, data, 1, MPI_INT);
  say(lane, "File_write_at_all_end %d", class_of(MPI_File_write_at_all_end(file, data, &status)));
  MPI_File_seek(file, 2, MPI_SEEK_SET);
  MPI_File_write_all_begin(file, data, 1, MPI_INT);
  say(lane, "File_write_all_end %d", class_of(MPI_File_write_all_end(file, data, &status)));
  MPI_File_sync(file);
  MPI_Barrier(lane->comm);
  say_ints(lane, "File_read_at", MPI_File_read_at(file, 0, got, 4, MPI_INT, &status), got, 4);
  MPI_File_read_at_all_begin(file, 1, got, 2, MPI_INT);
  say_ints(lane, "File_read_at_all_end", MPI_File_read_at_all_end(file, got, &status), got, 4);
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_read_all_begin(file, got, 2, MPI_INT);
  say_ints(lane, "File_read_all_end", MPI_File_read_all_end(file, got, &status), got, 4);
}

/* By the pointer that all share: in the order of the ranks, or one after the other. */
static void shared_files(Lane *lane, MPI_File file, int *data) {
  int got[4] = {0};
  MPI_Status status;
  say(lane, "File_write_ordered %d", class_of(MPI_File_write_ordered(file, data, 2, MPI_INT, &status)));
  MPI_File_write_ordered_begin(file, data + 2, 1, MPI_INT);
  say(lane, "File_write_ordered_end %d", class_of(MPI_File_write_ordered_end(file, data + 2, &status)));
  MPI_Barrier(lane->comm);
  say(lane, "File_write_shared %d", class_of(MPI_File_write_shared(file, got, 1, MPI_INT, &status)));
  MPI_File_sync(file);
  MPI_Barrier(lane->comm);
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  say_ints(lane, "File_read_ordered", MPI_File_read_ordered(file, got, 2, MPI_INT, &status), got, 4);
  MPI_File_read_ordered_begin(file, got, 1, MPI_INT);
  say_ints(lane, "File_read_ordered_end", MPI_File_read_ordered_end(file, got, &status), got, 4);
  MPI_Barrier(lane->comm);
  say_ints(lane, "File_read_shared", MPI_File_read_shared(file, got, 1, MPI_INT, &status), got, 1);
}

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
  MPI_Barrier(lane->comm);
  MPI_File_seek(file, (8 + 4 * lane->rank) * (MPI_Offset)sizeof(int), MPI_SEEK_SET);
  say(lane, "File_write %d", class_of(MPI_File_write(file, data, 4, MPI_INT, &status)));
  error = MPI_File_set_size(file, 64);
  MPI_Offset length = 0;
  MPI_File_get_size(file, &length);
  say(lane, "File_set_size %d: %d", class_of(error), (int)length);
  MPI_Barrier(lane->comm); /* what follows makes the file longer, and need not wait for the other rank's look */
  say(lane, "File_preallocate %d", class_of(MPI_File_preallocate(file, 128)));
  error = MPI_File_set_view(file, lane->rank * 16, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  say(lane, "File_set_view %d", class_of(error));
  collective_files(lane, file, data);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  shared_files(lane, file, data);
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

/* Open epochs, and those of all ranks. */
static void epochs(Lane *lane) {
  int memory[4] = {1, 2, 3, 4}, data = 30 + lane->rank, other = 1 - lane->rank, got = 0;
  MPI_Win window;
  MPI_Group all, peer;
  say(lane, "Win_create %d", class_of(MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, lane->comm,
                                                     &window)));
  MPI_Comm_group(lane->comm, &all);
  MPI_Group_incl(all, 1, &other, &peer);
  MPI_Win_post(peer, 0, window);
  say(lane, "Win_start %d", class_of(MPI_Win_start(peer, 0, window)));
  MPI_Put(&data, 1, MPI_INT, other, 0, 1, MPI_INT, window);
  say(lane, "Win_complete %d", class_of(MPI_Win_complete(window)));
  MPI_Win_wait(window);
  say(lane, "Win_lock_all %d", class_of(MPI_Win_lock_all(0, window)));
  MPI_Get(&got, 1, MPI_INT, other, 3, 1, MPI_INT, window);
  say(lane, "Win_flush_local %d", class_of(MPI_Win_flush_local(other, window)));
  MPI_Get(&got, 1, MPI_INT, other, 2, 1, MPI_INT, window);
  say(lane, "Win_flush_local_all %d", class_of(MPI_Win_flush_local_all(window)));
  say_ints(lane, "Win_flush_all", MPI_Win_flush_all(window), &got, 1);
  say(lane, "Win_unlock_all %d", class_of(MPI_Win_unlock_all(window)));
  MPI_Barrier(lane->comm);
  say_ints(lane, "memory", MPI_SUCCESS, memory, 4);
  MPI_Group_free(&peer);
  MPI_Group_free(&all);
  MPI_Win_free(&window);
}

static void other_windows(Lane *lane) {
  int *memory;
  MPI_Win window;
  MPI_Comm node;
  int error = MPI_Comm_split_type(lane->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  say(lane, "Comm_split_type %d", class_of(error));
  error = MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, node, &memory, &window);
  *memory = lane->rank;
  say_ints(lane, "Win_allocate_shared", error, memory, 1);
  MPI_Win_free(&window);
  MPI_Comm_free(&node);
  say(lane, "Win_create_dynamic %d", class_of(MPI_Win_create_dynamic(MPI_INFO_NULL, lane->comm, &window)));
  MPI_Win_free(&window);
}

static void say_size(Lane *lane, const char *what, int error, MPI_Comm *made) {
  int size = -1;
  if (*made != MPI_COMM_NULL) {
    MPI_Comm_size(*made, &size);
    MPI_Comm_free(made);
  }
  say(lane, "%s %d: %d", what, class_of(error), size);
}

static void communicators(Lane *lane) {
  int one = 1, other = 1 - lane->rank, periodic = 0, sides[2] = {1, 2}, edges[2] = {1, 0}, degree = 1, ranks = 2, keep = 1;
  MPI_Comm made, grid, between;
  MPI_Group all;
  MPI_Comm_group(lane->comm, &all);
  say_size(lane, "Comm_create", MPI_Comm_create(lane->comm, all, &made), &made);
  say_size(lane, "Comm_create_group", MPI_Comm_create_group(lane->comm, all, 5, &made), &made);
  MPI_Group_free(&all);
  say_size(lane, "Comm_dup_with_info", MPI_Comm_dup_with_info(lane->comm, MPI_INFO_NULL, &made), &made);
  int error = MPI_Comm_split(lane->comm, lane->rank, 0, &made);
  say(lane, "Intercomm_create %d", class_of(MPI_Intercomm_create(made, 0, lane->comm, other, 9, &between)));
  say_size(lane, "Comm_split", error, &made);
  say_size(lane, "Intercomm_merge", MPI_Intercomm_merge(between, lane->rank, &made), &made);
  say(lane, "Comm_disconnect %d", class_of(MPI_Comm_disconnect(&between)));
  say(lane, "Cart_create %d", class_of(MPI_Cart_create(lane->comm, 1, &ranks, &periodic, 0, &grid)));
  say_size(lane, "Cart_sub", MPI_Cart_sub(grid, &keep, &made), &made);
  MPI_Comm_free(&grid);
  say_size(lane, "Graph_create", MPI_Graph_create(lane->comm, 2, sides, edges, 0, &made), &made);
  say_size(lane, "Dist_graph_create", MPI_Dist_graph_create(lane->comm, 1, &lane->rank, &degree, &other, &one,
                                                            MPI_INFO_NULL, 0, &made), &made);
  say_size(lane, "Dist_graph_create_adjacent",
           MPI_Dist_graph_create_adjacent(lane->comm, 1, &other, &one, 1, &other, &one, MPI_INFO_NULL, 0, &made), &made);
}

static void go(Lane *lane) {
  /* MPICH 4.0 holds a lock in collective calls of files: two lanes could wait for each other. Open MPI 4.1 does not
     bear communicators and windows that are made at the same time, nor any call beside those of files: each
     walks the list of files' requests, which has no lock. */
  if (lane->number == 0) files(lane);
#pragma omp barrier
  windows(lane);
  if (lane->number != 0) return;
  epochs(lane);
  other_windows(lane);
  communicators(lane);
}

int main(int argc, char **argv) { return run_lanes(argc, argv, go); }
