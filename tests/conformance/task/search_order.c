// SPDX-License-Identifier: Apache-2.0
// A branch-and-bound search whose more promising child is made last finds a good first solution: it visits some ten
// thousand nodes, as it does where the newest task runs first. In the order in which the children are made it
// visits three million.
#include <omp.h>

#include "expect.h"

enum { kItems = 40, kWorst = 10 };

static long weight[kItems], value[kItems];
static long best, nodes;

static void make_items(void) {
  unsigned seed = 1;
  for (int i = 0; i < kItems; i++) {
    seed = seed * 1103515245u + 12345u;
    weight[i] = 1000 + (seed >> 16) % 50;
    value[i] = 10 * weight[i] - 30 * i;
  }
}

static long capacity(void) {
  long sum = 0;
  for (int i = 0; i < kItems; i++) sum += weight[i];
  return sum / 2;
}

static void offer(long found) {
  long seen = __atomic_load_n(&best, __ATOMIC_RELAXED);
  while (seen < found &&
         !__atomic_compare_exchange_n(&best, &seen, found, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

// Items are in the order of value by weight, so this much is the most that can still be reached.
static int can_be_better(int item, long room, long reached) {
  return reached * weight[item] + room * value[item] > __atomic_load_n(&best, __ATOMIC_RELAXED) * weight[item];
}

static int ends(int item, long room, long reached) {
  __atomic_fetch_add(&nodes, 1, __ATOMIC_RELAXED);
  if (room < 0) return 1;
  offer(reached);
  return item == kItems || room == 0 || !can_be_better(item, room, reached);
}

static void search(int item, long room, long reached) {
  if (ends(item, room, reached)) return;
#pragma omp task
  search(item + 1, room, reached);
#pragma omp task
  search(item + 1, room - weight[item], reached + value[item]);
#pragma omp taskwait
}

static void search_newest_first(int item, long room, long reached) {
  if (ends(item, room, reached)) return;
  search_newest_first(item + 1, room - weight[item], reached + value[item]);
  search_newest_first(item + 1, room, reached);
}

int main(void) {
  make_items();
  search_newest_first(0, capacity(), 0);
  long wanted = best, most = kWorst * nodes;
  for (int i = 0; i < 5; i++) {
    best = nodes = 0;
#pragma omp parallel
#pragma omp single
    search(0, capacity(), 0);
    EXPECT_EQ(best, wanted);
    EXPECT(nodes <= most, "%ld nodes visited, %ld wanted at most", nodes, most);
  }
  return 0;
}
