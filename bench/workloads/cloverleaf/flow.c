// SPDX-License-Identifier: Apache-2.0
// Each function is one parallel loop; see flow.h. Every cell is computed by one thread from values that
// the loop does not write, so that the result does not depend on the number of threads.
#include "flow.h"

#include <math.h>

int side;
bool wide;
long loops_begun;

static const double GAMMA = 1.4;

#define ROWS(first, last)                           \
  loops_begun++;                                    \
  _Pragma("omp parallel for if (wide)") for (int j = (first); j < (last); j++)
#define CELLS(first, last) for (int i = (first); i < (last); i++)
#define ALL_CELLS ROWS(0, side + 2 * GHOSTS) CELLS(0, side + 2 * GHOSTS)
#define INNER_CELLS ROWS(GHOSTS, side + GHOSTS) CELLS(GHOSTS, side + GHOSTS)
// Cells with a neighbour on either side.
#define MIDDLE_CELLS ROWS(1, side + 2 * GHOSTS - 1) CELLS(1, side + 2 * GHOSTS - 1)

#define BELOW(f, axis) ((axis) == X_AXIS ? (f)[j][i - 1] : (f)[j - 1][i])
#define ABOVE(f, axis) ((axis) == X_AXIS ? (f)[j][i + 1] : (f)[j + 1][i])

void reflect(Field f, Side border, double sign) {
  ROWS(0, side + 2 * GHOSTS) CELLS(0, GHOSTS) {
    int far = side + 2 * GHOSTS - 1, mirrored = 2 * GHOSTS - 1;
    switch (border) {
      case WEST: f[j][i] = sign * f[j][mirrored - i]; break;
      case EAST: f[j][far - i] = sign * f[j][far - mirrored + i]; break;
      case SOUTH: f[i][j] = sign * f[mirrored - i][j]; break;
      case NORTH: f[far - i][j] = sign * f[far - mirrored + i][j]; break;
    }
  }
}

void divide(Field quotient, Field numerator, Field denominator) {
  ALL_CELLS quotient[j][i] = numerator[j][i] / denominator[j][i];
}

void set_pressure(Field pressure, Field density, Field u, Field v, Field energy) {
  ALL_CELLS pressure[j][i] =
      (GAMMA - 1.0) *
      (energy[j][i] - 0.5 * density[j][i] * (u[j][i] * u[j][i] + v[j][i] * v[j][i]));
}

void set_sound(Field sound, Field pressure, Field density) {
  ALL_CELLS sound[j][i] = sqrt(GAMMA * pressure[j][i] / density[j][i]);
}

static double minmod(double a, double b) {
  if (a * b <= 0.0) return 0.0;
  return fabs(a) < fabs(b) ? a : b;
}

void set_slope(Field slope, Field f, Axis axis) {
  MIDDLE_CELLS slope[j][i] = minmod(f[j][i] - BELOW(f, axis), ABOVE(f, axis) - f[j][i]);
}

void set_face(Field below, Field above, Field f, Field slope, Axis axis) {
  ROWS(GHOSTS, side + GHOSTS + 1) CELLS(GHOSTS, side + GHOSTS + 1) {
    below[j][i] = BELOW(f, axis) + 0.5 * BELOW(slope, axis);
    above[j][i] = f[j][i] - 0.5 * slope[j][i];
  }
}

void set_speed(Field speed, Field velocity, Field sound, Axis axis) {
  ROWS(GHOSTS, side + GHOSTS + 1) CELLS(GHOSTS, side + GHOSTS + 1)
      speed[j][i] = fmax(fabs(BELOW(velocity, axis)) + BELOW(sound, axis),
                         fabs(velocity[j][i]) + sound[j][i]);
}

void set_flux(Field flux, Field carried_below, Field carried_above, Field flux_below,
              Field flux_above, Field speed) {
  ROWS(GHOSTS, side + GHOSTS + 1) CELLS(GHOSTS, side + GHOSTS + 1)
      flux[j][i] = 0.5 * (flux_below[j][i] + flux_above[j][i]) -
                   0.5 * speed[j][i] * (carried_above[j][i] - carried_below[j][i]);
}

void add_divergence(Field f, Field flux, double scale, Axis axis) {
  INNER_CELLS f[j][i] -= scale * (ABOVE(flux, axis) - flux[j][i]);
}

void multiply(Field product, Field a, Field b) {
  ALL_CELLS product[j][i] = a[j][i] * b[j][i];
}

void multiply_add(Field result, Field a, Field b, Field c) {
  ALL_CELLS result[j][i] = a[j][i] * b[j][i] + c[j][i];
}

double largest_speed(Field u, Field v, Field sound) {
  double largest = 0.0;
  loops_begun++;
#pragma omp parallel for if (wide) reduction(max : largest)
  for (int j = GHOSTS; j < side + GHOSTS; j++)
    for (int i = GHOSTS; i < side + GHOSTS; i++)
      largest = fmax(largest, sound[j][i] + fmax(fabs(u[j][i]), fabs(v[j][i])));
  return largest;
}
