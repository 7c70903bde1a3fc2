// SPDX-License-Identifier: Apache-2.0
// Destructors of thread_local objects and of keys may need as much stack as a thread has: a megabyte here.
#include <omp.h>
#include <pthread.h>

#include <cstring>

#include "expect.h"

namespace {

constexpr int kBytes = 1 << 20;
int destroyed = 0, keys_destroyed = 0;

void use_stack(int *count) {
  volatile char room[kBytes];
  for (int i = 0; i < kBytes; i += 512) room[i] = 1;
  if (room[kBytes / 2] == 1) __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
}

struct Object {
  int number = -1;
  ~Object() { use_stack(&destroyed); }
};

thread_local Object object;

void end_key(void *) { use_stack(&keys_destroyed); }

}  // namespace

int main() {
  omp_set_dynamic(0);
  pthread_key_t key;
  EXPECT_EQ(pthread_key_create(&key, end_key), 0);
  int n = omp_get_max_threads();
  pthread_t thread;
  auto run = [](void *argument) -> void * {
    auto used = *static_cast<pthread_key_t *>(argument);
#pragma omp parallel
    {
      object.number = omp_get_thread_num();
      pthread_setspecific(used, &object);
#pragma omp barrier
      EXPECT_EQ(object.number, omp_get_thread_num());
    }
    return nullptr;
  };
  EXPECT_EQ(pthread_create(&thread, nullptr, run, &key), 0);
  EXPECT_EQ(pthread_join(thread, nullptr), 0);
  omp_pause_resource_all(omp_pause_hard);
  for (int i = 0; i < 5000 && __atomic_load_n(&keys_destroyed, __ATOMIC_SEQ_CST) < n; i++) usleep(1000);
  EXPECT_EQ(__atomic_load_n(&destroyed, __ATOMIC_SEQ_CST), n);
  EXPECT_EQ(__atomic_load_n(&keys_destroyed, __ATOMIC_SEQ_CST), n);
}
