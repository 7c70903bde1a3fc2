// SPDX-License-Identifier: Apache-2.0
// A small graph that is repeated, five times or as often as the argument says, for files of graphs: graph_file.py. Prints
// the result and what was replayed.
#include <stdio.h>
#include <stdlib.h>

#include "tulle/graph.h"

static int a, b, c;

static void work(void) {
  for (volatile int i = 0; i < 2000; i++) {
  }
}

static void step(int r) {
#pragma omp task depend(out : a)
  {
    work();
    a = r;
  }
#pragma omp task depend(in : a) depend(out : b)
  {
    work();
    b = 2 * a;
  }
#pragma omp task depend(in : a) depend(out : c)
  {
    work();
    c = 3 * a + OTHER;
  }
#pragma omp task depend(inout : b) depend(in : c)
  {
    work();
    b += c;
  }
}

int main(int argc, char **argv) {
  int times = argc > 1 ? atoi(argv[1]) : 5;
  int right = 1;
  for (int r = 0; r < times; r++) {
#pragma omp parallel num_threads(2)
#pragma omp single
    step(r);
    right = right && b == 5 * r + OTHER;
  }
  printf("%s, %lu replayed\n", right ? "right" : "wrong", tulle_graph_replayed());
  return 0;
}
