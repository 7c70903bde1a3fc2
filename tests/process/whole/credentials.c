// SPDX-License-Identifier: Apache-2.0
// A member that changes the process's effective group comes back, and every member has the new one.
#include <unistd.h>

#include "waits.h"

static __thread int own;  // so that members are whole
static gid_t wanted;

static void check(int number, const char *where) {
  EXPECT(own == number, "thread %d: %s", number, where);
  EXPECT(getegid() == wanted, "thread %d has the group %d, not %d: %s", number, (int)getegid(), (int)wanted,
         where);
}

int main(void) {
  omp_set_dynamic(0);
  gid_t before = getegid(), other = geteuid() == 0 ? before + 4711 : before;
  for (int round = 0; round < 6; round++) {
    int who = round % omp_get_max_threads();
#pragma omp parallel
    {
      own = omp_get_thread_num();
#pragma omp barrier
      if (own == who) {
        wanted = round % 2 ? before : other;
        EXPECT_EQ(setegid(wanted), 0);
      }
#pragma omp barrier
      wait_in_many_ways(check);
    }
  }
  EXPECT_EQ(getegid(), before);
  return 0;
}
