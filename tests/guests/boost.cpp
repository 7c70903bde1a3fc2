// SPDX-License-Identifier: Apache-2.0
// Boost.Fiber as a host: fibers of one OS thread, and fibers that several OS threads share, enter regions, go on
// with others inside of them and wait for each other's locks.
#include <omp.h>

#include <atomic>
#include <boost/fiber/all.hpp>
#include <condition_variable>
#include <thread>
#include <vector>

#include "expect.h"
#include "tulle/host.h"

namespace fibers = boost::fibers;

namespace {

struct Word {
  void* value = nullptr;
};

// Who wakes is still in its last lines when the waiter goes on: the second of the two ends it.
struct Waiter {
  fibers::mutex mutex;
  fibers::condition_variable woken;
  bool is_woken = false;
  std::atomic<int> users{2};

  static void leave(Waiter* waiter) {
    if (waiter->users.fetch_sub(1) == 1) delete waiter;
  }
};

fibers::fiber_specific_ptr<Word>& word() {
  static fibers::fiber_specific_ptr<Word> it([](Word* ended) {
    if (ended->value != nullptr) tulle_guest_ended(ended->value);
    delete ended;
  });
  return it;
}

Word* own_word() {
  if (word().get() == nullptr) word().reset(new Word);
  return word().get();
}

// Only OS threads that say so carry fibers: elsewhere the library would make itself a scheduler.
thread_local bool carries_fibers = false;

__attribute__((noinline)) bool is_carrier() {
  asm volatile("");
  return carries_fibers;
}

__attribute__((noinline)) void become_carrier(bool carrier) {
  asm volatile("");
  carries_fibers = carrier;
}

void* self() { return is_carrier() ? fibers::context::active() : nullptr; }
void* get() { return own_word()->value; }
void set(void* value) { own_word()->value = value; }
void* begin_wait() { return new Waiter; }

void wait(void* argument) {
  auto* waiter = static_cast<Waiter*>(argument);
  {
    std::unique_lock<fibers::mutex> lock(waiter->mutex);
    waiter->woken.wait(lock, [waiter] { return waiter->is_woken; });
  }
  Waiter::leave(waiter);
}

void wake(void* argument) {
  auto* waiter = static_cast<Waiter*>(argument);
  {
    std::unique_lock<fibers::mutex> lock(waiter->mutex);
    waiter->is_woken = true;
    waiter->woken.notify_one();
  }
  Waiter::leave(waiter);
}

constexpr int kFibers = 8, kRounds = 10;
omp_lock_t shared_lock;

void use_regions(int id) {
  int own = 1 + id % 4;
  omp_set_num_threads(own);
  for (int round = 0; round < kRounds; ++round) {
    int members = 0, tasks = 0;
#pragma omp parallel
    {
      EXPECT_EQ(omp_get_num_threads(), own);
      if (omp_get_thread_num() == 0 && is_carrier()) boost::this_fiber::yield();
#pragma omp barrier
#pragma omp atomic
      ++members;
      omp_set_lock(&shared_lock);
      if (omp_get_thread_num() == 0 && is_carrier()) boost::this_fiber::yield();
      omp_unset_lock(&shared_lock);
#pragma omp single
      for (int i = 0; i < 10; ++i) {
#pragma omp task
        {
#pragma omp atomic
          ++tasks;
        }
      }
    }
    EXPECT_EQ(members, own);
    EXPECT_EQ(tasks, 10);
    EXPECT_EQ(omp_get_level(), 0);
    EXPECT_EQ(omp_get_max_threads(), own);
    boost::this_fiber::yield();
  }
}

void run_fibers() {
  std::vector<fibers::fiber> all;
  for (int id = 0; id < kFibers; ++id) all.emplace_back(use_regions, id);
  for (fibers::fiber& one : all) one.join();
}

// The fibers that one OS thread makes are carried by both.
void run_shared() {
  std::atomic<bool> done{false};
  std::thread other([&done] {
    become_carrier(true);
    fibers::use_scheduling_algorithm<fibers::algo::shared_work>();
    while (!done.load()) boost::this_fiber::sleep_for(std::chrono::milliseconds(1));
    become_carrier(false);
  });
  fibers::use_scheduling_algorithm<fibers::algo::shared_work>();
  run_fibers();
  done.store(true);
  other.join();
}

}  // namespace

int main() {
  tulle_ult_host host{sizeof host, self, get, set, begin_wait, wait, wake, nullptr};
  EXPECT(tulle_register_host != nullptr, "not on Tulle");
  EXPECT_EQ(tulle_register_host(&host), 0);
  omp_init_lock(&shared_lock);
  become_carrier(true);
  run_fibers();
  run_shared();
  become_carrier(false);
  omp_destroy_lock(&shared_lock);
}
