// SPDX-License-Identifier: Apache-2.0
// schedule(runtime) obeys run-sched-var: from OMP_SCHEDULE at first, from omp_set_schedule later;
// regions inherit it and changes inside a region stay there (OpenMP 5.2 §2.4, §18.2.11).
#include <omp.h>
#include <string.h>
#include "expect.h"

enum { trips = 500 };

static int owner[trips];

static void run(void) {
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < trips; i++) owner[i] = omp_get_thread_num();
}

static void check_environment(void) {
  const char *text = getenv("OMP_SCHEDULE");
  if (!text) return;
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  int base = kind & ~omp_sched_monotonic;
  const char *colon = strchr(text, ':'), *comma = strchr(text, ',');
  const char *name = colon ? colon + 1 : text;
  int wanted = name[0] == 's' ? omp_sched_static : name[0] == 'd' ? omp_sched_dynamic
             : name[0] == 'g' ? omp_sched_guided : omp_sched_auto;
  EXPECT_EQ(base, wanted);
  if (comma) EXPECT_EQ(chunk, atoi(comma + 1));
  if (colon && text[0] == 'm') EXPECT(kind & omp_sched_monotonic, "for %s", text);
}

static void check_round_trip(omp_sched_t kind, int chunk) {
  omp_sched_t got;
  int got_chunk;
  omp_set_schedule(kind, chunk);
  omp_get_schedule(&got, &got_chunk);
  EXPECT_EQ(got & ~omp_sched_monotonic, kind & ~omp_sched_monotonic);
  if ((kind & ~omp_sched_monotonic) != omp_sched_auto) EXPECT_EQ(got_chunk, chunk);
  memset(owner, 0xff, sizeof owner);
  run();
  for (int i = 0; i < trips; i++) EXPECT(owner[i] >= 0, "iteration %d did not run", i);
}

static void check_static(int n) {
  omp_set_schedule(omp_sched_static, 9);
  run();
  for (int i = 0; i < trips; i++) EXPECT_EQ(owner[i], i / 9 % n);
#pragma omp parallel
  {
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    EXPECT_EQ(chunk, 9);
    omp_set_schedule(omp_sched_dynamic, 100 + omp_get_thread_num());
    omp_get_schedule(&kind, &chunk);
    EXPECT_EQ(chunk, 100 + omp_get_thread_num());
  }
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  EXPECT_EQ(kind & ~omp_sched_monotonic, omp_sched_static);
  EXPECT_EQ(chunk, 9);
}

int main(void) {
  omp_set_dynamic(0);
  check_environment();
  check_round_trip(omp_sched_static, 4);
  check_round_trip(omp_sched_dynamic, 4);
  check_round_trip(omp_sched_guided, 4);
  check_round_trip(omp_sched_auto, 0);
  check_round_trip(omp_sched_dynamic | omp_sched_monotonic, 3);
  check_static(omp_get_max_threads());
  return 0;
}
