// SPDX-License-Identifier: Apache-2.0
// Code of a device: what Clang makes of target regions, without and with the runtime's own parameter.
int doubled_by = 2;

void scale(int *data, long count) {
  for (long i = 0; i < count; i++) data[i] *= doubled_by;
}

void scale_first(void *runtime, int *data, long count) {
  scale(data, count + (runtime != 0));
}

void scale_last(int *data, long count, void *runtime) {
  scale(data, count + (runtime != 0));
}

void count_threads(int *members, long a, long b, long c, long d, long e, long f, long g) {
#pragma omp parallel num_threads(3)
#pragma omp atomic
  *members += (int)(a + b + c + d + e + f + g);
}
