// SPDX-License-Identifier: Apache-2.0
// health: a health system as a tree of villages; in each step a task for each village, bottom up, and
// patients that a village cannot treat go to the village above it.
#include <stdlib.h>
#include <string.h>

#include "tables.h"

enum { BRANCHES = 4, LEVELS = 5, VILLAGES = 341, STEPS = 20, PEOPLE = 40, SEVERITY = 8 };

typedef struct Village {
  uint32_t random;
  int level;
  int staff;
  int waiting[SEVERITY];  // patients by severity
  int referred[SEVERITY];
  long treated;
} Village;

static Village villages[VILLAGES], start[VILLAGES], expected[VILLAGES];

static void fall_ill(Village *v) {
  for (int i = 0; i < PEOPLE; i++)
    if (next_random(&v->random) % 100 < 15) v->waiting[next_random(&v->random) % SEVERITY]++;
}

static void treat(Village *v) {
  int hands = v->staff;
  memset(v->referred, 0, sizeof v->referred);
  for (int s = SEVERITY - 1; s >= 0; s--)
    while (v->waiting[s] > 0 && hands > 0) {
      hands--;
      v->waiting[s]--;
      bool beyond = v->level > 0 && (int)(next_random(&v->random) % SEVERITY) < s;
      if (beyond) v->referred[s]++;
      else v->treated++;
    }
}

static void simulate(int number) {
  Village *v = &villages[number];
  int first = number * BRANCHES + 1;
  if (first < VILLAGES) {
    for (int i = 0; i < BRANCHES; i++) {
#pragma omp task untied firstprivate(i)
      simulate(first + i);
    }
#pragma omp taskwait
    for (int i = 0; i < BRANCHES; i++)
      for (int s = 0; s < SEVERITY; s++) v->waiting[s] += villages[first + i].referred[s];
  }
  fall_ill(v);
  treat(v);
}

static void setup(const Case *c) {
  (void)c;
  for (int i = 0, level = 0, end = 1; i < VILLAGES; i++) {
    if (i == end) {
      level++;
      end = end * BRANCHES + 1;
    }
    start[i] = (Village){.random = (uint32_t)i * 77u + 1u, .level = level, .staff = 3 * (LEVELS - level)};
  }
  memcpy(villages, start, sizeof start);
  for (int s = 0; s < STEPS; s++) simulate(0);
  memcpy(expected, villages, sizeof expected);
}

static void work(const Case *c) {
  (void)c;
  memcpy(villages, start, sizeof start);
#pragma omp parallel
#pragma omp single
  for (int s = 0; s < STEPS; s++) simulate(0);
}

static bool check(const Case *c) {
  (void)c;
  return memcmp(villages, expected, sizeof expected) == 0;
}

const Case health_cases[] = {
    {.name = "bots_health", .setup = setup, .work = work, .check = check}, {0}};
