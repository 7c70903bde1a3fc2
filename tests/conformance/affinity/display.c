// SPDX-License-Identifier: Apache-2.0
// omp_capture_affinity with every field, widths, adjustment and long names; the format's routines;
// truncation as snprintf has it (OpenMP 5.2 §18.3).
#include <omp.h>
#include <string.h>
#include "expect.h"

static void expect_text(const char *format, const char *wanted) {
  char buffer[200];
  size_t length = omp_capture_affinity(buffer, sizeof buffer, format);
  EXPECT(strcmp(buffer, wanted) == 0, "%s gives '%s', not '%s'", format, buffer, wanted);
  EXPECT_EQ(length, strlen(wanted));
}

static void check_fields(void) {
  char wanted[100];
  int self = omp_get_thread_num();
  snprintf(wanted, sizeof wanted, "<%d>", self);
  expect_text("<%n>", wanted);
  expect_text("<%{thread_num}>", wanted);
  snprintf(wanted, sizeof wanted, "%04d|%-4d|%4d", self, omp_get_num_threads(), omp_get_level());
  expect_text("%0.4n|%4N|%.4L", wanted);
  snprintf(wanted, sizeof wanted, "%d %d %d %d", omp_get_team_num(), omp_get_num_teams(),
           omp_get_ancestor_thread_num(omp_get_level() - 1), (int)getpid());
  expect_text("%t %T %a %{process_id}", wanted);
  expect_text("100%%", "100%");
  gethostname(wanted, sizeof wanted);
  expect_text("%H", wanted);
}

static void check_format_routines(void) {
  char buffer[20];
  omp_set_affinity_format("thread %n of %N");
  EXPECT_EQ(omp_get_affinity_format(buffer, sizeof buffer), 15);
  EXPECT(strcmp(buffer, "thread %n of %N") == 0, "'%s'", buffer);
  memset(buffer, 'x', sizeof buffer);
  EXPECT_EQ(omp_get_affinity_format(buffer, 7), 15);
  EXPECT(strcmp(buffer, "thread") == 0, "'%s'", buffer);
  expect_text(NULL, "thread 0 of 1");
  expect_text("", "thread 0 of 1");
  memset(buffer, 'x', sizeof buffer);
  EXPECT_EQ(omp_capture_affinity(buffer, 4, "abcdefg"), 7);
  EXPECT(strcmp(buffer, "abc") == 0, "'%s'", buffer);
  EXPECT_EQ(buffer[4], 'x');
  EXPECT_EQ(omp_capture_affinity(NULL, 0, "abcdefg"), 7);
}

int main(void) {
  check_format_routines();
#pragma omp parallel
  check_fields();
  char affinity[300];
  EXPECT(omp_capture_affinity(affinity, sizeof affinity, "%A") > 0, "thread_affinity is empty");
  EXPECT(affinity[0] >= '0' && affinity[0] <= '9', "thread_affinity is '%s'", affinity);
  return 0;
}
