// SPDX-License-Identifier: Apache-2.0
// omp_display_env and omp_display_affinity write to standard error or output what is in force: the
// program reads its own output back.
#include <omp.h>
#include <string.h>
#include "expect.h"

static char text[1 << 16];

static int redirect(int stream, FILE *file) {
  fflush(NULL);
  int saved = dup(stream);
  dup2(fileno(file), stream);
  return saved;
}

static void restore(int stream, int saved, FILE *file) {
  fflush(NULL);
  dup2(saved, stream);
  close(saved);
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
}

static void capture_env(int verbose) {
  FILE *file = tmpfile();
  int saved = redirect(2, file);
  omp_display_env(verbose);
  restore(2, saved, file);
}

static void expect_word(const char *word) {
  EXPECT(strstr(text, word) != NULL, "no %s in '%.300s'", word, text);
}

int main(void) {
  static const char *const names[] = {
      "OPENMP DISPLAY ENVIRONMENT BEGIN", "_OPENMP", "OMP_DYNAMIC", "OMP_NUM_THREADS",
      "OMP_SCHEDULE", "OMP_PROC_BIND", "OMP_PLACES", "OMP_STACKSIZE", "OMP_WAIT_POLICY",
      "OMP_THREAD_LIMIT", "OMP_MAX_ACTIVE_LEVELS", "OMP_CANCELLATION", "OMP_DEFAULT_DEVICE",
      "OMP_MAX_TASK_PRIORITY", "OMP_DISPLAY_AFFINITY", "OMP_AFFINITY_FORMAT",
      "OPENMP DISPLAY ENVIRONMENT END"};
  for (int verbose = 0; verbose < 2; verbose++) {
    capture_env(verbose);
    for (int i = 0; i < 17; i++) expect_word(names[i]);
  }
  FILE *file = tmpfile();
  int saved = redirect(1, file), second = redirect(2, file);
#pragma omp parallel
  omp_display_affinity("<thread %n>");
  restore(2, second, fdopen(dup(fileno(file)), "r+"));
  restore(1, saved, file);
  for (int i = 0; i < omp_get_max_threads(); i++) {
    char line[40];
    snprintf(line, sizeof line, "<thread %d>", i);
    expect_word(line);
  }
  return 0;
}
