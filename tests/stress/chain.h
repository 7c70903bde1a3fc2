// SPDX-License-Identifier: Apache-2.0
// The chain of the tests that spin: thread i spins, with no OpenMP call, until thread i + 1 has let it
// go; the last thread starts it.
#ifndef TULLE_TESTS_CHAIN_H
#define TULLE_TESTS_CHAIN_H

#include <omp.h>
#include "expect.h"
#include "spin.h"

static int released[64 + 1];

// Returns how many threads the chain is for.
static int prepare_chain(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
  set_flag(&released[n]);
  return n;
}

static void pass_chain(int self) {
  spin_until_set(&released[self + 1]);
  EXPECT_EQ(omp_get_thread_num(), self);
  set_flag(&released[self]);
}

#endif
