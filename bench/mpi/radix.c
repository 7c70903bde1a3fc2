/* SPDX-License-Identifier: Apache-2.0 */
/* Radix sort over all ranks (Marques Filho and Hexsel, section 5; Blelloch et al. 1991), eight bits at a time, in
   messages of 1460 bytes. A pass has three phases: each rank's histogram, who has how many of each digit, keys to
   where they belong. "plain" does one after the other, as the paper's first version, with all messages of a pass under
   way at once; "tasks" sends in one task and receives four messages in each of others, which place what came and
   count it for the next pass meanwhile. What is sorted by is the key itself, or a mixture of it in so many rounds, by
   which the work for each key is that of slower cores. Arguments: plain, tasks (where there is latency to
   hide, latency.h) or always, keys of a rank, rounds, times. Prints the time of each run in seconds; the result is
   checked. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "latency.h"

#ifndef LEVEL
#define LEVEL MPI_THREAD_MULTIPLE
#endif

/* Keys in a message: as the paper's, which are a packet of its link; where there is no link to pack for, less than what
   both MPIs copy at once. For each message they take and give back locks at MPI_THREAD_MULTIPLE. */
enum { kInMessage = 365, kInLongMessage = 1000 };
enum { kDigits = 256, kBits = 8, kPasses = 4, kBatch = 4 };

typedef struct {
  int counts[kDigits];
} Histogram;

static int ranks, rank, count, rounds, in_message = kInMessage;
static Histogram *all;        /* of each rank, in this pass */
static uint32_t *keys, *sorted, *arrived; /* as a pass finds them; by digit, of this rank; as it leaves them */
static uint8_t *digits, *next_digits;     /* of `keys`, of `arrived` */

static void *new_block(size_t bytes) {
  void *block = calloc(1, bytes);
  if (block == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return block;
}

static uint32_t mixed(uint32_t key) {
  for (int i = 0; i < rounds; ++i) key = (key ^ (key >> 15)) * 0x85EBCA6Bu;
  return key;
}

static int digit_of(uint32_t key, int pass) { return (int)(mixed(key) >> (kBits * pass) & (kDigits - 1)); }

static void add_up(Histogram *sum, const uint32_t *first, uint8_t *digit, int length, int pass) {
  for (int i = 0; i < length; ++i) digit[i] = (uint8_t)digit_of(first[i], pass);
  for (int i = 0; i < length; ++i) ++sum->counts[digit[i]];
}

/* Stable. */
static void sort_here(const Histogram *mine) {
  int at[kDigits], sum = 0;
  for (int d = 0; d < kDigits; ++d) {
    at[d] = sum;
    sum += mine->counts[d];
  }
  for (int i = 0; i < count; ++i) sorted[at[digits[i]]++] = keys[i];
}

/* Runs of one digit of one rank, by where they end up: [from, from + length) of that rank's sorted keys. */
typedef struct {
  int from, to, length; /* to: in the destination */
} Run;

/* What `source` sends to `dest`, in the order of its sorted keys; their number of keys is the result. */
static int runs_between(int source, int dest, Run *runs, int *run_count) {
  int64_t before = 0, low = (int64_t)dest * count, high = low + count;
  int from = 0, keys_between = 0;
  *run_count = 0;
  for (int d = 0; d < kDigits; ++d)
    for (int r = 0; r < ranks; ++r) {
      int length = all[r].counts[d];
      if (r == source) {
        int64_t first = before > low ? before : low, last = before + length < high ? before + length : high;
        if (first < last) {
          runs[(*run_count)++] = (Run){from + (int)(first - before), (int)(first - low), (int)(last - first)};
          keys_between += (int)(last - first);
        }
        from += length;
      }
      before += length;
    }
  return keys_between;
}

static int messages_of(int length) { return (length + in_message - 1) / in_message; }
static int length_of(int length, int message) {
  int left = length - message * in_message;
  return left < in_message ? left : in_message;
}

/* Keys [first, first + length) of what the runs hold, of one message at most: where they belong, and counted for the
   next pass, if there is one that wants it. */
static void place(const Run *runs, int first, const uint32_t *from, int length, int pass, Histogram *next) {
  uint8_t digit[kInMessage];
  int counts = next != NULL && pass + 1 < kPasses;
  if (counts) add_up(next, from, digit, length, pass + 1);
  while (first >= runs->length) first -= (runs++)->length;
  for (int done = 0; done < length; first = 0, ++runs) {
    int part = runs->length - first < length - done ? runs->length - first : length - done, to = runs->to + first;
    memcpy(&arrived[to], &from[done], (size_t)part * sizeof(uint32_t));
    if (counts) memcpy(&next_digits[to], &digit[done], (size_t)part);
    done += part;
  }
}

typedef struct {
  Run runs[kDigits];
  int run_count, length;
} Way;

static Way *from_ranks, *to_ranks; /* this pass */

static void find_ways(void) {
  for (int r = 0; r < ranks; ++r) {
    to_ranks[r].length = runs_between(rank, r, to_ranks[r].runs, &to_ranks[r].run_count);
    from_ranks[r].length = runs_between(r, rank, from_ranks[r].runs, &from_ranks[r].run_count);
  }
}

static const uint32_t *outgoing(int dest) { return &sorted[to_ranks[dest].run_count ? to_ranks[dest].runs[0].from : 0]; }

static void place_all(const Way *way, const uint32_t *from, int pass) {
  for (int m = 0; m < messages_of(way->length); ++m)
    place(way->runs, m * in_message, from + m * in_message, length_of(way->length, m), pass, NULL);
}

static int start_sends(int dest, MPI_Request *requests) {
  int messages = messages_of(to_ranks[dest].length);
  for (int m = 0; m < messages; ++m)
    MPI_Isend(outgoing(dest) + m * in_message, length_of(to_ranks[dest].length, m), MPI_UINT32_T, dest, 1 + m,
              MPI_COMM_WORLD, &requests[m]);
  return messages;
}

static void exchange_plain(int pass) {
  int total = 0, posted = 0;
  for (int r = 0; r < ranks; ++r) total += messages_of(from_ranks[r].length) + messages_of(to_ranks[r].length);
  MPI_Request *requests = new_block(sizeof(MPI_Request) * (size_t)(total + 1));
  uint32_t *got = new_block(sizeof(uint32_t) * (size_t)(count + 1));
  int base = 0;
  for (int r = 0; r < ranks; ++r) {
    if (r == rank) continue;
    for (int m = 0; m < messages_of(from_ranks[r].length); ++m)
      MPI_Irecv(&got[base + m * in_message], length_of(from_ranks[r].length, m), MPI_UINT32_T, r, 1 + m,
                MPI_COMM_WORLD, &requests[posted++]);
    base += from_ranks[r].length;
  }
  for (int r = 0; r < ranks; ++r)
    if (r != rank) posted += start_sends(r, &requests[posted]);
  place_all(&from_ranks[rank], outgoing(rank), pass);
  MPI_Waitall(posted, requests, MPI_STATUSES_IGNORE);
  base = 0;
  for (int r = 0; r < ranks; ++r) {
    if (r == rank) continue;
    place_all(&from_ranks[r], &got[base], pass);
    base += from_ranks[r].length;
  }
  free(got);
  free(requests);
}

static void send_all(void) {
  int total = 0, posted = 0;
  for (int r = 0; r < ranks; ++r) total += messages_of(to_ranks[r].length);
  MPI_Request *requests = new_block(sizeof(MPI_Request) * (size_t)(total + 1));
  for (int turn = 1; turn < ranks; ++turn) posted += start_sends((rank + turn) % ranks, &requests[posted]);
  MPI_Waitall(posted, requests, MPI_STATUSES_IGNORE);
  free(requests);
}

static void note(Histogram *next, const Histogram *mine) {
  for (int d = 0; d < kDigits; ++d)
    if (mine->counts[d] != 0) {
#pragma omp atomic
      next->counts[d] += mine->counts[d];
    }
}

/* Messages [first, last) of a rank. */
static void receive_some(int source, int first, int last, int pass, Histogram *next) {
  uint32_t got[kBatch * kInMessage];
  MPI_Request requests[kBatch];
  Histogram mine = {{0}};
  const Way *way = &from_ranks[source];
  for (int m = first; m < last; ++m)
    MPI_Irecv(&got[(m - first) * kInMessage], length_of(way->length, m), MPI_UINT32_T, source, 1 + m, MPI_COMM_WORLD,
              &requests[m - first]);
  MPI_Waitall(last - first, requests, MPI_STATUSES_IGNORE);
  for (int m = first; m < last; ++m)
    place(way->runs, m * kInMessage, &got[(m - first) * kInMessage], length_of(way->length, m), pass, &mine);
  note(next, &mine);
}

/* The same of what stays here. */
static void keep_some(int first, int last, int pass, Histogram *next) {
  Histogram mine = {{0}};
  const Way *way = &from_ranks[rank];
  for (int m = first; m < last; ++m)
    place(way->runs, m * kInMessage, outgoing(rank) + m * kInMessage, length_of(way->length, m), pass, &mine);
  note(next, &mine);
}

static void exchange_tasks(int pass, Histogram *next) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task priority(2)
    send_all();
    for (int turn = 0; turn < ranks; ++turn) {
      int source = (rank + turn) % ranks, messages = messages_of(from_ranks[source].length);
      for (int first = 0; first < messages; first += kBatch) {
        int last = first + kBatch < messages ? first + kBatch : messages;
#pragma omp task firstprivate(source, first, last) priority(source != rank)
        if (source == rank) keep_some(first, last, pass, next);
        else receive_some(source, first, last, pass, next);
      }
    }
  }
}

static void swap_keys(void) {
  uint32_t *other = keys;
  uint8_t *other_digits = digits;
  keys = arrived;
  arrived = other;
  digits = next_digits;
  next_digits = other_digits;
}

static void sort_all(int tasks) {
  Histogram next = {{0}};
  for (int pass = 0; pass < kPasses; ++pass) {
    Histogram mine = next;
    if (pass == 0 || !tasks) {
      memset(&mine, 0, sizeof(mine));
      add_up(&mine, keys, digits, count, pass);
    }
    MPI_Allgather(&mine, kDigits, MPI_INT, all, kDigits, MPI_INT, MPI_COMM_WORLD);
    sort_here(&mine);
    find_ways();
    memset(&next, 0, sizeof(next));
    if (tasks) exchange_tasks(pass, &next);
    else exchange_plain(pass);
    swap_keys();
  }
}

/* Ascending here and from rank to rank; the sum of the keys is what it was. */
static int is_right(uint64_t sum_before) {
  uint64_t sum = 0;
  uint32_t edge[2] = {mixed(keys[0]), mixed(keys[count - 1])}, *edges = new_block(sizeof(edge) * (size_t)ranks);
  int right = 1;
  for (int i = 0; i < count; ++i) {
    sum += keys[i];
    if (i > 0 && mixed(keys[i - 1]) > mixed(keys[i])) right = 0;
  }
  MPI_Allgather(edge, 2, MPI_UINT32_T, edges, 2, MPI_UINT32_T, MPI_COMM_WORLD);
  for (int r = 1; r < ranks; ++r) right &= edges[2 * r - 1] <= edges[2 * r];
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  free(edges);
  return right && sum == sum_before;
}

static uint64_t fill(void) {
  uint32_t state = 12345u + (uint32_t)rank;
  uint64_t sum = 0;
  for (int i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    keys[i] = state ^ (state >> 16);
    sum += keys[i];
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

int main(int argc, char **argv) {
  int level, plain = argc < 2 || strcmp(argv[1], "plain") == 0, times = argc > 4 ? atoi(argv[4]) : 5;
  count = argc > 2 ? atoi(argv[2]) : 16384;
  rounds = argc > 3 ? atoi(argv[3]) : 0;
  MPI_Init_thread(&argc, &argv, plain ? MPI_THREAD_SINGLE : LEVEL, &level);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int tasks = wants_tasks(plain ? "plain" : argv[1]);
  if (!plain && !tasks) in_message = kInLongMessage;
  all = new_block(sizeof(Histogram) * (size_t)ranks);
  from_ranks = new_block(sizeof(Way) * (size_t)ranks);
  to_ranks = new_block(sizeof(Way) * (size_t)ranks);
  keys = new_block(sizeof(uint32_t) * (size_t)count);
  sorted = new_block(sizeof(uint32_t) * (size_t)count);
  arrived = new_block(sizeof(uint32_t) * (size_t)count);
  digits = new_block((size_t)count);
  next_digits = new_block((size_t)count);
  for (int t = 0; t < times; ++t) {
    uint64_t sum = fill();
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    sort_all(tasks);
    double time = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &time, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) printf("%.6f\n", time);
    if (!is_right(sum)) {
      if (rank == 0) fputs("radix: wrong\n", stderr);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  MPI_Finalize();
  return 0;
}
