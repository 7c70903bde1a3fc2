// SPDX-License-Identifier: Apache-2.0
// Regions inside regions: the nested empty loops of GLTO (Figures 8 and 9; Table II for the OS
// threads), regions opened by several pthreads at once, and a tree of teams of four as in the octree
// of ForestGOMP's MPU. The time is per repetition of the whole nest, per region, and per team.
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>

#include "measure.h"

enum { SMALL = 100, LARGE = 1000, PTHREADS = 8, BRANCHES = 8, LEVELS = 4, TEAMS = 585 };

static unsigned char visited[LARGE][LARGE];

static double loops(long inner, int n) {
  unsigned wrong = 0;
  double t = now();
  for (long r = 1; r <= inner; r++) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp parallel for
      for (int j = 0; j < n; j++) visited[i][j]++;
    }
  }
  t = now() - t;
  note_os_threads();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      wrong += visited[i][j] != (unsigned char)inner;
      visited[i][j] = 0;
    }
  return checked(t, wrong == 0);
}

static double loops_small(long inner) { return loops(inner, SMALL); }
static double loops_large(long inner) { return loops(inner, LARGE); }

typedef struct Entrant {
  pthread_t thread;
  pthread_barrier_t *gate;
  long inner;
  int64_t members;
} Entrant;

// A pthread that opens regions; it passes the gate at the start, at the end, and once more when the
// OS threads have been counted.
static void *enter_regions(void *argument) {
  Entrant *e = argument;
  int64_t members = 0;
  omp_set_num_threads(team_size);
  pthread_barrier_wait(e->gate);
  for (long r = 0; r < e->inner; r++) {
#pragma omp parallel reduction(+ : members)
    members += 1;
  }
  pthread_barrier_wait(e->gate);
  pthread_barrier_wait(e->gate);
  e->members = members;
  return NULL;
}

static double pthread_regions(long inner) {
  Entrant entrants[PTHREADS];
  pthread_barrier_t gate;
  bool correct = true;
  pthread_barrier_init(&gate, NULL, PTHREADS + 1);
  for (int i = 0; i < PTHREADS; i++) {
    entrants[i] = (Entrant){.gate = &gate, .inner = inner};
    if (pthread_create(&entrants[i].thread, NULL, enter_regions, &entrants[i]) != 0) return WRONG;
  }
  pthread_barrier_wait(&gate);
  double t = now();
  pthread_barrier_wait(&gate);
  t = now() - t;
  note_os_threads();
  pthread_barrier_wait(&gate);
  for (int i = 0; i < PTHREADS; i++) {
    pthread_join(entrants[i].thread, NULL);
    correct = correct && entrants[i].members == inner * team_size;
  }
  pthread_barrier_destroy(&gate);
  return checked(t, correct);
}

static int64_t subdivide(int level) {
  if (level == LEVELS) return 1;
  int64_t leaves = 0;
#pragma omp parallel for num_threads(4) schedule(static) reduction(+ : leaves)
  for (int child = 0; child < BRANCHES; child++) leaves += subdivide(level + 1);
  return leaves;
}

static double team_tree(long inner) {
  bool correct = true;
  double t = now();
  for (long r = 0; r < inner; r++) correct = correct && subdivide(0) == 4096;
  t = now() - t;
  note_os_threads();
  return checked(t, correct);
}

const Case nested_cases[] = {
    {.name = "nested_100", .run = loops_small, .ops = 1, .nested = true},
    {.name = "nested_1000", .run = loops_large, .ops = 1, .nested = true},
    {.name = "pthread_regions", .run = pthread_regions, .ops = PTHREADS},
    {.name = "team_tree", .run = team_tree, .ops = TEAMS, .nested = true},
    {0},
};
