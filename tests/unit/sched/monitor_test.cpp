// SPDX-License-Identifier: Apache-2.0
// Which workers the monitor takes for stuck. They are OS threads of the test with a worker's record, which run no
// entity in fact and have nothing behind them, so that nobody stands in for them.
#include "sched/monitor.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "kept.h"
#include "os/clock.h"
#include "os/thread.h"
#include "sched/alarm.h"
#include "sched/pool.h"
#include "sched/publish.h"
#include "sched/workers.h"

namespace tulle::sched {
namespace {

constexpr uint64_t kPatience = 20000000000;
constexpr uint64_t kSomeTicks = 50000000;  // less than it is patient with who may come back

class Watched {
 public:
  // `code` runs until `ends()`, amid so many calls of libraries.
  explicit Watched(void (*code)(Watched& self), uint32_t inside = 0) : worker(*kept(new_worker(WorkerKind::foreign))) {
    EXPECT_EQ(pipe(gate_), 0);
    worker.inside.store(inside);
    thread_ = std::thread([this, code] {
      worker.kernel_id.store(os::kernel_thread_id());
      worker.busy.store(true, std::memory_order_release);
      code(*this);
    });
    while (!worker.busy.load(std::memory_order_acquire)) usleep(100);
    monitor_starter = start_monitor;
  }
  ~Watched() {
    end();
    worker.busy.store(false);
    worker.asleep.store(0);
    worker.inside.store(0);
    for (int end : gate_) close(end);
    // Other tests free what a monitor looks at.
    monitor_starter = nullptr;
    EXPECT_TRUE(stop_pool(0));
  }

  void end() {
    if (!thread_.joinable()) return;
    ends_.store(true);
    EXPECT_EQ(write(gate_[1], "", 1), 1);
    thread_.join();
  }
  bool ends() const { return ends_.load(); }
  void sleep_until_end() {
    char byte;
    EXPECT_EQ(read(gate_[0], &byte, 1), 1);
  }

  bool becomes_stuck_within(uint64_t patience) const {
    return comes_true([this] { return is_kept(&worker); }, patience);
  }
  bool ceases_to_be_stuck() const {
    return comes_true([this] { return worker.stuck_at.load() == UINT64_MAX; }, kPatience);
  }
  // While the monitor watches.
  template <class Done>
  static bool comes_true(Done done, uint64_t patience) {
    for (uint64_t begin = os::now(); os::now() - begin < patience; usleep(500)) {
      arm_monitor();
      if (done()) return true;
    }
    return false;
  }

  Worker& worker;

 private:
  std::atomic<bool> ends_{false};
  int gate_[2];
  std::thread thread_;
};

void sleep(Watched& self) { self.sleep_until_end(); }

void compute(Watched& self) {
  while (!self.ends()) {
  }
}

void take_steps(Watched& self) {
  while (!self.ends()) count_step(&self.worker);
}

TEST(Monitor, WhoSleepsInTheKernelIsStuckUntilItGoesOn) {
  Watched one(sleep);
  EXPECT_TRUE(one.becomes_stuck_within(kPatience));
  EXPECT_TRUE(is_kept(&one.worker));
  one.end();
  count_step(&one.worker);
  EXPECT_FALSE(is_kept(&one.worker));
  EXPECT_TRUE(one.ceases_to_be_stuck());
}

TEST(Monitor, WhoRunsForLongIsStuck) {
  Watched one(compute);
  EXPECT_TRUE(one.becomes_stuck_within(kPatience));
}

TEST(Monitor, WhoTakesStepsIsNot) {
  Watched one(take_steps);
  EXPECT_FALSE(one.becomes_stuck_within(4 * kSomeTicks));
}

TEST(Monitor, WhoRunsNothingIsNot) {
  Watched one(sleep);
  one.worker.busy.store(false);
  usleep(50000);  // a look may be under way
  EXPECT_TRUE(one.ceases_to_be_stuck());
  EXPECT_FALSE(one.becomes_stuck_within(4 * kSomeTicks));
}

TEST(Monitor, WhoIsAmidALibrarysCallHasMoreTime) {
  Watched one(sleep, 1);
  EXPECT_FALSE(one.becomes_stuck_within(kSomeTicks));
  EXPECT_TRUE(one.becomes_stuck_within(kPatience));
}

TEST(Monitor, WhoIsInABlockingSectionIsKeptFromTheFirstLookOn) {
  Watched one(take_steps);
  one.worker.asleep.store(kAway);
  auto noted = [&] { return one.worker.stuck_at.load() != UINT64_MAX; };
  EXPECT_TRUE(Watched::comes_true(noted, kPatience));
}

}  // namespace
}  // namespace tulle::sched
