// SPDX-License-Identifier: Apache-2.0
// Members that meet in loops of sched_yield(), in a program that finds the C library's before the runtime's, as one
// does whose BLAS brings OpenMP along. After a while members give way to each other all the same: as many OS
// threads as there are cores carry a team of many. Tried for some seconds.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "expect.h"

enum { rounds = 100, most = 64 };

static int arrived, phase;

static void meet(int n) {
  int now = __atomic_load_n(&phase, __ATOMIC_ACQUIRE);
  if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) == n) {
    arrived = 0;
    __atomic_store_n(&phase, now + 1, __ATOMIC_RELEASE);
    return;
  }
  while (__atomic_load_n(&phase, __ATOMIC_ACQUIRE) == now) sched_yield();
}

static int carriers(int n) {
  int seen[most], distinct = 0;
#pragma omp parallel num_threads(n)
  {
    for (int round = 0; round < rounds; round++) meet(n);
    seen[omp_get_thread_num()] = (int)syscall(SYS_gettid);
    meet(n);
  }
  for (int i = 0; i < n; i++) {
    int known = 0;
    for (int j = 0; j < i; j++) known += seen[j] == seen[i];
    distinct += known == 0;
  }
  return distinct;
}

int main(void) {
  Dl_info where = {0};
  void *found = dlsym(RTLD_DEFAULT, "sched_yield");
  EXPECT(found != NULL && dladdr(found, &where) != 0, "no sched_yield");
  EXPECT(strstr(where.dli_fname, "libc.so") != NULL, "sched_yield is that of %s", where.dli_fname);
  int n = omp_get_max_threads(), cores = omp_get_num_procs(), os_threads = most;
  for (double end = omp_get_wtime() + 20; os_threads > cores && omp_get_wtime() < end;) os_threads = carriers(n);
  EXPECT(os_threads <= cores, "%d OS threads carry %d members", os_threads, n);
  return 0;
}
