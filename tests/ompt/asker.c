// SPDX-License-Identifier: Apache-2.0
// A tool that asks from a signal handler, as samplers do, wherever the signal finds the thread: states, tasks and regions
// outwards. It holds the answers against each other, and writes how many it had: `asker: asked A known K waiting W`.
#define _GNU_SOURCE
#include <dirent.h>
#include <omp-tools.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static ompt_get_thread_data_t get_thread_data;
static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_state_t get_state;

static atomic_long asked, known, waiting, wrong;
static const char *_Atomic what;
static atomic_int ended;
static pthread_t sender;

static void expect(int fact, const char *text) {
  if (fact) return;
  ++wrong;
  what = text;
}

static int is_state(int state) {
  return state == ompt_state_work_serial || state == ompt_state_work_parallel || state == ompt_state_undefined ||
         (state >= ompt_state_wait_barrier_implicit_parallel && state <= ompt_state_wait_ordered);
}

static int ask_tasks(void) {
  int level = 0, answer;
  for (; level < 64; ++level) {
    int flags = 0, number = -1;
    ompt_data_t *task = NULL, *region = NULL;
    ompt_frame_t *frame = NULL;
    answer = get_task_info(level, &flags, &task, &frame, &region, &number);
    expect(answer >= 0 && answer <= 2, "an answer on tasks");
    if (answer == 0) break;
    if (answer == 1) continue;
    expect(task != NULL && region != NULL && frame != NULL, "a task without data");
    expect(number >= 0 && number < 4096, "the number of a task's thread");
    const int kinds = flags & (ompt_task_initial | ompt_task_implicit | ompt_task_explicit);
    expect(kinds != 0 && (kinds & (kinds - 1)) == 0, "the kind of a task");
  }
  return level;
}

static void ask_regions(void) {
  for (int level = 0; level < 64; ++level) {
    ompt_data_t *region = NULL;
    int size = 0;
    const int answer = get_parallel_info(level, &region, &size);
    if (answer == 0) return;
    if (answer == 2) expect(region != NULL && size >= 1 && size < 4096, "a region");
  }
  expect(0, "regions without an end");
}

static void on_signal(int signal) {
  (void)signal;
  ++asked;
  ompt_wait_id_t wait_id;
  const int state = get_state(&wait_id);
  expect(is_state(state), "a state");
  get_thread_data();
  const int tasks = ask_tasks();
  expect(tasks < 64, "tasks without an end");
  ask_regions();
  if (state == ompt_state_undefined) return;
  /* A worker without work: whom it ran last may begin elsewhere between two questions. */
  if (tasks == 0 && get_state(&wait_id) == ompt_state_undefined) return;
  ++known;
  if (state >= ompt_state_wait_barrier_implicit_parallel) ++waiting;
  expect(tasks > 0, "a state, and no task");
}

// Of an OS thread that would be told at once, not of those that only lend their TLS block or have nothing to do.
static int takes_signals(int id) {
  char path[64], line[256];
  unsigned long long blocked = ~0ULL;
  snprintf(path, sizeof path, "/proc/self/task/%d/status", id);
  FILE *file = fopen(path, "r");
  if (file == NULL) return 0;
  while (fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "SigBlk: %llx", &blocked) == 1) break;
  fclose(file);
  return (blocked >> (SIGPROF - 1) & 1) == 0;
}

// Signals every other OS thread of the process that takes it, over and over.
static void signal_others(int self) {
  DIR *threads = opendir("/proc/self/task");
  for (struct dirent *thread; threads != NULL && (thread = readdir(threads)) != NULL;) {
    const int id = atoi(thread->d_name);
    if (id == 0 || id == self || !takes_signals(id)) continue;
    for (int i = 0; i < 20; ++i) {
      syscall(SYS_tgkill, getpid(), id, SIGPROF);
      const struct timespec moment = {0, 20000};
      nanosleep(&moment, NULL);
    }
  }
  if (threads != NULL) closedir(threads);
}

static void *send_signals(void *unused) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  while (!ended) signal_others((int)syscall(SYS_gettid));
  return unused;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data) {
  (void)device, (void)tool_data;
  get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigaction(SIGPROF, &action, NULL);
  return pthread_create(&sender, NULL, send_signals, NULL) == 0;
}

static void finalize(ompt_data_t *tool_data) {
  (void)tool_data;
  ended = 1;
  pthread_join(sender, NULL);
  signal(SIGPROF, SIG_IGN);
  printf("asker: asked %ld known %ld waiting %ld\n", (long)asked, (long)known, (long)waiting);
  fflush(stdout);
  if (wrong != 0) fprintf(stderr, "asker: %ld wrong answers, the last: %s\n", (long)wrong, what);
  if (wrong != 0 || known == 0) _exit(1);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
