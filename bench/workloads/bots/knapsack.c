// SPDX-License-Identifier: Apache-2.0
// knapsack: the most valuable choice of items by branch and bound, two tasks for each item: without it, then with
// it. Good choices come by the task that is made second, and each prunes by the best found so far: how many nodes are
// visited depends on the order in which tasks run.
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "tables.h"

enum { ITEMS = 36, CAPACITY = 800 };

typedef struct Item {
  int value, weight;
} Item;

static Item items[ITEMS];  // by value for weight, the best first
static atomic_int best;
static int expected;

static int by_density(const void *a, const void *b) {
  const Item *x = a, *y = b;
  return y->value * x->weight - x->value * y->weight;
}

// What could be had at most, if items could be divided.
static int bound(int item, int room, int value) {
  return value + (int)((int64_t)room * items[item].value / items[item].weight);
}

static void raise_to(int value) {
  int seen = atomic_load(&best);
  while (value > seen && !atomic_compare_exchange_weak(&best, &seen, value)) {
  }
}

static void search(int item, int room, int value) {
  counters[omp_get_thread_num()].n++;
  if (room < 0) return;
  raise_to(value);
  if (item == ITEMS || bound(item, room, value) <= atomic_load(&best)) return;
#pragma omp task untied firstprivate(item, room, value)
  search(item + 1, room, value);
#pragma omp task untied firstprivate(item, room, value)
  search(item + 1, room - items[item].weight, value + items[item].value);
#pragma omp taskwait
}

// By a table of the best value for each room.
static int best_by_table(void) {
  static int value[CAPACITY + 1];
  for (int i = 0; i < ITEMS; i++)
    for (int room = CAPACITY; room >= items[i].weight; room--) {
      int with = value[room - items[i].weight] + items[i].value;
      if (with > value[room]) value[room] = with;
    }
  return value[CAPACITY];
}

static void setup(const Case *c) {
  (void)c;
  uint32_t state = 2;
  for (int i = 0; i < ITEMS; i++) {
    items[i].weight = 20 + (int)(next_random(&state) % 80);
    items[i].value = items[i].weight + 10 + (int)(next_random(&state) % 2);
  }
  qsort(items, ITEMS, sizeof *items, by_density);
  expected = best_by_table();
}

static void work(const Case *c) {
  (void)c;
  clear_counters();
  atomic_store(&best, 0);
#pragma omp parallel
#pragma omp single
#pragma omp task untied
  search(0, CAPACITY, 0);
}

static bool check(const Case *c) {
  (void)c;
  note("nodes", (double)sum_counters());
  return atomic_load(&best) == expected;
}

const Case knapsack_cases[] = {{.name = "bots_knapsack", .setup = setup, .work = work, .check = check}, {0}};
