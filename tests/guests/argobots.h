// SPDX-License-Identifier: Apache-2.0
// What the programs of this folder use of fibers.h, over Argobots: nobody describes it to the runtime.
#ifndef TULLE_TESTS_FIBERS_H
#define TULLE_TESTS_FIBERS_H

#include <abt.h>
#include <stdlib.h>

#include "expect.h"

enum { MOST_FIBERS = 64 };

static ABT_pool fibers_pool;
static ABT_thread_attr fibers_attributes;
static ABT_thread fibers[MOST_FIBERS];
static int fibers_made;

static void register_fibers(void) {
  EXPECT_EQ(ABT_init(0, NULL), ABT_SUCCESS);
  EXPECT_EQ(ABT_pool_create_basic(ABT_POOL_FIFO, ABT_POOL_ACCESS_MPMC, ABT_FALSE, &fibers_pool), ABT_SUCCESS);
  EXPECT_EQ(ABT_thread_attr_create(&fibers_attributes), ABT_SUCCESS);
  EXPECT_EQ(ABT_thread_attr_set_stacksize(fibers_attributes, 256 * 1024), ABT_SUCCESS);
}

static void spawn_fiber(void (*function)(void *argument), void *argument) {
  EXPECT_EQ(ABT_thread_create(fibers_pool, function, argument, fibers_attributes, &fibers[fibers_made]), ABT_SUCCESS);
  ++fibers_made;
}

static void fiber_yield(void) { EXPECT_EQ(ABT_self_yield(), ABT_SUCCESS); }

__attribute__((unused)) static void fiber_yield_if_here(void) {
  ABT_unit_type type;
  if (ABT_self_get_type(&type) == ABT_SUCCESS && type == ABT_UNIT_TYPE_THREAD) fiber_yield();
}

static void run_fibers(int streams) {
  ABT_xstream made[8];
  for (int i = 0; i < streams; ++i)
    EXPECT_EQ(ABT_xstream_create_basic(ABT_SCHED_BASIC, 1, &fibers_pool, ABT_SCHED_CONFIG_NULL, &made[i]), ABT_SUCCESS);
  for (int i = 0; i < fibers_made; ++i) EXPECT_EQ(ABT_thread_free(&fibers[i]), ABT_SUCCESS);
  fibers_made = 0;
  for (int i = 0; i < streams; ++i) EXPECT_EQ(ABT_xstream_free(&made[i]), ABT_SUCCESS);
}

#endif
