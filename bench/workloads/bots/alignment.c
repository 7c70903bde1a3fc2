// SPDX-License-Identifier: Apache-2.0
// alignment: the score of the best global alignment of every pair of protein sequences, with affine
// gaps; a task for each pair, made by the threads of a loop.
#include <stdlib.h>
#include <string.h>

#include "tables.h"

enum { SEQUENCES = 24, SHORTEST = 60, LONGEST = 140, LETTERS = 20, OPEN = 11, EXTEND = 1 };

static unsigned char letters[SEQUENCES][LONGEST];
static int length[SEQUENCES];
static int score[SEQUENCES][SEQUENCES], expected[SEQUENCES][SEQUENCES];
static signed char match[LETTERS][LETTERS];

static int larger(int a, int b) { return a > b ? a : b; }

static int align(int first, int second) {
  int best[LONGEST + 1], gap_down[LONGEST + 1], columns = length[second];
  best[0] = 0;
  for (int j = 1; j <= columns; j++) {
    best[j] = -OPEN - EXTEND * j;
    gap_down[j] = -1000000;
  }
  for (int i = 1; i <= length[first]; i++) {
    int diagonal = best[0], gap_right = -1000000;
    best[0] = -OPEN - EXTEND * i;
    for (int j = 1; j <= columns; j++) {
      gap_down[j] = larger(gap_down[j], best[j] - OPEN) - EXTEND;
      gap_right = larger(gap_right, best[j - 1] - OPEN) - EXTEND;
      int here = diagonal + match[letters[first][i - 1]][letters[second][j - 1]];
      diagonal = best[j];
      best[j] = larger(here, larger(gap_down[j], gap_right));
    }
  }
  return best[columns];
}

static void setup(const Case *c) {
  (void)c;
  uint32_t state = 5;
  for (int i = 0; i < LETTERS; i++)
    for (int j = 0; j <= i; j++)
      match[i][j] = match[j][i] = (signed char)(i == j ? 5 : (int)(next_random(&state) % 6) - 4);
  for (int s = 0; s < SEQUENCES; s++) {
    length[s] = SHORTEST + (int)(next_random(&state) % (LONGEST - SHORTEST));
    for (int i = 0; i < length[s]; i++) letters[s][i] = (unsigned char)(next_random(&state) % LETTERS);
  }
  for (int i = 0; i < SEQUENCES; i++)
    for (int j = i + 1; j < SEQUENCES; j++) expected[i][j] = align(i, j);
}

static void work(const Case *c) {
  (void)c;
  memset(score, 0, sizeof score);
#pragma omp parallel
#pragma omp for schedule(dynamic)
  for (int i = 0; i < SEQUENCES; i++)
    for (int j = i + 1; j < SEQUENCES; j++) {
#pragma omp task untied firstprivate(i, j)
      score[i][j] = align(i, j);
    }
}

static bool check(const Case *c) {
  (void)c;
  return memcmp(score, expected, sizeof score) == 0;
}

const Case alignment_cases[] = {
    {.name = "bots_alignment", .setup = setup, .work = work, .check = check}, {0}};
