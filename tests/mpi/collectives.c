/* SPDX-License-Identifier: Apache-2.0 */
/* Every collective call: what it leaves where, in place too, between two groups, and among neighbours. */
#include "large.h"
#include "lanes.h"

enum { kRanks = 2 };

static int *numbers(const Lane *lane, int seed) {
  static _Thread_local int data[8];
  for (int i = 0; i < 8; ++i) data[i] = seed + 100 * lane->rank + 10 * lane->number + i;
  return data;
}

static void rooted(Lane *lane, int root) {
  int out[8] = {0}, error;
  Count counts[kRanks] = {1, 3};
  Place places[kRanks] = {3, 0};
  memcpy(out, numbers(lane, 1), sizeof(out));
  error = MPI_Bcast(out, 5, MPI_INT, root, lane->comm);
  say_ints(lane, "Bcast", error, out, 8);
  memset(out, 0, sizeof(out));
  error = MPI_Gather(numbers(lane, 2), 2, MPI_INT, out, 2, MPI_INT, root, lane->comm);
  say_ints(lane, "Gather", error, out, 8);
  memset(out, 0, sizeof(out));
  error = MPI_Gatherv(numbers(lane, 3), counts[lane->rank], MPI_INT, out, counts, places, MPI_INT, root, lane->comm);
  say_ints(lane, "Gatherv", error, out, 8);
  memset(out, 0, sizeof(out));
  error = MPI_Scatter(numbers(lane, 4), 2, MPI_INT, out, 2, MPI_INT, root, lane->comm);
  say_ints(lane, "Scatter", error, out, 8);
  memset(out, 0, sizeof(out));
  error = MPI_Scatterv(numbers(lane, 5), counts, places, MPI_INT, out, counts[lane->rank], MPI_INT, root, lane->comm);
  say_ints(lane, "Scatterv", error, out, 8);
  memset(out, 0, sizeof(out));
  error = MPI_Reduce(numbers(lane, 6), out, 4, MPI_INT, MPI_SUM, root, lane->comm);
  say_ints(lane, "Reduce", error, out, 8);
  memcpy(out, numbers(lane, 7), sizeof(out));
  error = MPI_Reduce(lane->rank == root ? MPI_IN_PLACE : out, out, 4, MPI_INT, MPI_MAX, root, lane->comm);
  if (lane->rank == root) say_ints(lane, "Reduce in place", error, out, 8);
  say(lane, "Bcast from nobody %d", class_of(MPI_Bcast(out, 1, MPI_INT, 9, lane->comm)));
}

static void to_all(Lane *lane) {
  int out[8] = {0}, error;
  Count counts[kRanks] = {1, 2};
  Place places[kRanks] = {2, 0};
  error = MPI_Allgather(numbers(lane, 11), 2, MPI_INT, out, 2, MPI_INT, lane->comm);
  say_ints(lane, "Allgather", error, out, 8);
  memset(out, 0, sizeof(out));
  error = MPI_Allgatherv(numbers(lane, 12), counts[lane->rank], MPI_INT, out, counts, places, MPI_INT, lane->comm);
  say_ints(lane, "Allgatherv", error, out, 8);
  memset(out, 0, sizeof(out));
  error = MPI_Alltoall(numbers(lane, 13), 3, MPI_INT, out, 3, MPI_INT, lane->comm);
  say_ints(lane, "Alltoall", error, out, 8);
  memcpy(out, numbers(lane, 14), sizeof(out));
  error = MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, out, 3, MPI_INT, lane->comm);
  say_ints(lane, "Alltoall in place", error, out, 8);
  Count sent[kRanks] = {2, 1}, got[kRanks] = {lane->rank == 0 ? 2 : 1, lane->rank == 0 ? 2 : 1};
  Place from[kRanks] = {0, 4}, to[kRanks] = {0, 3};
  memset(out, 0, sizeof(out));
  error = MPI_Alltoallv(numbers(lane, 15), sent, from, MPI_INT, out, got, to, MPI_INT, lane->comm);
  say_ints(lane, "Alltoallv", error, out, 8);
  MPI_Datatype types[kRanks] = {MPI_INT, MPI_INT};
  Place from_bytes[kRanks] = {0, 4 * sizeof(int)}, to_bytes[kRanks] = {0, 3 * sizeof(int)};
  memset(out, 0, sizeof(out));
  error = MPI_Alltoallw(numbers(lane, 16), sent, from_bytes, types, out, got, to_bytes, types, lane->comm);
  say_ints(lane, "Alltoallw", error, out, 8);
}

static void reductions(Lane *lane) {
  int out[8] = {0}, error;
  Count counts[kRanks] = {1, 3};
  error = MPI_Allreduce(numbers(lane, 21), out, 5, MPI_INT, MPI_SUM, lane->comm);
  say_ints(lane, "Allreduce", error, out, 8);
  memcpy(out, numbers(lane, 22), sizeof(out));
  error = MPI_Allreduce(MPI_IN_PLACE, out, 5, MPI_INT, MPI_MIN, lane->comm);
  say_ints(lane, "Allreduce in place", error, out, 8);
  memset(out, 0, sizeof(out));
  error = MPI_Reduce_scatter(numbers(lane, 23), out, counts, MPI_INT, MPI_SUM, lane->comm);
  say_ints(lane, "Reduce_scatter", error, out, 8);
  memset(out, 0, sizeof(out));
  error = MPI_Reduce_scatter_block(numbers(lane, 24), out, 2, MPI_INT, MPI_SUM, lane->comm);
  say_ints(lane, "Reduce_scatter_block", error, out, 8);
  memset(out, 0, sizeof(out));
  error = MPI_Scan(numbers(lane, 25), out, 3, MPI_INT, MPI_SUM, lane->comm);
  say_ints(lane, "Scan", error, out, 8);
  memset(out, 0, sizeof(out));
  error = MPI_Exscan(numbers(lane, 26), out, 3, MPI_INT, MPI_SUM, lane->comm);
  if (lane->rank > 0) say_ints(lane, "Exscan", error, out, 8);
  say(lane, "Barrier %d", MPI_Barrier(lane->comm));
}

static void neighbours(Lane *lane) {
  int out[8] = {0}, error;
  Count counts[2] = {2, 1};
  Place places[2] = {0, 4};
  MPI_Comm cart = lane->ring;
  error = MPI_Neighbor_allgather(numbers(lane, 31), 2, MPI_INT, out, 2, MPI_INT, cart);
  say_ints(lane, "Neighbor_allgather", error, out, 8);
  memset(out, 0, sizeof(out));
  Count same[2] = {2, 2};
  error = MPI_Neighbor_allgatherv(numbers(lane, 32), 2, MPI_INT, out, same, places, MPI_INT, cart);
  say_ints(lane, "Neighbor_allgatherv", error, out, 8);
  memset(out, 0, sizeof(out));
  error = MPI_Neighbor_alltoall(numbers(lane, 33), 2, MPI_INT, out, 2, MPI_INT, cart);
  say_ints(lane, "Neighbor_alltoall", error, out, 8);
  memset(out, 0, sizeof(out));
  Count got[2] = {1, 2};
  error = MPI_Neighbor_alltoallv(numbers(lane, 34), counts, places, MPI_INT, out, got, places, MPI_INT, cart);
  say_ints(lane, "Neighbor_alltoallv", error, out, 8);
  MPI_Aint bytes[2] = {0, 4 * sizeof(int)};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  memset(out, 0, sizeof(out));
  error = MPI_Neighbor_alltoallw(numbers(lane, 35), counts, bytes, types, out, got, bytes, types, cart);
  say_ints(lane, "Neighbor_alltoallw", error, out, 8);
}

static void two_groups(Lane *lane) {
  int out[4] = {0}, error;
  MPI_Comm between = lane->between;
  error = MPI_Allreduce(numbers(lane, 41), out, 3, MPI_INT, MPI_SUM, between);
  say_ints(lane, "Allreduce of the others", error, out, 4);
  error = MPI_Bcast(out, 4, MPI_INT, lane->rank == 0 ? MPI_ROOT : 0, between);
  say_ints(lane, "Bcast to the others", error, out, 4);
  say(lane, "Barrier with the others %d", MPI_Barrier(between));
}

static void copies(Lane *lane) {
  MPI_Comm copy;
  int error = MPI_Comm_dup(lane->comm, &copy), result = -1, out = 0, mine = lane->rank + 1;
  MPI_Comm_compare(lane->comm, copy, &result);
  say(lane, "Comm_dup %d: congruent %d", error, result == MPI_CONGRUENT);
  MPI_Allreduce(&mine, &out, 1, MPI_INT, MPI_SUM, copy);
  say_ints(lane, "Allreduce in the copy", error, &out, 1);
  MPI_Comm_free(&copy);
}

static void go(Lane *lane) {
  for (int root = 0; root < kRanks; ++root) rooted(lane, root);
  to_all(lane);
  reductions(lane);
  neighbours(lane);
  two_groups(lane);
  if (lane->number == 0) copies(lane);
}

int main(int argc, char **argv) { return run_lanes(argc, argv, go); }
