// SPDX-License-Identifier: Apache-2.0
// Members wait for what nobody seems to announce: the function is the C library's, found by its handle. They go on
// for no reason after a while, look, and wait again, by their OS threads.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/futex.h>
#include <omp.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "expect.h"

static int (*broadcast)(pthread_cond_t *);
static long (*system_call)(long, ...);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int waiting, seen, words[64];

static void sleep_ms(long ms) {
  struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void *announce_unseen(void *members) {
  for (int all = 0; !all;) {
    sleep_ms(3);
    pthread_mutex_lock(&mutex);
    all = waiting == *(int *)members;
    pthread_mutex_unlock(&mutex);
  }
  for (int i = 0; i < 10; ++i) {
    sleep_ms(5);
    pthread_mutex_lock(&mutex);
    ++seen;
    pthread_mutex_unlock(&mutex);
    broadcast(&condition);
    for (int k = 0; k < *(int *)members; ++k) {
      __atomic_add_fetch(&words[k], 1, __ATOMIC_SEQ_CST);
      system_call(SYS_futex, &words[k], FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
  }
  return members;
}

static void wait_for_steps(int self) {
  pthread_mutex_lock(&mutex);
  ++waiting;
  for (int step = 1; step <= 10; ++step)
    while (seen < step) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  for (int value; (value = __atomic_load_n(&words[self], __ATOMIC_SEQ_CST)) < 10;)
    syscall(SYS_futex, &words[self], FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

int main(void) {
  void *library = dlopen("libc.so.6", RTLD_NOW);
  EXPECT(library != NULL, "%s", dlerror());
  *(void **)&broadcast = dlsym(library, "pthread_cond_broadcast");
  *(void **)&system_call = dlsym(library, "syscall");
  int members = omp_get_max_threads();
  pthread_t other;
  EXPECT_EQ(pthread_create(&other, NULL, announce_unseen, &members), 0);
#pragma omp parallel
  wait_for_steps(omp_get_thread_num());
  pthread_join(other, NULL);
  return 0;
}
