// SPDX-License-Identifier: Apache-2.0
// Members that look under a lock whether it is their turn, and look again at once where it is not: whose turn it is has the lock
// next. Whoever let it go took it again several times first: 3 looks for each turn of two members, 21 to 37 of eight. Where these came to
// run on OS threads of their own, each turn took a time slice; so too where two members are on one core, by 70,000 looks for each.
// The least of many batches, for that tells nothing of how busy the machine is, of more where it is; but all of them have to end.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdbool.h>

#include "expect.h"

enum { BATCHES = 20, MOST_SECONDS = 10, TURNS = 200 };

struct asked {
  int turn;
  int size;
};

// The looks are counted where they change nothing that calls preserve: a program does not count them at all.
static long *looks_of(int member) {
  static long looks[64][16];
  return looks[member];
}

static bool takes_turn(struct asked *asked) {
  const bool own = asked->turn % asked->size == omp_get_thread_num();
  asked->turn += own;
  ++*looks_of(omp_get_thread_num());
  return own;
}

static bool look(struct asked *asked) {
  bool own;
#pragma omp critical
  own = takes_turn(asked);
  return own;
}

static omp_lock_t lock;

static bool look_by_lock(struct asked *asked) {
  omp_set_lock(&lock);
  const bool own = takes_turn(asked);
  omp_unset_lock(&lock);
  return own;
}

static void take_turns(struct asked *asked, bool (*look_for_own)(struct asked *)) {
  for (int mine = 0; mine < TURNS; mine += look_for_own(asked)) {
  }
}

static long all_looks(void) {
  long all = 0;
  for (int i = 0; i < 64; i++) all += *looks_of(i);
  return all;
}

static void check(const char *what, bool (*look_for_own)(struct asked *)) {
  double least = 1e9, most = 0, begun = omp_get_wtime();
  for (int batch = 0; batch < BATCHES || (least >= most && omp_get_wtime() - begun < MOST_SECONDS); batch++) {
    const long before = all_looks();
    struct asked asked = {0, 1};
#pragma omp parallel
    {
#pragma omp single
      asked.size = omp_get_num_threads();
      take_turns(&asked, look_for_own);
    }
    const double each = (double)(all_looks() - before) / asked.turn;
    EXPECT(asked.turn == TURNS * asked.size, "%s: %d turns", what, asked.turn);
    if (each < least) least = each;
    most = asked.size == 2 ? 2.5 : 2 * asked.size;
  }
  // On one core it is the operating system that tells who looks.
  EXPECT(least < most || omp_get_num_procs() < 2, "%s: %.1f looks for each turn", what, least);
}

// Two members whose workers are on one core for a while, which nobody tells the runtime. Whoever asks leaves it.
static void check_on_one_core(const char *what, bool (*look_for_own)(struct asked *)) {
  double least = 1e9;
  for (int batch = 0; batch < 3; batch++) {
    const long before = all_looks();
    struct asked asked = {0, 2};
    const int cpu = sched_getcpu();
#pragma omp parallel num_threads(2)
    {
      cpu_set_t all, one;
      sched_getaffinity(0, sizeof all, &all);
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      sched_setaffinity(0, sizeof one, &one);
#pragma omp barrier
      take_turns(&asked, look_for_own);
#pragma omp barrier
      sched_setaffinity(0, sizeof all, &all);
    }
    const double each = (double)(all_looks() - before) / asked.turn;
    if (each < least) least = each;
  }
  EXPECT(least < 5000, "%s on one core: %.1f looks for each turn", what, least);
}

int main(void) {
  check("critical", look);
  omp_init_lock(&lock);
  check("lock", look_by_lock);
  if (omp_get_max_threads() == 2) {
    check_on_one_core("critical", look);
    check_on_one_core("lock", look_by_lock);
  }
  return 0;
}
