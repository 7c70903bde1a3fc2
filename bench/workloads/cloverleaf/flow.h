// SPDX-License-Identifier: Apache-2.0
// The loops of the compressible-flow mini-application. Each function is one parallel loop over the rows
// of a field; `wide` false runs it on the calling thread, for the reference.
#ifndef TULLE_BENCH_CLOVERLEAF_FLOW_H
#define TULLE_BENCH_CLOVERLEAF_FLOW_H

#include <stdbool.h>

enum { GHOSTS = 2, MAX_SIDE = 256, STRIDE = MAX_SIDE + 2 * GHOSTS };

typedef double Field[STRIDE][STRIDE];
typedef enum Side { WEST, EAST, SOUTH, NORTH } Side;
typedef enum Axis { X_AXIS, Y_AXIS } Axis;

extern int side;          // cells along an edge
extern bool wide;         // loops open regions
extern long loops_begun;  // parallel loops so far

// Mirrors one side of the border; `sign` is -1 for the velocity across it.
void reflect(Field f, Side border, double sign);
void divide(Field quotient, Field numerator, Field denominator);
void set_pressure(Field pressure, Field density, Field u, Field v, Field energy);
void set_sound(Field sound, Field pressure, Field density);
// Limited slope of a field along an axis (minmod).
void set_slope(Field slope, Field f, Axis axis);
// Values on the low face of each cell, from the cell below and from the cell itself.
void set_face(Field below, Field above, Field f, Field slope, Axis axis);
// The largest wave speed at each low face.
void set_speed(Field speed, Field velocity, Field sound, Axis axis);
void set_flux(Field flux, Field carried_below, Field carried_above, Field flux_below,
              Field flux_above, Field speed);
void add_divergence(Field f, Field flux, double scale, Axis axis);
// Products that make up fluxes.
void multiply(Field product, Field a, Field b);
void multiply_add(Field result, Field a, Field b, Field c);
double largest_speed(Field u, Field v, Field sound);

#endif
