// SPDX-License-Identifier: Apache-2.0
// What GCC 13 to 16 added on the host, called as their output calls it: dependences of the kinds
// inoutset and omp_all_memory, taskwait depend nowait, indirect calls in target regions, interop
// objects, and Fortran allocatables from OpenMP allocators.
#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expect.h"

void GOMP_task(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned,
               void **, int, void *);
void GOMP_taskwait_depend(void **);
void GOMP_taskwait_depend_nowait(void **);
void *GOMP_target_map_indirect_ptr(void *);
void GOMP_add_alloc(void *);
bool GOMP_is_alloc(void *);
void *GOMP_alloc(size_t, size_t, uintptr_t);
void GOMP_free(void *, uintptr_t);
void GOMP_interop(int, int, void ***, const int *, const char **, int, void **, int, void ***,
                  unsigned, void **);

enum { WITH_DEPEND = 8, IN = 1, INOUTSET = 5, ADDERS = 6 };

static int x, y;
static int order, met;
static int stamp[16];

static void pause_briefly(void) {
  double until = omp_get_wtime() + 0.001;
  while (omp_get_wtime() < until) {
  }
}

static void work(void *data) {
  pause_briefly();
  stamp[*(int *)data] = __atomic_add_fetch(&order, 1, __ATOMIC_RELAXED);
}

static void meet(void *unused) {
  (void)unused;
  __atomic_add_fetch(&met, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n(&met, __ATOMIC_RELAXED) < 2) usleep(50);
}

static void spawn(int id, void **depend) {
  GOMP_task(work, &id, NULL, sizeof id, sizeof id, true, WITH_DEPEND, depend, 0, NULL);
}

// An inoutset item comes as a depend object at the end of the long form of the array.
static void spawn_with_object(int id, void *address, uintptr_t kind) {
  void *object[2] = {address, (void *)kind};
  void *depend[6] = {NULL, (void *)1, NULL, NULL, NULL, object};
  spawn(id, depend);
}

static void spawn_out(int id, void *address) {
  void *depend[3] = {(void *)1, (void *)1, address};
  spawn(id, depend);
}

static void reset(void) { order = 0; }

static void inoutset(void) {
  reset();
  spawn_out(0, &x);
  for (int id = 1; id <= ADDERS; id++) spawn_with_object(id, &x, INOUTSET);
  spawn_with_object(ADDERS + 1, &x, IN);
#pragma omp taskwait
  EXPECT_EQ(stamp[0], 1);
  EXPECT_EQ(stamp[ADDERS + 1], ADDERS + 2);
}

// Two of one set, each of which ends only beside the other.
static void inoutset_meets(void) {
  void *object[2] = {&x, (void *)INOUTSET};
  void *depend[6] = {NULL, (void *)1, NULL, NULL, NULL, object};
  met = 0;
  for (int i = 0; i < 2 && omp_get_num_threads() > 1; i++)
    GOMP_task(meet, NULL, NULL, 0, 1, true, WITH_DEPEND, depend, 0, NULL);
#pragma omp taskwait
}

static void all_memory(void) {
  reset();
  spawn_out(0, &x);
  spawn_out(1, &y);
  void *everything[3] = {(void *)1, (void *)1, NULL};
  spawn(2, everything);
  spawn_out(3, &x);
  spawn_with_object(4, &y, IN);
#pragma omp taskwait
  EXPECT_EQ(stamp[2], 3);
}

// The empty task that waits for x lets a task over y pass that names nothing of x, and holds back
// the one that depends on what the empty task gives out.
static void taskwait_nowait(void) {
  reset();
  spawn_out(0, &x);
  void *join[4] = {(void *)2, (void *)2, &x, &y};
  GOMP_taskwait_depend_nowait(join);
  spawn_out(1, &y);
  void *wait_for_y[3] = {(void *)1, NULL, &y};
  GOMP_taskwait_depend(wait_for_y);
  EXPECT_EQ(stamp[0], 1);
  EXPECT_EQ(stamp[1], 2);
}

static void interop(void) {
  void *first = &x, *second = &y, *used = NULL;
  void **to_init[2] = {&first, &second}, **to_destroy[1] = {&first}, *to_use[1] = {used};
  const int wanted[2] = {1, 3};
  const char *preferred[2] = {NULL, NULL};
  GOMP_interop(-1, 2, to_init, wanted, preferred, 0, NULL, 0, NULL, 0, NULL);
  EXPECT(first == NULL && second == NULL, "omp_interop_none without a device");
  first = &x;
  GOMP_interop(-1, 0, NULL, NULL, NULL, 1, to_use, 1, to_destroy, 0, NULL);
  EXPECT(first == NULL, "a destroyed object is omp_interop_none");
}

static void interop_depends(void) {
  reset();
  spawn_out(0, &x);
  void *object = &y, **to_init[1] = {&object};
  void *depend[3] = {(void *)1, NULL, &x};
  GOMP_interop(-1, 1, to_init, NULL, NULL, 0, NULL, 0, NULL, 0, depend);
  EXPECT_EQ(stamp[0], 1);
  EXPECT(object == NULL);
}

static void allocatables(void) {
  void *block = GOMP_alloc(64, 100, omp_default_mem_alloc);
  EXPECT(block != NULL && (uintptr_t)block % 64 == 0);
  EXPECT(!GOMP_is_alloc(block));
  GOMP_add_alloc(block);
  EXPECT(GOMP_is_alloc(block));
  EXPECT(!GOMP_is_alloc(block));
  GOMP_free(block, 0);
}

int main(void) {
  EXPECT(GOMP_target_map_indirect_ptr(&x) == &x && GOMP_target_map_indirect_ptr(NULL) == NULL);
  allocatables();
  interop();
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 20; round++) {
    inoutset();
    inoutset_meets();
    all_memory();
    taskwait_nowait();
    interop_depends();
  }
  return 0;
}
