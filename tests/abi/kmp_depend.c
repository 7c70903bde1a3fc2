// SPDX-License-Identifier: Apache-2.0
// Dependences of Clang's interface, called by name: the address -1 stands for all memory, whatever the kind
// says, and a task without an entry has nothing to do.
#include <unistd.h>

#include "expect.h"
#include "kmp_entry.h"

typedef struct {
  intptr_t address;
  size_t length;
  uint8_t kind;
} depend;

enum { kIn = 1, kOut = 2, kInOut = 3, kAll = 0x80 };

int32_t __kmpc_omp_task_with_deps(ident *, int32_t gtid, task *, int32_t count, depend *list,
                                  int32_t more_count, depend *more);
void __kmpc_omp_wait_deps(ident *, int32_t gtid, int32_t count, depend *list, int32_t more_count,
                          depend *more);

void call_body(int32_t *gtid, int32_t *number, void (*body)(void)) {
  (void)gtid, (void)number;
  body();
}

static int address, finished, seen;

static int32_t finish_late(int32_t thread, void *argument) {
  (void)thread, (void)argument;
  usleep(3000);
  __atomic_store_n(&finished, 1, __ATOMIC_SEQ_CST);
  return 0;
}

static int32_t look(int32_t thread, void *argument) {
  (void)thread, (void)argument;
  __atomic_store_n(&seen, __atomic_load_n(&finished, __ATOMIC_SEQ_CST), __ATOMIC_SEQ_CST);
  return 0;
}

static void submit(int32_t (*entry)(int32_t, void *), intptr_t where, uint8_t kind) {
  int32_t gtid = __kmpc_global_thread_num(NULL);
  depend item = {where, sizeof address, kind};
  task *made = __kmpc_omp_task_alloc(NULL, gtid, kTied, sizeof(task), 0, entry);
  __kmpc_omp_task_with_deps(NULL, gtid, made, 1, &item, 0, NULL);
}

static void begin(void) {
  finished = seen = 0;
  submit(finish_late, (intptr_t)&address, kInOut);
}

static void check_all_memory(intptr_t where, uint8_t kind) {
  begin();
  submit(look, where, kind);
  __kmpc_omp_taskwait(NULL, __kmpc_global_thread_num(NULL));
  EXPECT(seen, "address %ld, kind %d: did not wait", (long)where, kind);
  begin();
  depend item = {where, 0, kind};
  __kmpc_omp_wait_deps(NULL, __kmpc_global_thread_num(NULL), 1, &item, 0, NULL);
  EXPECT(__atomic_load_n(&finished, __ATOMIC_SEQ_CST), "address %ld, kind %d: wait did not wait",
         (long)where, kind);
  __kmpc_omp_taskwait(NULL, __kmpc_global_thread_num(NULL));
}

static void check(void) {
  if (omp_get_thread_num() != 0) return;
  for (uint8_t kind = kIn; kind <= kInOut; kind++) check_all_memory(-1, kind);
  check_all_memory(0, kAll);
  begin();
  submit(NULL, (intptr_t)&address, kInOut);
  submit(look, (intptr_t)&address, kIn);
  __kmpc_omp_taskwait(NULL, __kmpc_global_thread_num(NULL));
  EXPECT(seen, "a task without an entry let others pass");
}

int main(void) {
  int threads = omp_get_max_threads();
  omp_set_dynamic(0);
  for (int round = 0; round < 5; round++) run_in_region(threads, check);
  return 0;
}
