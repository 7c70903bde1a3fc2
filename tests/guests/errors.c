// SPDX-License-Identifier: Apache-2.0
// What tulle_register_host() refuses, and that a process has one host.
#include <errno.h>

#include "fibers.h"

int main(void) {
  tulle_ult_host host = describe_fibers();
  EXPECT_EQ(tulle_register_host(NULL), EINVAL);
  --host.size;
  EXPECT_EQ(tulle_register_host(&host), EINVAL);
  host = describe_fibers();
  host.wait = NULL;
  EXPECT_EQ(tulle_register_host(&host), EINVAL);
  host = describe_fibers();
  host.stack = NULL;
  EXPECT_EQ(tulle_register_host(&host), 0);
  EXPECT_EQ(tulle_register_host(&host), EBUSY);
#pragma omp parallel
  EXPECT_EQ(this_fiber() == NULL, 1);
  return 0;
}
