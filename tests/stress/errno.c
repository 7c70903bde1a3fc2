// SPDX-License-Identifier: Apache-2.0
// errno belongs to the thread: its value and its address survive every kind of suspension, failing
// system calls included.
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include "expect.h"

static omp_lock_t lock;

static void expect_errno(int wanted, const int *address, const char *where) {
  EXPECT(&errno == address, "errno of thread %d moved: %s", omp_get_thread_num(), where);
  EXPECT(errno == wanted, "errno of thread %d is %d, not %d: %s", omp_get_thread_num(), errno, wanted,
         where);
}

static void check_member(void) {
  int self = omp_get_thread_num(), own = 1000 + self, *address = &errno;
  errno = own;
#pragma omp barrier
  expect_errno(own, address, "after a barrier");
#pragma omp critical
  expect_errno(own, address, "in a critical section");
  omp_set_lock(&lock);
  expect_errno(own, address, "with a lock");
  omp_unset_lock(&lock);
  expect_errno(own, address, "after a lock");
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < omp_get_num_threads(); i++) {
#pragma omp ordered
    expect_errno(own, address, "in an ordered region");
  }
  expect_errno(own, address, "after a loop");
#pragma omp task
  (void)0;
#pragma omp taskwait
  expect_errno(own, address, "after taskwait");
#pragma omp taskyield
  expect_errno(own, address, "after taskyield");
  int failed = self % 2 ? open("/nonexistent/file", O_RDONLY) : close(-1);
  EXPECT_EQ(failed, -1);
  own = self % 2 ? ENOENT : EBADF;
#pragma omp barrier
  expect_errno(own, address, "from a system call, after a barrier");
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) errno = 5;
#pragma omp barrier
    if (omp_get_thread_num() == 1) EXPECT_EQ(errno, 5);
  }
  expect_errno(own, address, "after a nested region");
}

int main(void) {
  omp_set_max_active_levels(2);
  omp_init_lock(&lock);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
    check_member();
  }
  omp_destroy_lock(&lock);
  return 0;
}
