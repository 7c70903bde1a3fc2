// SPDX-License-Identifier: Apache-2.0
// Writes a file of recorded task graphs: graph_sample FILE.
#include <cstdio>

#include "../unit/omp/graph/recorded_sample.h"
#include "omp/graph/graph_file.h"

int main(int, char** argv) {
  tulle::omp::RecordedGraphs sample;
  fill_sample(sample);
  const char* problem = nullptr;
  if (save_graphs(argv[1], sample, &problem)) return 0;
  fprintf(stderr, "%s: %s\n", argv[1], problem);
  return 1;
}
