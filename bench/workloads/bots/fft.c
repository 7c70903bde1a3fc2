// SPDX-License-Identifier: Apache-2.0
// fft: a recursive transform of 32,768 complex numbers, tasks for the two halves and for pieces of the
// combining loop.
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "tables.h"

enum { COUNT = 1 << 15, LEAF = 512, PIECE = 1024 };

typedef double complex Number;

static Number *input, *output, *spare, *expected, *roots;

static void combine(Number *even, Number *odd, Number *to, long half, long stride, long from, long end) {
  for (long k = from; k < end; k++) {
    Number turned = roots[k * stride] * odd[k];
    to[k] = even[k] + turned;
    to[k + half] = even[k] - turned;
  }
}

// Transforms `n` numbers, `stride` apart in `from`, into `to`; `room` is as large as `to`.
static void transform(const Number *from, Number *to, Number *room, long n, long stride) {
  if (n == 1) {
    to[0] = from[0];
    return;
  }
  long half = n / 2;
#pragma omp task if (n > LEAF)
  transform(from, room, to, half, 2 * stride);
#pragma omp task if (n > LEAF)
  transform(from + stride, room + half, to + half, half, 2 * stride);
#pragma omp taskwait
  if (half <= PIECE) {
    combine(room, room + half, to, half, stride, 0, half);
    return;
  }
  for (long k = 0; k < half; k += PIECE) {
#pragma omp task firstprivate(k)
    combine(room, room + half, to, half, stride, k, k + PIECE);
  }
#pragma omp taskwait
}

static void setup(const Case *c) {
  (void)c;
  size_t bytes = COUNT * sizeof(Number);
  input = malloc(bytes), output = malloc(bytes), spare = malloc(bytes);
  expected = malloc(bytes), roots = malloc(bytes);
  if (!input || !output || !spare || !expected || !roots) abort();
  uint32_t state = 7;
  for (int i = 0; i < COUNT; i++) {
    double real = (double)next_random(&state), imaginary = (double)next_random(&state);
    input[i] = 1e-7 * (real + imaginary * I);
    roots[i] = cexp(-2.0 * M_PI * I * i / COUNT);
  }
  transform(input, expected, spare, COUNT, 1);
}

static void work(const Case *c) {
  (void)c;
#pragma omp parallel
#pragma omp single
  transform(input, output, spare, COUNT, 1);
}

// The same as the sequential run to the last bit, and the first term is the sum of the input.
static bool check(const Case *c) {
  (void)c;
  Number sum = 0.0;
  for (int i = 0; i < COUNT; i++) sum += input[i];
  return memcmp(output, expected, COUNT * sizeof(Number)) == 0 && cabs(sum - output[0]) < 1e-6;
}

const Case fft_cases[] = {{.name = "bots_fft", .setup = setup, .work = work, .check = check}, {0}};
