// SPDX-License-Identifier: Apache-2.0
// Writes a file of recorded task graphs: graph_sample FILE.
#include <cstdio>

#include "omp/graph/graph_file.h"
#include "recorded_sample.h"

int main(int, char** argv) {
  tulle::omp::RecordedGraphs sample;
  fill_sample(sample);
  const char* problem = nullptr;
  if (save_graphs(argv[1], sample, &problem)) return 0;
  fprintf(stderr, "%s: %s\n", argv[1], problem);
  return 1;
}
