// SPDX-License-Identifier: Apache-2.0
// Boehm's collector, with each member registered: what members keep on their stacks and nowhere else is there after
// collections that happen while they wait, in which their threads are stopped by signals.
#define GC_THREADS
#include <gc.h>
#include <stdint.h>

#include "waits.h"

struct Cell {
  struct Cell *next;
  uintptr_t value;
};

static struct Cell *make_list(int length, uintptr_t first) {
  struct Cell *list = NULL;
  for (int i = 0; i < length; i++) {
    struct Cell *cell = GC_MALLOC(sizeof *cell);
    EXPECT(cell != NULL, "the collector has no memory");
    cell->next = list;
    cell->value = first + (uintptr_t)i;
    list = cell;
  }
  return list;
}

static void expect_list(struct Cell *list, int length, uintptr_t first, const char *where) {
  for (int i = length - 1; i >= 0; i--, list = list->next) {
    EXPECT(list != NULL, "%s: member %d has %d cells left", where, omp_get_thread_num(), length - 1 - i);
    if (list == NULL) return;
    EXPECT(list->value == first + (uintptr_t)i, "%s: member %d finds %lx in place of %lx", where, omp_get_thread_num(),
           (unsigned long)list->value, (unsigned long)(first + (uintptr_t)i));
  }
}

enum { kLength = 200, kRounds = 5 };

static void collect_in_region(int count) {
#pragma omp parallel num_threads(count)
  {
    struct GC_stack_base base;
    int number = omp_get_thread_num();
    EXPECT_EQ(GC_get_stack_base(&base), GC_SUCCESS);
    int known = GC_register_my_thread(&base);
    uintptr_t first = (uintptr_t)(number + 1) << 20;
    for (int round = 0; round < kRounds; round++) {
      struct Cell *volatile list = make_list(kLength, first + (uintptr_t)round);
#pragma omp barrier
      if (number == round % omp_get_num_threads()) GC_gcollect();
      expect_list(list, kLength, first + (uintptr_t)round, "after a collection");
#pragma omp barrier
      // All of them make garbage, and whoever finds no room collects.
      for (int i = 0; i < 20; i++) make_list(kLength, 1);
#pragma omp critical
      expect_list(list, kLength, first + (uintptr_t)round, "in a critical section");
      if (number == 0) GC_gcollect();
#pragma omp barrier
      expect_list(list, kLength, first + (uintptr_t)round, "after a barrier");
    }
    if (known == GC_SUCCESS) GC_unregister_my_thread();
  }
}

int main(void) {
  GC_INIT();
  GC_allow_register_threads();
  omp_set_dynamic(0);
  for (int region = 0; region < 3; region++) collect_in_region(omp_get_max_threads());
  EXPECT(GC_get_gc_no() >= 3 * kRounds, "there were %lu collections", (unsigned long)GC_get_gc_no());
  return 0;
}
