// SPDX-License-Identifier: Apache-2.0
// Routines that came with OpenMP 5.1 and 5.2 and have no other program: omp_in_explicit_task,
// omp_aligned_calloc, omp_realloc, omp_display_env, omp_get_mapped_ptr; flush with an order.
#include <omp.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include "expect.h"

static void check_explicit_task(void) {
  EXPECT(!omp_in_explicit_task(), "outside");
#pragma omp parallel
  {
    EXPECT(!omp_in_explicit_task(), "in an implicit task");
#pragma omp task
    {
      EXPECT(omp_in_explicit_task(), "in a task");
#pragma omp parallel num_threads(2)
      EXPECT(!omp_in_explicit_task(), "in a region within a task");
    }
#pragma omp task if (0)
    EXPECT(omp_in_explicit_task(), "in an undeferred task");
#pragma omp taskwait
    EXPECT(!omp_in_explicit_task(), "back in the implicit task");
  }
}

static void check_memory(void) {
#pragma omp parallel
  {
    unsigned char *block = omp_aligned_calloc(256, 10, 30, omp_default_mem_alloc);
    EXPECT_EQ((uintptr_t)block % 256, 0);
    for (int i = 0; i < 300; i++) EXPECT_EQ(block[i], 0);
    memset(block, 9, 300);
    block = omp_realloc(block, 5000, omp_default_mem_alloc, omp_default_mem_alloc);
    for (int i = 0; i < 300; i++) EXPECT_EQ(block[i], 9);
    omp_free(block, omp_null_allocator);
  }
}

static void check_flush(void) {
  static int data[2], ready[2], both;
  data[0] = data[1] = ready[0] = ready[1] = both = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_num_threads() == 2) {
    int me = omp_get_thread_num(), seen;
    data[me] = 5;
#pragma omp flush release
#pragma omp atomic write
    ready[me] = 1;
#pragma omp flush seq_cst
#pragma omp atomic read
    seen = ready[1 - me];
#pragma omp flush acquire
    if (seen) {
      EXPECT_EQ(data[1 - me], 5);
#pragma omp atomic
      both++;
    }
#pragma omp barrier
    EXPECT(both > 0, "each of two threads missed the other's store");
  }
}

static void check_display(void) {
  int ends[2], status;
  static char text[1 << 16];
  EXPECT_EQ(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    omp_display_env(0);
    omp_display_env(1);
    _exit(0);
  }
  close(ends[1]);
  size_t used = 0;
  ssize_t got;
  while ((got = read(ends[0], text + used, sizeof text - 1 - used)) > 0) used += got;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT(strstr(text, "OPENMP DISPLAY ENVIRONMENT BEGIN"), "%s", text);
  EXPECT(strstr(text, "OMP_NUM_THREADS"), "%s", text);
  EXPECT(strstr(text, "OPENMP DISPLAY ENVIRONMENT END"), "%s", text);
}

int main(void) {
  check_display();
  check_explicit_task();
  check_memory();
  for (int round = 0; round < 50; round++) check_flush();
  return 0;
}
