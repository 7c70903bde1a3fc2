/* SPDX-License-Identifier: Apache-2.0 */
/* The six-step FFT of 2^n points over all ranks (Marques Filho and Hexsel, section 3; Bailey 1990): a square matrix,
   rows dealt to ranks, transposed three times. "plain" exchanges whole blocks and computes then; "tasks" does
   both by groups of rows, sent and received in a task each, so that one group is on its way while another is computed.
   Built with QUAD it computes with 113 bits, in software: about as slow beside a link as cores of 2005 were with 53.
   Arguments: plain, tasks (where there is latency to hide, latency.h) or always, n, times. Prints the time
   of each run in seconds; the result is checked. */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "latency.h"

#ifndef LEVEL
#define LEVEL MPI_THREAD_MULTIPLE
#endif
#ifdef QUAD
typedef _Complex float __attribute__((mode(TC))) Point;
#else
typedef double complex Point;
#endif
/* Longer messages take several steps of both sides: over TCP those of Open MPI from 64 KB on, of MPICH from 32 KB. */
enum { kLeastGroups = 32, kMostBytes = 16384 };

static int ranks, rank, side, rows;  /* of the matrix; of it here */
static Point *roots;                 /* of unity, side of them */

static Point *new_points(size_t count) {
  Point *points = calloc(count, sizeof(Point));
  if (points == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return points;
}

static void transform_row(Point *row) {
  for (int i = 1, j = 0; i < side; ++i) {
    int bit = side >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j |= bit;
    if (i < j) {
      Point other = row[i];
      row[i] = row[j];
      row[j] = other;
    }
  }
  for (int length = 2; length <= side; length *= 2)
    for (int start = 0; start < side; start += length)
      for (int k = 0; k < length / 2; ++k) {
        Point *low = &row[start + k], *high = low + length / 2;
        Point turned = *high * roots[k * (side / length)];
        *high = *low - turned;
        *low += turned;
      }
}

/* Of the FFT of all points: row i's element k by the root i * k of side * side. */
static void twist_row(Point *row, int i) {
  Point step = (Point)cexp(-2 * M_PI * I * i / ((double)side * side)), root = 1;
  for (int k = 0; k < side; ++k, root *= step) row[k] *= root;
}

/* Rows [first, first + count) of the transposed matrix that a rank has: what there is of them here, as they will be. */
static void pack(const Point *from, Point *block, int dest, int first, int count) {
  for (int j = 0; j < count; ++j)
    for (int i = 0; i < rows; ++i)
      block[(size_t)j * rows + i] = from[(size_t)i * side + dest * rows + first + j];
}

/* What `source` had of them. */
static void unpack(Point *to, const Point *block, int source, int first, int count) {
  for (int j = 0; j < count; ++j)
    memcpy(&to[(size_t)(first + j) * side + source * rows], &block[(size_t)j * rows], (size_t)rows * sizeof(Point));
}

static int bytes_of(int count) { return (int)((size_t)count * (size_t)rows * sizeof(Point)); }

static void transpose(const Point *from, Point *to) {
  size_t block = (size_t)rows * (size_t)rows;
  Point *sent = new_points(2 * block), *got = sent + block;
  pack(from, sent, rank, 0, rows);
  unpack(to, sent, rank, 0, rows);
  for (int turn = 1; turn < ranks; ++turn) {
    int dest = (rank + turn) % ranks, source = (rank - turn + ranks) % ranks;
    pack(from, sent, dest, 0, rows);
    MPI_Sendrecv(sent, bytes_of(rows), MPI_BYTE, dest, 0, got, bytes_of(rows), MPI_BYTE, source, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    unpack(to, got, source, 0, rows);
  }
  free(sent);
}

static void send_group(const Point *from, int group, int count) {
  Point *block = new_points((size_t)count * (size_t)rows);
  for (int turn = 1; turn < ranks; ++turn) {
    int dest = (rank + turn) % ranks;
    pack(from, block, dest, group * count, count);
    MPI_Send(block, bytes_of(count), MPI_BYTE, dest, group, MPI_COMM_WORLD);
  }
  free(block);
}

static void receive_group(const Point *from, Point *to, int group, int count) {
  Point *block = new_points((size_t)count * (size_t)rows);
  pack(from, block, rank, group * count, count);
  unpack(to, block, rank, group * count, count);
  for (int turn = 1; turn < ranks; ++turn) {
    int source = (rank - turn + ranks) % ranks;
    MPI_Recv(block, bytes_of(count), MPI_BYTE, source, group, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    unpack(to, block, source, group * count, count);
  }
  free(block);
}

enum Step { kTwist, kTransform, kNothing };

static void compute(Point *matrix, int first, int count, enum Step step) {
  if (step == kNothing) return;
  for (int j = first; j < first + count; ++j) {
    transform_row(&matrix[(size_t)j * side]);
    if (step == kTwist) twist_row(&matrix[(size_t)j * side], rank * rows + j);
  }
}

static void transpose_and_compute(const Point *from, Point *to, enum Step step, int tasks) {
  if (!tasks) {
    transpose(from, to);
    compute(to, 0, rows, step);
    return;
  }
  int count = rows > kLeastGroups ? rows / kLeastGroups : 1;
  while (count > 1 && bytes_of(count) > kMostBytes) count /= 2;
  int groups = rows / count;
#pragma omp parallel
#pragma omp single
  for (int group = 0; group < groups; ++group) {
#pragma omp task firstprivate(group) priority(1)
    send_group(from, group, count);
#pragma omp task firstprivate(group)
    {
      receive_group(from, to, group, count);
      compute(to, group * count, count, step);
    }
  }
}

static void transform(Point *matrix, Point *other, int tasks) {
  transpose_and_compute(matrix, other, kTwist, tasks);
  transpose_and_compute(other, matrix, kTransform, tasks);
  transpose_and_compute(matrix, other, kNothing, tasks);
}

/* Of one wave of frequency 3 all is in one point. */
static int is_right(const Point *result) {
  double most = 0;
  int right = 1;
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < side; ++k) {
      size_t number = (size_t)(rank * rows + i) * side + k;
      double expected = number == 3 ? (double)side * side : 0;
      double off = cabs((double complex)(result[(size_t)i * side + k] - expected));
      if (off > most) most = off;
    }
  right = most < 1e-6 * side * side;
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return right;
}

int main(int argc, char **argv) {
  int level, plain = argc < 2 || strcmp(argv[1], "plain") == 0, bits = argc > 2 ? atoi(argv[2]) : 20;
  int times = argc > 3 ? atoi(argv[3]) : 5;
  MPI_Init_thread(&argc, &argv, plain ? MPI_THREAD_SINGLE : LEVEL, &level);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int tasks = wants_tasks(plain ? "plain" : argv[1]);
  side = 1 << (bits / 2);
  rows = side / ranks;
  roots = new_points((size_t)side);
  for (int k = 0; k < side; ++k) roots[k] = (Point)cexp(-2 * M_PI * I * k / side);
  Point *matrix = new_points((size_t)rows * side), *other = new_points((size_t)rows * side);
  for (int t = 0; t < times; ++t) {
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < side; ++k)
        matrix[(size_t)i * side + k] =
            (Point)cexp(2 * M_PI * I * 3.0 * ((double)(rank * rows + i) * side + k) / ((double)side * side));
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    transform(matrix, other, tasks);
    double time = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &time, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) printf("%.6f\n", time);
    if (!is_right(other)) {
      if (rank == 0) fputs("fft: wrong\n", stderr);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  MPI_Finalize();
  return 0;
}
