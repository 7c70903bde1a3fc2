// SPDX-License-Identifier: Apache-2.0
// Pthreads, one after the other, whose OpenMP threads have thread_local objects and threadprivate
// data: every object is destroyed, and neither OS threads nor memory grow. A process forked in
// between has its data, and makes the others' anew.
#include <pthread.h>

#include <atomic>

#include "process.h"
#include "use_openmp.h"

namespace {

int threads;
std::atomic<long> made, ended;

struct Owned {
  int *memory = new int[1000];
  Owned() { made++; }
  ~Owned() {
    delete[] memory;
    ended++;
  }
};

thread_local Owned owned;
int mine = 5;
#pragma omp threadprivate(mine)

void use_data(int value) {
  int wrong = 0;
  mine = value;
#pragma omp parallel num_threads(threads) copyin(mine) reduction(+ : wrong)
  {
    wrong += mine != value;
    mine += omp_get_thread_num();
    owned.memory[0] = mine;
#pragma omp barrier
    wrong += owned.memory[0] != value + omp_get_thread_num() || owned.memory[0] != mine;
  }
  EXPECT_EQ(wrong, 0);
}

void *run(void *argument) {
  use_data(static_cast<int>(reinterpret_cast<size_t>(argument)));
  return argument;
}

void run_pthreads(int first, int last) {
  for (int i = first; i < last; i++) {
    pthread_t thread;
    EXPECT_EQ(pthread_create(&thread, nullptr, run, reinterpret_cast<void *>(size_t(i))), 0);
    pthread_join(thread, nullptr);
  }
}

void fork_once() {
  use_data(77);
  pid_t child = fork();
  if (child == 0) {
    alarm(50);
    EXPECT_EQ(mine, 77);
    EXPECT_EQ(owned.memory[0], 77);
    use_data(78);
    run_pthreads(0, 3);
    use_openmp(threads);
    _exit(11);
  }
  expect_child(child, 11);
}

}  // namespace

int main() {
  threads = omp_get_max_threads();
  omp_set_dynamic(0);
  run_pthreads(0, 50);
  growth least = least_growth([](int round) { run_pthreads(50 + round * 50, 100 + round * 50); });
  for (int i = 0; i < 50000 && ended != made; i++) usleep(1000);
  EXPECT_EQ(ended.load(), made.load());
  EXPECT(least.os_threads <= 4, "%ld more OS threads", least.os_threads);
  EXPECT(least.resident_kib < 50 * 16, "%ld KiB more in memory", least.resident_kib);
  for (int i = 0; i < 5; i++) fork_once();
  return 0;
}
