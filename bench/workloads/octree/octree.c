// SPDX-License-Identifier: Apache-2.0
// Octree surface reconstruction in the manner of MPU (ForestGOMP, Figure 3): a cube whose points lie too
// far from their fitted plane is divided into eight, and a team of four opens at each division.
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

enum { TEAM = 4, MAX_DEPTH = 12, FEW_POINTS = 6 };

typedef struct Point {
  float at[3];
} Point;

typedef struct Fit {
  int64_t leaves, points, teams;
  double error;
} Fit;

static Point *cloud, *scratch;
static int cloud_size;
static float tolerance;
static Fit expected, found;

// A ball with bumps, sampled along a spiral.
static void fill_cloud(void) {
  for (int i = 0; i < cloud_size; i++) {
    double height = 1.0 - 2.0 * (i + 0.5) / cloud_size, turn = 2.399963229728653 * i;
    double across = sqrt(1.0 - height * height);
    double radius = 0.7 + 0.1 * sin(7.0 * turn) * across * cos(9.0 * height);
    cloud[i] = (Point){{(float)(radius * across * cos(turn)), (float)(radius * across * sin(turn)),
                        (float)(radius * height)}};
  }
}

// The largest distance of a point to the plane z = ax + by + c through the points' mean, in the axis
// along which they vary least: a cheap stand-in for MPU's quadric.
static float worst_distance(const Point *p, int n) {
  double mean[3] = {0}, spread[3] = {0};
  for (int i = 0; i < n; i++)
    for (int d = 0; d < 3; d++) mean[d] += p[i].at[d];
  for (int d = 0; d < 3; d++) mean[d] /= n;
  for (int i = 0; i < n; i++)
    for (int d = 0; d < 3; d++) spread[d] += (p[i].at[d] - mean[d]) * (p[i].at[d] - mean[d]);
  int z = spread[0] < spread[1] ? (spread[0] < spread[2] ? 0 : 2) : (spread[1] < spread[2] ? 1 : 2);
  int x = (z + 1) % 3, y = (z + 2) % 3;
  double xx = 1e-9, yy = 1e-9, xy = 0, xz = 0, yz = 0;
  for (int i = 0; i < n; i++) {
    double dx = p[i].at[x] - mean[x], dy = p[i].at[y] - mean[y], dz = p[i].at[z] - mean[z];
    xx += dx * dx, yy += dy * dy, xy += dx * dy, xz += dx * dz, yz += dy * dz;
  }
  double damping = 1e-6 * (xx + yy);  // keeps collinear points from making the fit singular
  xx += damping, yy += damping;
  double det = xx * yy - xy * xy;
  double a = (xz * yy - yz * xy) / det, b = (yz * xx - xz * xy) / det, worst = 0.0;
  for (int i = 0; i < n; i++) {
    double dx = p[i].at[x] - mean[x], dy = p[i].at[y] - mean[y], dz = p[i].at[z] - mean[z];
    worst = fmax(worst, fabs(dz - a * dx - b * dy));
  }
  return (float)worst;
}

static int octant(const Point *p, const float *centre) {
  return (p->at[0] > centre[0]) | (p->at[1] > centre[1]) << 1 | (p->at[2] > centre[2]) << 2;
}

// Sorts p[0..n) by octant through `spare`, and sets where each octant begins.
static void partition(Point *p, Point *spare, int n, const float *centre, int begin[9]) {
  int count[8] = {0}, next[8];
  for (int i = 0; i < n; i++) count[octant(&p[i], centre)]++;
  begin[0] = 0;
  for (int o = 0; o < 8; o++) {
    next[o] = begin[o];
    begin[o + 1] = begin[o] + count[o];
  }
  for (int i = 0; i < n; i++) spare[next[octant(&p[i], centre)]++] = p[i];
  memcpy(p, spare, (size_t)n * sizeof *p);
}

static Fit reconstruct(Point *p, Point *spare, int n, const float *centre, float half, int depth,
                       bool parallel) {
  float error = n > FEW_POINTS ? worst_distance(p, n) : 0.0f;
  if (error <= tolerance || depth == MAX_DEPTH) return (Fit){1, n, 0, error};
  int begin[9];
  partition(p, spare, n, centre, begin);
  int64_t leaves = 0, points = 0, teams = 1;
  double total = 0.0;
  half *= 0.5f;
#pragma omp parallel for if (parallel) num_threads(TEAM) schedule(static, 1) \
    reduction(+ : leaves, points, teams, total)
  for (int o = 0; o < 8; o++) {
    int size = begin[o + 1] - begin[o];
    if (size == 0) continue;
    float middle[3];
    for (int d = 0; d < 3; d++) middle[d] = centre[d] + (o >> d & 1 ? half : -half);
    Fit part = reconstruct(p + begin[o], spare + begin[o], size, middle, half, depth + 1, parallel);
    leaves += part.leaves, points += part.points, teams += part.teams, total += part.error;
  }
  return (Fit){leaves, points, teams, total};
}

static const float origin[3] = {0.0f, 0.0f, 0.0f};

static void setup(const Case *c) {
  cloud_size = (int)c->size;
  tolerance = c->variant ? 2e-4f : 3e-3f;
  cloud = malloc((size_t)cloud_size * sizeof *cloud);
  scratch = malloc((size_t)cloud_size * sizeof *scratch);
  if (!cloud || !scratch) abort();
  fill_cloud();
  expected = reconstruct(cloud, scratch, cloud_size, origin, 1.0f, 0, false);
  note("teams", (double)expected.teams);
  note("leaves", (double)expected.leaves);
}

static void work(const Case *c) {
  (void)c;
  fill_cloud();
  found = reconstruct(cloud, scratch, cloud_size, origin, 1.0f, 0, true);
}

static bool check(const Case *c) {
  (void)c;
  return found.leaves == expected.leaves && found.teams == expected.teams &&
         found.points == cloud_size && fabs(found.error - expected.error) <= 1e-6 * expected.error;
}

static const Case cases[] = {
    {.name = "octree", .setup = setup, .work = work, .check = check, .size = 8000, .nested = true},
    {.name = "octree_large", .setup = setup, .work = work, .check = check, .size = 437644,
     .variant = 1, .nested = true},
    {0},
};
const Case *const case_tables[] = {cases, 0};
