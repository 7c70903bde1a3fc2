// SPDX-License-Identifier: Apache-2.0
// A 2-D compressible-flow mini-application with 121 small parallel loops a step, as CloverLeaf
// (GLTO, Figure 6): Euler's equations in finite volumes, second order in space, one axis after the other,
// reflecting walls, a dense hot square in one corner.
#include <stdlib.h>
#include <string.h>

#include "flow.h"
#include "measure.h"

enum { STEPS = 3, MASS = 0, X_MOMENTUM, Y_MOMENTUM, ENERGY, CARRIED };

static Field state[CARRIED], start[CARRIED], expected[CARRIED];
static Field u, v, pressure, sound, slope, flux, product;
static Field below[CARRIED], above[CARRIED], flux_below[CARRIED], flux_above[CARRIED], speed;

static void fill_state(void) {
  for (int j = 0; j < side + 2 * GHOSTS; j++)
    for (int i = 0; i < side + 2 * GHOSTS; i++) {
      bool hot = i < side / 3 && j < side / 3;
      start[MASS][j][i] = hot ? 1.0 : 0.2;
      start[X_MOMENTUM][j][i] = start[Y_MOMENTUM][j][i] = 0.0;
      start[ENERGY][j][i] = hot ? 2.5 : 0.2;
    }
}

static void reflect_all(void) {
  for (int n = 0; n < CARRIED; n++)
    for (Side s = WEST; s <= NORTH; s++) {
      bool across = (n == X_MOMENTUM && s <= EAST) || (n == Y_MOMENTUM && s >= SOUTH);
      reflect(state[n], s, across ? -1.0 : 1.0);
    }
}

static void set_primitives(void) {
  divide(u, state[X_MOMENTUM], state[MASS]);
  divide(v, state[Y_MOMENTUM], state[MASS]);
  set_pressure(pressure, state[MASS], u, v, state[ENERGY]);
  set_sound(sound, pressure, state[MASS]);
}

// The flux of each conserved quantity in each cell, taken to the faces.
static void set_face_fluxes(Axis axis) {
  Field *velocity = axis == X_AXIS ? &u : &v;
  for (int n = 0; n < CARRIED; n++) {
    bool pushed = n == (axis == X_AXIS ? X_MOMENTUM : Y_MOMENTUM);
    if (pushed) multiply_add(product, state[n], *velocity, pressure);
    else multiply(product, state[n], *velocity);
    if (n == ENERGY) multiply_add(product, pressure, *velocity, product);
    set_slope(slope, product, axis);
    set_face(flux_below[n], flux_above[n], product, slope, axis);
  }
}

static void advance(Axis axis, double scale) {
  set_speed(speed, axis == X_AXIS ? u : v, sound, axis);
  set_face_fluxes(axis);
  for (int n = 0; n < CARRIED; n++) {
    set_slope(slope, state[n], axis);
    set_face(below[n], above[n], state[n], slope, axis);
  }
  for (int n = 0; n < CARRIED; n++) {
    set_flux(flux, below[n], above[n], flux_below[n], flux_above[n], speed);
    add_divergence(state[n], flux, scale, axis);
  }
}

static void step(void) {
  reflect_all();
  set_primitives();
  double scale = 0.2 / largest_speed(u, v, sound);
  for (Axis axis = X_AXIS; axis <= Y_AXIS; axis++) {
    reflect_all();
    set_primitives();
    advance(axis, scale);
  }
}

static void run(bool in_parallel) {
  wide = in_parallel;
  memcpy(state, start, sizeof state);
  for (int i = 0; i < STEPS; i++) step();
}

static void setup(const Case *c) {
  side = (int)c->size;
  fill_state();
  run(false);
  note("loops_per_step", (double)loops_begun / STEPS);
  memcpy(expected, state, sizeof expected);
}

static void work(const Case *c) {
  (void)c;
  run(true);
}

static double total(Field f) {
  double sum = 0.0;
  for (int j = GHOSTS; j < side + GHOSTS; j++)
    for (int i = GHOSTS; i < side + GHOSTS; i++) sum += f[j][i];
  return sum;
}

// The same field as the sequential run to the last bit, and no mass or energy lost.
static bool check(const Case *c) {
  (void)c;
  for (int n = 0; n < CARRIED; n++)
    for (int j = GHOSTS; j < side + GHOSTS; j++)
      if (memcmp(&state[n][j][GHOSTS], &expected[n][j][GHOSTS], (size_t)side * sizeof(double)) != 0)
        return false;
  return fabs(total(state[MASS]) / total(start[MASS]) - 1.0) < 1e-12 &&
         fabs(total(state[ENERGY]) / total(start[ENERGY]) - 1.0) < 1e-12;
}

static const Case cases[] = {
    {.name = "cloverleaf_32", .setup = setup, .work = work, .check = check, .size = 32},
    {.name = "cloverleaf_96", .setup = setup, .work = work, .check = check, .size = 96},
    {.name = "cloverleaf_256", .setup = setup, .work = work, .check = check, .size = 256},
    {0},
};
const Case *const case_tables[] = {cases, 0};
