// SPDX-License-Identifier: Apache-2.0
// Members that look under a lock whether it is their turn, and look again at once where it is not: whose turn it is has the lock
// next. Whoever let it go took it again several times first: 3 looks for each turn of two members, 21 to 37 of eight. Where these came to
// run on OS threads of their own, each turn took a time slice. The least of many batches, for that tells nothing of how busy the
// machine is; but all of them have to end.
#include <omp.h>
#include <stdbool.h>

#include "expect.h"

enum { BATCHES = 20, TURNS = 200 };

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

static void check(const char *what, bool (*look_for_own)(struct asked *)) {
  double least = 1e9, most = 0;
  for (int batch = 0; batch < BATCHES; batch++) {
    long before = 0, after = 0;
    struct asked asked = {0, 1};
    for (int i = 0; i < 64; i++) before += *looks_of(i);
#pragma omp parallel
    {
#pragma omp single
      asked.size = omp_get_num_threads();
      for (int mine = 0; mine < TURNS; mine += look_for_own(&asked)) {
      }
    }
    for (int i = 0; i < 64; i++) after += *looks_of(i);
    const double each = (double)(after - before) / asked.turn;
    EXPECT(asked.turn == TURNS * asked.size, "%s: %d turns", what, asked.turn);
    if (each < least) least = each;
    most = asked.size == 2 ? 2.5 : 2 * asked.size;
  }
  // On one core it is the operating system that tells who looks.
  EXPECT(least < most || omp_get_num_procs() < 2, "%s: %.1f looks for each turn", what, least);
}

int main(void) {
  check("critical", look);
  omp_init_lock(&lock);
  check("lock", look_by_lock);
  return 0;
}
