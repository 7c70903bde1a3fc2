// SPDX-License-Identifier: Apache-2.0
// Loops, sections, ordered regions, taskloops, locks and the error directive, whose parts a tool tells (parts.py). The
// argument says which.
#include <omp.h>
#include <string.h>

static int sum;

static void add(void) {
#pragma omp atomic
  ++sum;
}

static void dynamic(int threads) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 3)
  for (int i = 0; i < 20; ++i) add();
}

static void guided(void) {
#pragma omp parallel num_threads(2)
#pragma omp for schedule(guided, 2) nowait
  for (int i = 0; i < 20; ++i) add();
}

static void down(void) {
#pragma omp parallel num_threads(2)
#pragma omp for schedule(dynamic, 4)
  for (long i = 20; i > 0; i -= 2) add();
}

static void fixed(void) {
#pragma omp parallel for num_threads(2) schedule(static)
  for (int i = 3; i < 23; ++i) add();
}

static void sections(void) {
#pragma omp parallel sections num_threads(2)
  {
    add();
#pragma omp section
    add();
#pragma omp section
    add();
  }
}

static void ordered(void) {
#pragma omp parallel for num_threads(2) ordered schedule(dynamic)
  for (int i = 0; i < 6; ++i) {
#pragma omp ordered
    add();
  }
}

static void doacross(int threads) {
#pragma omp parallel for num_threads(threads) ordered(1) schedule(static, 1)
  for (int i = 0; i < 6; ++i) {
#pragma omp ordered depend(sink : i - 1)
    add();
#pragma omp ordered depend(source)
  }
}

// Values are not numbers of iterations: 10, 7, 4 and 2, 4.
static void nest(int threads) {
#pragma omp parallel for num_threads(threads) ordered(2) schedule(dynamic, 1)
  for (int i = 10; i > 3; i -= 3)
    for (int j = 2; j < 6; j += 2) {
#pragma omp ordered depend(sink : i + 3, j) depend(sink : i, j - 2)
      add();
#pragma omp ordered depend(source)
    }
}

static void taskloop(int threads) {
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskloop grainsize(3) firstprivate(threads)
  for (int i = 40; i > 0; i -= 2) add();
}

// So many parts that GCC's are run by a few tasks, where nobody looks.
static void many_parts(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(1000)
  for (long i = 0; i < 2500; ++i) add();
}

// Called where they are made.
static void undeferred(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(4) if (0) nogroup
  for (unsigned i = 0; i < 10; ++i) add();
}

// Who does not hold the lock lets it go in vain.
static void lock(void) {
  omp_nest_lock_t nest;
  omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) omp_set_nest_lock(&nest);
#pragma omp barrier
    if (omp_get_thread_num() == 1) omp_unset_nest_lock(&nest);
#pragma omp barrier
    if (omp_get_thread_num() == 0) omp_unset_nest_lock(&nest);
  }
  omp_unset_nest_lock(&nest);
  omp_destroy_nest_lock(&nest);
}

static void error(void) {
#pragma omp error at(execution) severity(warning) message("rather warm")
}

int main(int count, char** words) {
  (void)count;
  const char* part = words[1];
  if (strcmp(part, "dynamic") == 0) dynamic(2);
  if (strcmp(part, "alone") == 0) dynamic(1);
  if (strcmp(part, "guided") == 0) guided();
  if (strcmp(part, "down") == 0) down();
  if (strcmp(part, "fixed") == 0) fixed();
  if (strcmp(part, "sections") == 0) sections();
  if (strcmp(part, "ordered") == 0) ordered();
  if (strcmp(part, "doacross") == 0) doacross(2);
  if (strcmp(part, "doacross_alone") == 0) doacross(1);
  if (strcmp(part, "nest") == 0) nest(2);
  if (strcmp(part, "nest_alone") == 0) nest(1);
  if (strcmp(part, "taskloop") == 0) taskloop(2);
  if (strcmp(part, "taskloop_alone") == 0) taskloop(1);
  if (strcmp(part, "many_parts") == 0) many_parts();
  if (strcmp(part, "undeferred") == 0) undeferred();
  if (strcmp(part, "lock") == 0) lock();
  if (strcmp(part, "error") == 0) error();
  return 0;
}
