// SPDX-License-Identifier: Apache-2.0
// Teams of more than a few members, each with a worker of its own, on however few cores.
#pragma once

#include <gtest/gtest.h>

#include "omp/region/cached_teams.h"
#include "omp/region/process.h"
#include "sched/pool.h"
#include "sched/settings.h"
#include "sched/workers.h"

namespace tulle::omp::test {

// A pool of its own size for each test, and trees whatever the machine.
struct LargeTeams : testing::Test {
  int workers = 0;
  uint64_t spin = 0;
  const bool used_trees = uses_trees, were_led = always_by_leaders;

  void SetUp() override {
    self_or_attach();
    pause(false);  // settings are changed while there are no workers
    workers = sched::settings().workers;
    spin = sched::settings().spin_ns;
    uses_trees = always_by_leaders = true;  // as if: what is right on few cores is right on many
  }
  void TearDown() override {
    use(workers);
    sched::set_spin(spin);
    uses_trees = used_trees;
    always_by_leaders = were_led;
  }
  static void use(int count) {
    pause(false);
    sched::set_workers(count);
  }
};

}  // namespace tulle::omp::test
