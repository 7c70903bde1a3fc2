// SPDX-License-Identifier: Apache-2.0
// KMP_DETERMINISTIC_REDUCTION: private copies are combined in the order of the threads' numbers, in
// consecutive reductions too. The operator appends, so the result shows the order.
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
typedef struct { char order[80]; int n; } Trace;
static void join(Trace *out, const Trace *in) { memcpy(out->order + out->n, in->order, in->n); out->n += in->n; }
#pragma omp declare reduction(append : Trace : join(&omp_out, &omp_in)) initializer(omp_priv = (Trace){{0}, 0})
int main(void) {
  int bad = 0;
  for (int round = 0; round < 200; round++) {
    Trace t = {{0}, 0}, u = {{0}, 0};
    int n = 0;
#pragma omp parallel
    {
      n = omp_get_num_threads();
#pragma omp for reduction(append : t) nowait schedule(static)
      for (int i = 0; i < 64; i++) if (t.n == 0) t.order[t.n++] = (char)(1 + omp_get_thread_num());
#pragma omp for reduction(append : u) schedule(static)
      for (int i = 0; i < 64; i++) if (u.n == 0) u.order[u.n++] = (char)(1 + omp_get_thread_num());
    }
    for (int i = 0; i < n; i++) bad += t.order[i] != 1 + i || u.order[i] != 1 + i;
  }
  if (bad) printf("%d combinations were out of order\n", bad);
  return bad != 0;
}
