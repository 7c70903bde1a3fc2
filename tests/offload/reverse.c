// SPDX-License-Identifier: Apache-2.0
// Reverse offload: a region on a device that asks for the host, by the clause (-DBY_CLAUSE), or as GCC 13 and later call
// it then.
#include <stdio.h>
#include <unistd.h>

static int value = 1;

#ifdef BY_CLAUSE
#pragma omp requires reverse_offload
#define ON_HOST _Pragma("omp target device(ancestor : 1)") value++
#else
void GOMP_target_ext(int device, void (*function)(void *), size_t count, void **addresses, size_t *sizes,
                     unsigned short *kinds, unsigned flags, void **depend, void **arguments);
enum { HOST = -2 };
static void on_host(void *data) {
  (void)data;
  value++;
}
#define ON_HOST GOMP_target_ext(HOST, on_host, 0, NULL, NULL, NULL, 0, NULL, NULL)
#endif

int main(void) {
  pid_t host = getpid();
#pragma omp target firstprivate(host)
  {
    ON_HOST;
    printf("after it, %s\n", getpid() == host ? "here" : "there");
  }
  return 0;
}
