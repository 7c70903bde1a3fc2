// SPDX-License-Identifier: Apache-2.0
// Sizes that nobody means: teams of 100,000, of 0 and fewer through the binary interface, thousands of
// nested levels, locks that are destroyed while held or were never initialised.
#include <string.h>

#include "use_openmp.h"

extern void GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags);

static int members;

static void count(void *data) {
  (void)data;
#pragma omp atomic
  members++;
}

static int size_of_team(int asked) {
  int size = 0;
#pragma omp parallel num_threads(asked)
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

static void team_sizes(void) {
  int sizes[] = {0, -1, -2147483647 - 1, -100000};
  for (int i = 0; i < 4; i++) {
    members = 0;
    GOMP_parallel(count, NULL, (unsigned)sizes[i], 0);
    EXPECT(members >= 1, "%d asked for", sizes[i]);
    EXPECT_EQ(omp_get_level(), 0);
    EXPECT(size_of_team(sizes[i]) >= 1, "%d asked for", sizes[i]);
  }
}

static void huge_team(int threads) {
  int sum = 0, size = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
#pragma omp single
    size = omp_get_num_threads();
    sum++;
  }
  EXPECT(size >= 1 && size <= threads, "%d", size);
  EXPECT_EQ(sum, size);
}

static int deepest;

static void descend(int levels) {
  if (levels == 0) {
    deepest = omp_get_level();
    return;
  }
#pragma omp parallel num_threads(2)
#pragma omp single
  descend(levels - 1);
}

// Each level costs stack of the one thread that runs them all, and a team.
static void descend_serialised(int levels) {
  if (levels == 0) {
    deepest = omp_get_level();
    return;
  }
#pragma omp parallel num_threads(2)
  descend_serialised(levels - 1);
}

static void never_initialised(const char *kind) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  memset(&lock, 0xa5, sizeof lock);
  memset(&nest, 0, sizeof nest);
  memset(&nest, 0xa5, 8);
  if (strcmp(kind, "unheld") == 0)  // as none is that was set
    ((unsigned char *)&nest)[0] = ((unsigned char *)&nest)[1] = ((unsigned char *)&nest)[2] = 0;
#pragma omp parallel num_threads(4)
  {
    if (strcmp(kind, "simple") != 0)
      omp_set_nest_lock(&nest);
    else
      omp_set_lock(&lock);
  }
}

static void locks(void) {
  static omp_lock_t zero;
  static omp_nest_lock_t zero_nest;
  for (int i = 0; i < 100; i++) {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    omp_set_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
  }
  int sum = 0;
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 100; i++) {
    omp_set_lock(&zero);
    sum++;
    omp_unset_lock(&zero);
    omp_set_nest_lock(&zero_nest);
    omp_set_nest_lock(&zero_nest);
    sum += 0 * omp_test_nest_lock(&zero_nest);
    omp_unset_nest_lock(&zero_nest);
    omp_unset_nest_lock(&zero_nest);
    omp_unset_nest_lock(&zero_nest);
  }
  EXPECT_EQ(sum, 400);
}

int main(int argc, char **argv) {
  EXPECT(argc > 1, "usage");
  omp_set_dynamic(0);
  omp_set_max_active_levels(2147483647);
  if (strcmp(argv[1], "sizes") == 0) {
    team_sizes();
  } else if (strcmp(argv[1], "huge") == 0) {
    huge_team(atoi(argv[2]));
  } else if (strcmp(argv[1], "locks") == 0) {
    locks();
  } else if (strcmp(argv[1], "garbage") == 0) {
    never_initialised(argv[2]);
  } else if (strcmp(argv[1], "serialised") == 0) {
    omp_set_max_active_levels(0);
    descend_serialised(atoi(argv[2]));
    EXPECT_EQ(deepest, atoi(argv[2]));
  } else {
    descend(atoi(argv[2]));
    EXPECT_EQ(deepest, atoi(argv[2]));
  }
  use_openmp(4);
  puts("went on");
  return 0;
}
