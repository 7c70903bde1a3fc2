// SPDX-License-Identifier: Apache-2.0
// Members that wait for each other in the C library, each for the one after it, by each of its ways to wait
// that the runtime sees: at the begin of a region, after a barrier where all have frames that wait, and in
// nested regions. The monitor hardly looks in this test, so only what is seen brings the next member on. Where
// they are not seen, its signals may end a wait early.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "clock.h"
#include "expect.h"
#include "spin.h"

struct link {
  pthread_mutex_t mutex, gate;
  pthread_cond_t condition;
  sem_t semaphore;
  int files[2], set, flag;
};

static struct link links[64 + 1];

static int is_open(const struct link *link) { return __atomic_load_n(&link->flag, __ATOMIC_ACQUIRE); }

static void by_condition(struct link *link) {
  pthread_mutex_lock(&link->mutex);
  while (!link->flag) pthread_cond_wait(&link->condition, &link->mutex);
  pthread_mutex_unlock(&link->mutex);
}

static void by_timed_condition(struct link *link) {
  struct timespec end = in_an_hour(CLOCK_REALTIME);
  pthread_mutex_lock(&link->mutex);
  while (!link->flag) EXPECT_EQ(pthread_cond_timedwait(&link->condition, &link->mutex, &end), 0);
  pthread_mutex_unlock(&link->mutex);
}

static void by_clock_condition(struct link *link) {
  struct timespec end = in_an_hour(CLOCK_MONOTONIC);
  pthread_mutex_lock(&link->mutex);
  while (!link->flag)
    EXPECT_EQ(pthread_cond_clockwait(&link->condition, &link->mutex, CLOCK_MONOTONIC, &end), 0);
  pthread_mutex_unlock(&link->mutex);
}

static void by_semaphore(struct link *link) { EXPECT_EQ(TEMP_FAILURE_RETRY(sem_wait(&link->semaphore)), 0); }

static void by_timed_semaphore(struct link *link) {
  struct timespec end = in_an_hour(CLOCK_REALTIME);
  EXPECT_EQ(TEMP_FAILURE_RETRY(sem_timedwait(&link->semaphore, &end)), 0);
}

static void by_clock_semaphore(struct link *link) {
  struct timespec end = in_an_hour(CLOCK_MONOTONIC);
  EXPECT_EQ(TEMP_FAILURE_RETRY(sem_clockwait(&link->semaphore, CLOCK_MONOTONIC, &end)), 0);
}

static void *pass_semaphore(void *link) {
  by_semaphore(link);
  return link;
}

static pthread_t start_waiter(struct link *link) {
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, pass_semaphore, link), 0);
  return thread;
}

static void by_join(struct link *link) {
  void *result;
  EXPECT_EQ(pthread_join(start_waiter(link), &result), 0);
  EXPECT(result == link);
}

static void by_timed_join(struct link *link) {
  struct timespec end = in_an_hour(CLOCK_REALTIME);
  EXPECT_EQ(pthread_timedjoin_np(start_waiter(link), NULL, &end), 0);
}

static void by_clock_join(struct link *link) {
  struct timespec end = in_an_hour(CLOCK_MONOTONIC);
  EXPECT_EQ(pthread_clockjoin_np(start_waiter(link), NULL, CLOCK_MONOTONIC, &end), 0);
}

// The gate is closed until whoever opens the link lets it go.
static void by_mutex(struct link *link) {
  EXPECT_EQ(pthread_mutex_lock(&link->gate), 0);
  pthread_mutex_unlock(&link->gate);
}

static void by_timed_mutex(struct link *link) {
  struct timespec end = in_an_hour(CLOCK_REALTIME);
  EXPECT_EQ(pthread_mutex_timedlock(&link->gate, &end), 0);
  pthread_mutex_unlock(&link->gate);
}

static void by_clock_mutex(struct link *link) {
  struct timespec end = in_an_hour(CLOCK_MONOTONIC);
  EXPECT_EQ(pthread_mutex_clocklock(&link->gate, CLOCK_MONOTONIC, &end), 0);
  pthread_mutex_unlock(&link->gate);
}

// As programs call them that were built with _FORTIFY_SOURCE, and before glibc 2.34.
int __poll_chk(struct pollfd *, nfds_t, int, size_t);
int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t);
int old_yield(void);
#ifdef __aarch64__
__asm__(".symver old_yield, pthread_yield@GLIBC_2.17");
#else
__asm__(".symver old_yield, pthread_yield@GLIBC_2.2.5");
#endif

static const struct timespec nap = {0, 100000};

static void by_nanosleep(struct link *link) {
  while (!is_open(link)) nanosleep(&nap, NULL);
}

static void by_clock_nanosleep(struct link *link) {
  while (!is_open(link)) clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
}

static void by_usleep(struct link *link) {
  while (!is_open(link)) usleep(100);
}

static void by_yield(struct link *link) {
  while (!is_open(link)) sched_yield();
}

static void by_old_yield(struct link *link) {
  while (!is_open(link)) old_yield();
}

static void by_poll(struct link *link) {
  struct pollfd file = {link->files[0], POLLIN, 0};
  EXPECT_EQ(TEMP_FAILURE_RETRY(poll(&file, 1, -1)), 1);
}

static void by_ppoll(struct link *link) {
  struct pollfd file = {link->files[0], POLLIN, 0};
  EXPECT_EQ(TEMP_FAILURE_RETRY(ppoll(&file, 1, NULL, NULL)), 1);
}

static void by_checked_poll(struct link *link) {
  struct pollfd file = {link->files[0], POLLIN, 0};
  EXPECT_EQ(TEMP_FAILURE_RETRY(__poll_chk(&file, 1, -1, sizeof file)), 1);
}

static void by_checked_ppoll(struct link *link) {
  struct pollfd file = {link->files[0], POLLIN, 0};
  EXPECT_EQ(TEMP_FAILURE_RETRY(__ppoll_chk(&file, 1, NULL, NULL, sizeof file)), 1);
}

static void by_select(struct link *link) {
  fd_set files;
  FD_ZERO(&files);
  FD_SET(link->files[0], &files);
  EXPECT_EQ(TEMP_FAILURE_RETRY(select(link->files[0] + 1, &files, NULL, NULL, NULL)), 1);
}

static void by_pselect(struct link *link) {
  fd_set files;
  FD_ZERO(&files);
  FD_SET(link->files[0], &files);
  EXPECT_EQ(TEMP_FAILURE_RETRY(pselect(link->files[0] + 1, &files, NULL, NULL, NULL, NULL)), 1);
}

static void by_epoll(struct link *link) {
  struct epoll_event event;
  EXPECT_EQ(TEMP_FAILURE_RETRY(epoll_wait(link->set, &event, 1, -1)), 1);
}

static void by_epoll_pwait(struct link *link) {
  struct epoll_event event;
  EXPECT_EQ(TEMP_FAILURE_RETRY(epoll_pwait(link->set, &event, 1, -1, NULL)), 1);
}

static void by_epoll_pwait2(struct link *link) {
  struct epoll_event event;
  EXPECT_EQ(TEMP_FAILURE_RETRY(epoll_pwait2(link->set, &event, 1, NULL, NULL)), 1);
}

static void by_futex(struct link *link) {
  while (!is_open(link)) syscall(SYS_futex, &link->flag, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void (*const ways[])(struct link *) = {
    by_condition,       by_timed_condition, by_clock_condition, by_semaphore,    by_timed_semaphore,
    by_clock_semaphore, by_join,            by_timed_join,      by_clock_join,   by_mutex,
    by_timed_mutex,     by_clock_mutex,     by_nanosleep,       by_usleep,       by_clock_nanosleep,
    by_yield,           by_poll,            by_ppoll,           by_select,       by_pselect,
    by_epoll,           by_epoll_pwait,     by_epoll_pwait2,    by_futex,        by_old_yield,
    by_checked_poll,    by_checked_ppoll};

static void make_link(struct link *link) {
  struct epoll_event event = {.events = EPOLLIN};
  pthread_mutex_init(&link->mutex, NULL);
  pthread_mutex_init(&link->gate, NULL);
  pthread_cond_init(&link->condition, NULL);
  EXPECT_EQ(sem_init(&link->semaphore, 0, 0), 0);
  EXPECT_EQ(pipe(link->files), 0);
  link->set = epoll_create1(0);
  EXPECT_EQ(epoll_ctl(link->set, EPOLL_CTL_ADD, link->files[0], &event), 0);
}

// A normal mutex, which whoever opens the link may unlock.
static void close_link(struct link *link) {
  char byte;
  link->flag = 0;
  pthread_mutex_lock(&link->gate);
  while (sem_trywait(&link->semaphore) == 0) {
  }
  struct pollfd file = {link->files[0], POLLIN, 0};
  while (poll(&file, 1, 0) == 1) EXPECT_EQ(read(link->files[0], &byte, 1), 1);
}

static void open_link(struct link *link) {
  EXPECT_EQ(write(link->files[1], "x", 1), 1);
  sem_post(&link->semaphore);
  pthread_mutex_lock(&link->mutex);
  set_flag(&link->flag);
  pthread_cond_broadcast(&link->condition);
  pthread_mutex_unlock(&link->mutex);
  syscall(SYS_futex, &link->flag, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  pthread_mutex_unlock(&link->gate);
}

static void meet(int self, int n, void (*wait)(struct link *)) {
  if (self + 1 < n) {
    errno = 0;
    wait(&links[self + 1]);
    EXPECT(errno == 0 || errno == EAGAIN || errno == EINTR, "%d", errno);
  }
  EXPECT_EQ(omp_get_thread_num(), self);
  open_link(&links[self]);
}

static void close_links(int n) {
  for (int i = 0; i < n; i++) close_link(&links[i]);
}

static void meet_by(int n, void (*wait)(struct link *)) {
  close_links(n);
#pragma omp parallel num_threads(n)
  {
    meet(omp_get_thread_num(), n, wait);
#pragma omp barrier
#pragma omp single
    close_links(n);
    meet(omp_get_thread_num(), n, wait);
  }
  close_links(n);
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp parallel num_threads(n)
  meet(omp_get_thread_num(), n, wait);
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads();
  for (int i = 0; i < n; i++) make_link(&links[i]);
  for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) meet_by(n, ways[way]);
  pthread_barrier_t barrier;
  int serial = 0;
  pthread_barrier_init(&barrier, NULL, n);
#pragma omp parallel num_threads(n) reduction(+ : serial)
  serial += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  EXPECT_EQ(serial, 1);
  return 0;
}
