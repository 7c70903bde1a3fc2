// SPDX-License-Identifier: Apache-2.0
// The cases of the multi-zone stencil: outer x inner threads; zones.f90 does the work.
// The hint is Tulle's extension, a weak symbol: under any other runtime nothing is called.
#include "measure.h"

void zones_setup(void);
void zones_restart(void);
void zones_step(int outer, int inner, int hints);
void zones_keep(void);
int zones_equal(void);

extern void tulle_set_load(double load) __attribute__((weak));

void hint_load(double cells);
void hint_load(double cells) {
  if (tulle_set_load) tulle_set_load(cells);
}

enum { STEPS = 4, HINTED = 1, ALL = 999 };

static void setup(const Case *c) {
  (void)c;
  zones_setup();
  for (int i = 0; i < STEPS; i++) zones_step(0, 0, 0);
  zones_keep();
}

// Case::size is 1000 * outer + inner; ALL stands for the number of threads of this run, an inner size
// of 0 for no region inside.
static void work(const Case *c) {
  int outer = (int)(c->size / 1000), inner = (int)(c->size % 1000);
  if (outer == ALL) outer = team_size;
  if (inner == ALL) inner = team_size;
  zones_restart();
  for (int i = 0; i < STEPS; i++) zones_step(outer, inner, c->variant & HINTED);
}

static bool check(const Case *c) {
  (void)c;
  return zones_equal() != 0;
}

#define ZONES(text, sizes, hints)                                                              \
  {.name = "multizone_" text, .setup = setup, .work = work, .check = check, .size = sizes, \
   .variant = hints, .nested = true}

static const Case cases[] = {
    ZONES("outer", 1000 * ALL, 0),
    ZONES("inner", 1000 + ALL, 0),
    ZONES("4x4", 4004, 0),
    ZONES("16x4", 16004, 0),
    ZONES("16x8", 16008, 0),
    ZONES("16x4_hinted", 16004, HINTED),
    {0},
};
const Case *const case_tables[] = {cases, 0};
