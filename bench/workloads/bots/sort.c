// SPDX-License-Identifier: Apache-2.0
// sort: merge sort of quarters with a merge that is itself divided by binary search.
#include <stdlib.h>
#include <string.h>

#include "tables.h"

enum { COUNT = 1 << 18, SORT_LEAF = 2048, MERGE_LEAF = 2048 };

static uint32_t *unsorted, *keys, *spare;

static int by_key(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void insertion_sort(uint32_t *a, long n) {
  for (long i = 1; i < n; i++) {
    uint32_t key = a[i];
    long j = i;
    for (; j > 0 && a[j - 1] > key; j--) a[j] = a[j - 1];
    a[j] = key;
  }
}

static void merge_plain(const uint32_t *a, long na, const uint32_t *b, long nb, uint32_t *to) {
  while (na > 0 && nb > 0) {
    if (*a <= *b) *to++ = *a++, na--;
    else *to++ = *b++, nb--;
  }
  memcpy(to, na ? a : b, (size_t)(na + nb) * sizeof *to);
}

static void sort_plain(uint32_t *a, uint32_t *other, long n) {
  if (n <= 24) {
    insertion_sort(a, n);
    return;
  }
  long half = n / 2;
  sort_plain(a, other, half);
  sort_plain(a + half, other + half, n - half);
  memcpy(other, a, (size_t)n * sizeof *a);
  merge_plain(other, half, other + half, n - half, a);
}

static long first_not_below(const uint32_t *a, long n, uint32_t key) {
  long low = 0;
  while (low < n) {
    long middle = (low + n) / 2;
    if (a[middle] < key) low = middle + 1;
    else n = middle;
  }
  return low;
}

static void merge(const uint32_t *a, long na, const uint32_t *b, long nb, uint32_t *to) {
  if (na + nb <= MERGE_LEAF) {
    merge_plain(a, na, b, nb, to);
    return;
  }
  if (na < nb) {
    merge(b, nb, a, na, to);
    return;
  }
  long half = na / 2, split = first_not_below(b, nb, a[half]);
#pragma omp task
  merge(a, half, b, split, to);
#pragma omp task
  merge(a + half, na - half, b + split, nb - split, to + half + split);
#pragma omp taskwait
}

static void sort(uint32_t *a, uint32_t *other, long n) {
  if (n <= SORT_LEAF) {
    sort_plain(a, other, n);
    return;
  }
  long quarter = n / 4, last = n - 3 * quarter;
  for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(i)
    sort(a + i * quarter, other + i * quarter, i < 3 ? quarter : last);
  }
#pragma omp taskwait
#pragma omp task
  merge(a, quarter, a + quarter, quarter, other);
#pragma omp task
  merge(a + 2 * quarter, quarter, a + 3 * quarter, last, other + 2 * quarter);
#pragma omp taskwait
  merge(other, 2 * quarter, other + 2 * quarter, quarter + last, a);
}

static uint32_t *sorted;

static void setup(const Case *c) {
  (void)c;
  size_t bytes = COUNT * sizeof *keys;
  unsorted = malloc(bytes), keys = malloc(bytes), spare = malloc(bytes), sorted = malloc(bytes);
  if (!unsorted || !keys || !spare || !sorted) abort();
  uint32_t state = 1;
  for (int i = 0; i < COUNT; i++) unsorted[i] = next_random(&state);
  memcpy(sorted, unsorted, bytes);
  memset(spare, 0, bytes);
  qsort(sorted, COUNT, sizeof *sorted, by_key);
}

static void work(const Case *c) {
  (void)c;
  memcpy(keys, unsorted, COUNT * sizeof *keys);
#pragma omp parallel
#pragma omp single
  sort(keys, spare, COUNT);
}

static bool check(const Case *c) {
  (void)c;
  return memcmp(keys, sorted, COUNT * sizeof *keys) == 0;
}

const Case sort_cases[] = {{.name = "bots_sort", .setup = setup, .work = work, .check = check}, {0}};
