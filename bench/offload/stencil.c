// SPDX-License-Identifier: Apache-2.0
// Heat in a plate over devices: stencil.c DEVICES SIZE STEPS prints the seconds. Each device keeps a block of rows
// and a row more on either side, which comes from its neighbour after each step; blocks are computed side by side. The
// result is held against the host's.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma omp declare target
int size;

void step(const double *from, double *to, int rows) {
#pragma omp parallel for
  for (int row = 1; row <= rows; row++)
    for (int i = 1; i < size - 1; i++) {
      size_t at = (size_t)row * (size_t)size + (size_t)i;
      to[at] = 0.25 * (from[at - 1] + from[at + 1] + from[at - (size_t)size] + from[at + (size_t)size]);
    }
}
#pragma omp end declare target

static double *plate(void) {
  double *made = calloc((size_t)size * (size_t)size, sizeof *made);
  for (int i = 0; i < size; i++) made[i] = 100;
  return made;
}

static void on_host(double *from, double *to, int steps) {
  for (int n = 0; n < steps; n++) {
    step(from, to, size - 2);
    double *swap = from;
    from = to;
    to = swap;
  }
}

// Rows first to first + rows + 1 are the block of a device, edges included.
typedef struct {
  int first, rows;
} Block;

static void on_devices(double *a, double *b, int steps, int devices) {
  Block blocks[64];
  size_t line = (size_t)size;
  for (int d = 0; d < devices; d++) {
    int begin = (size - 2) * d / devices, end = (size - 2) * (d + 1) / devices;
    blocks[d] = (Block){begin, end - begin};
    double *p = a + (size_t)begin * line, *q = b + (size_t)begin * line;
    size_t cells = (size_t)(end - begin + 2) * line;
#pragma omp target enter data map(to : p[0 : cells], q[0 : cells]) device(d)
#pragma omp target update to(size) device(d)
  }
  for (int n = 0; n < steps; n++) {
    for (int d = 0; d < devices; d++) {
      double *p = a + (size_t)blocks[d].first * line, *q = b + (size_t)blocks[d].first * line;
      size_t cells = (size_t)(blocks[d].rows + 2) * line;
      int rows = blocks[d].rows;
#pragma omp target map(to : p[0 : cells], q[0 : cells]) device(d) nowait
      step(p, q, rows);
    }
#pragma omp taskwait
    for (int d = 0; d + 1 < devices; d++) {
      double *low = b + (size_t)blocks[d + 1].first * line, *high = low + line;
#pragma omp target update from(low[0 : line]) device(d)
#pragma omp target update from(high[0 : line]) device(d + 1)
#pragma omp target update to(high[0 : line]) device(d)
#pragma omp target update to(low[0 : line]) device(d + 1)
    }
    double *swap = a;
    a = b;
    b = swap;
  }
  for (int d = 0; d < devices; d++) {
    double *p = a + (size_t)(blocks[d].first + 1) * line, *q = b + (size_t)blocks[d].first * line;
    double *whole = a + (size_t)blocks[d].first * line;
    size_t inner = (size_t)blocks[d].rows * line, cells = inner + 2 * line;
#pragma omp target update from(p[0 : inner]) device(d)
#pragma omp target exit data map(delete : whole[0 : cells], q[0 : cells]) device(d)
  }
}

int main(int argc, char **argv) {
  int devices = argc > 1 ? atoi(argv[1]) : 1, steps = argc > 3 ? atoi(argv[3]) : 100;
  size = argc > 2 ? atoi(argv[2]) : 1000;
  if (devices > omp_get_num_devices()) {
    fprintf(stderr, "stencil: there are %d devices\n", omp_get_num_devices());
    return 1;
  }
  double *a = plate(), *b = plate(), *c = plate(), *d = plate();
  double begin = omp_get_wtime();
  if (devices == 0)
    on_host(a, b, steps);
  else
    on_devices(a, b, steps, devices);
  double seconds = omp_get_wtime() - begin;
  on_host(c, d, steps);
  double *mine = steps % 2 == 0 ? a : b, *right = steps % 2 == 0 ? c : d;
  size_t inner = (size_t)(size - 2) * (size_t)size * sizeof *mine;
  if (memcmp(mine + size, right + size, inner) != 0) {
    fprintf(stderr, "stencil: not what the host has\n");
    return 1;
  }
  printf("%.4f\n", seconds);
  return 0;
}
