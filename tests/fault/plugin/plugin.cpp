// SPDX-License-Identifier: Apache-2.0
// A plug-in that uses OpenMP; `PLUGIN_TLS` bytes of thread-local data.
#include <omp.h>

#ifdef PLUGIN_TLS
static thread_local char own[PLUGIN_TLS] = {1};
#endif

extern "C" int compute(int threads) {
  int sum = 0, fib = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
#pragma omp for schedule(dynamic, 5)
    for (int i = 0; i < 100; i++) sum += i;
#ifdef PLUGIN_TLS
    char *bytes = own;
    asm volatile("" : "+r"(bytes));
    bytes[PLUGIN_TLS - 1] = static_cast<char>(omp_get_thread_num());
#pragma omp barrier
    if (bytes[PLUGIN_TLS - 1] != static_cast<char>(omp_get_thread_num())) sum += 1000;
#endif
#pragma omp single
    {
#pragma omp taskgroup
      for (int i = 0; i < 10; i++) {
#pragma omp task shared(fib)
#pragma omp atomic
        fib++;
      }
    }
  }
  return sum + fib;
}
