// SPDX-License-Identifier: Apache-2.0
// Regions inside regions: the nested empty loops of GLTO (Figures 8 and 9; Table II for the OS threads
// and the ULTs, here those that one nest makes), regions opened by several pthreads at once, and a tree
// of teams of four as in the octree of ForestGOMP's MPU. The time is per repetition of the whole nest,
// per region, and per team.
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>

#include "tables.h"

enum { SMALL = 100, LARGE = 1000, PTHREADS = 8, BRANCHES = 8, LEVELS = 4, TEAMS = 585 };

static unsigned char visited[LARGE][LARGE];

// Of the runtime with user-level threads; null on the others.
extern unsigned long long tulle_ults_made(void) __attribute__((weak));

static double ults_made(void) { return tulle_ults_made ? (double)tulle_ults_made() : 0.0; }

// What the nests made, each, since there were `threads` created and `ults` made.
static void note_made(long nests, int threads, double ults) {
  note_os_threads();
  note("os_threads_made", (double)(os_threads_created() - threads) / (double)nests);
  if (tulle_ults_made) note("ults_made", (ults_made() - ults) / (double)nests);
}

static double loops(long inner, int n) {
  unsigned wrong = 0;
  int threads = os_threads_created();
  double ults = ults_made();
  double t = now();
  for (long r = 1; r <= inner; r++) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp parallel for
      for (int j = 0; j < n; j++) visited[i][j]++;
    }
  }
  t = now() - t;
  note_made(inner, threads, ults);
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
  int64_t members;
  double begun, ended;
} Entrant;

static Entrant entrants[PTHREADS];
static pthread_barrier_t gate;
static long regions;  // W: the initial thread before the gate, R: entrants after it

// A pthread that opens regions, from one gate to the next, as long as the process lives.
static void *enter_regions(void *argument) {
  Entrant *e = argument;
  omp_set_num_threads(team_size);
  for (;;) {
    int64_t members = 0;
    pthread_barrier_wait(&gate);
    e->begun = now();
    for (long r = 0; r < regions; r++) {
#pragma omp parallel reduction(+ : members)
      members += 1;
    }
    e->ended = now();
    e->members = members;
    pthread_barrier_wait(&gate);
  }
  return NULL;
}

static bool start_entrants(void) {
  if (entrants[0].thread) return true;
  pthread_barrier_init(&gate, NULL, PTHREADS + 1);
  for (int i = 0; i < PTHREADS; i++)
    if (pthread_create(&entrants[i].thread, NULL, enter_regions, &entrants[i]) != 0) return false;
  return true;
}

static double pthread_regions(long inner) {
  if (!start_entrants()) return WRONG;
  bool correct = true;
  regions = inner;
  pthread_barrier_wait(&gate);
  pthread_barrier_wait(&gate);
  note_os_threads();
  // By their own clocks: the initial thread may pass the gate long after them.
  double begun = entrants[0].begun, ended = entrants[0].ended;
  for (int i = 0; i < PTHREADS; i++) {
    correct = correct && entrants[i].members == inner * team_size;
    if (entrants[i].begun < begun) begun = entrants[i].begun;
    if (entrants[i].ended > ended) ended = entrants[i].ended;
  }
  return checked(ended - begun, correct);
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
  int threads = os_threads_created();
  double ults = ults_made();
  double t = now();
  for (long r = 0; r < inner; r++) correct = correct && subdivide(0) == 4096;
  t = now() - t;
  note_made(inner, threads, ults);
  return checked(t, correct);
}

const Case nested_cases[] = {
    {.name = "nested_100", .run = loops_small, .ops = 1, .nested = true},
    {.name = "nested_1000", .run = loops_large, .ops = 1, .nested = true},
    {.name = "pthread_regions", .run = pthread_regions, .ops = PTHREADS},
    {.name = "team_tree", .run = team_tree, .ops = TEAMS, .nested = true},
    {0},
};
