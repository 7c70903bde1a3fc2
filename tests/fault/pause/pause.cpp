// SPDX-License-Identifier: Apache-2.0
// omp_pause_resource and _all give back OS threads; a soft pause keeps the data of the threads as in libomp, or
// in GCC's programs ends them as in libgomp; a hard one ends them, with the destructors of their thread_local objects, which may open regions. Inside a
// region both refuse; beside a pthread in a region they do no harm.
#include <pthread.h>

#include <atomic>

#include "process.h"
#include "use_openmp.h"

namespace {

std::atomic<int> made, ended, opened, not_opened;
std::atomic<bool> open_at_end;

struct Owned {
  int number = -1;
  Owned() { made++; }
  ~Owned() {
    if (open_at_end) {
      int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
      members++;
      if (members == 2 && omp_get_level() == 0) opened++;
    } else {
      not_opened++;
    }
    ended++;
  }
};

thread_local Owned owned;

void write_numbers(int n) {
#pragma omp parallel num_threads(n)
  owned.number = omp_get_thread_num();
}

int numbers_kept(int n) {
  int kept = 0;
#pragma omp parallel num_threads(n) reduction(+ : kept)
  kept += owned.number == omp_get_thread_num();
  return kept;
}

// How many of n threads have their data after a soft pause; the initial thread has in any case.
int kept_softly(int n) {
#ifdef __clang__
  return n;
#else
  return n > 0;
#endif
}

template <class Done>
bool within_a_minute(Done done) {
  for (int i = 0; i < 60000; i++) {
    if (done()) return true;
    usleep(1000);
  }
  return false;
}

void *regions(void *argument) {
  for (int i = 0; i < 30; i++) use_openmp(4);
  return argument;
}

}  // namespace

int main() {
  int n = omp_get_max_threads() > 16 ? 16 : omp_get_max_threads();
  omp_set_dynamic(0);
  int before = os_threads() + 1;  // the TLS block under which this thread's loop works stays
  for (int round = 0; round < 5; round++) {
    open_at_end = round % 2 == 1;
    write_numbers(n);
    EXPECT_EQ(numbers_kept(n), n);
    EXPECT_EQ(omp_pause_resource_all(omp_pause_soft), 0);
    EXPECT_EQ(numbers_kept(n), kept_softly(n));
    EXPECT_EQ(omp_pause_resource(omp_pause_soft, omp_get_initial_device()), 0);
    EXPECT_EQ(omp_pause_resource_all(omp_pause_hard), 0);
    EXPECT(within_a_minute([=] { return ended == made - 1; }), "%d of %d", ended.load(), made.load());
    EXPECT_EQ(opened.load() + not_opened.load(), ended.load());
    // A thread whose destructor opened a region keeps the pool until it has ended.
    auto few = [=] { return omp_pause_resource_all(omp_pause_hard) == 0 && os_threads() <= before; };
    if (!open_at_end) EXPECT(within_a_minute(few), "%d OS threads", os_threads());
    use_openmp(n);
#pragma omp parallel num_threads(2)
    EXPECT(omp_pause_resource_all(omp_pause_hard) != 0, "inside a region");
  }
  pthread_t thread;
  pthread_create(&thread, nullptr, regions, nullptr);
  for (int i = 0; i < 30; i++) {
    use_openmp(n);
    EXPECT_EQ(omp_pause_resource_all(i % 2 ? omp_pause_hard : omp_pause_soft), 0);
  }
  pthread_join(thread, nullptr);
  return 0;
}
