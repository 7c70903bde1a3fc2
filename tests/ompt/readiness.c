// SPDX-License-Identifier: Apache-2.0
// A tool that asks for Tulle's own events: what gives its worker up goes on, and could have since some moment between the
// two; a task with dependences is ready once, before it begins. Writes `readiness: resumed R since S ready T` at the end.
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kSuspended = 40, kResumed = 41, kTaskReady = 42 };
enum { kUntold, kFollows, kReady, kBegun };  // of a task with dependences

static atomic_long suspended, resumed, since, ready, wrong;

static void expect(int fact, const char *what) {
  if (fact) return;
  if (atomic_fetch_add(&wrong, 1) < 10) fprintf(stderr, "readiness: wrong: %s\n", what);
}

static uint64_t ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  uint64_t count;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#endif
}

static uint64_t begin;

static void on_suspended(void) { ++suspended; }

static void on_resumed(uint64_t moment) {
  ++resumed;
  if (moment == 0) return;
  ++since;
  expect(moment > begin && moment <= ticks(), "a moment that was not");
}

static void on_task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task, int flags, int follows,
                           const void *code) {
  (void)parent, (void)frame, (void)flags, (void)code;
  task->value = follows ? kFollows : kUntold;
}

static void on_task_ready(ompt_data_t *task) {
  ++ready;
  expect(task->value == kFollows, "a task is ready that has nothing to follow, twice, or after its begin");
  task->value = kReady;
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  (void)prior, (void)status;
  if (next != NULL && next->value != kUntold) next->value = kBegun;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data) {
  (void)device, (void)tool_data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  int (*set_own)(int, ompt_callback_t) = (int (*)(int, ompt_callback_t))lookup("tulle_set_callback");
  if (set_own == NULL) return 0;
  begin = ticks();
  expect(set((ompt_callbacks_t)kSuspended, (ompt_callback_t)on_suspended) == ompt_set_error, "they are none of OMPT's");
  expect(!set_own(39, (ompt_callback_t)on_suspended) && !set_own(44, (ompt_callback_t)on_suspended), "there are four");
  expect(set_own(kSuspended, (ompt_callback_t)on_suspended) && set_own(kResumed, (ompt_callback_t)on_resumed) &&
             set_own(kTaskReady, (ompt_callback_t)on_task_ready), "they can be had");
  set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
  set(ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule);
  return 1;
}

static void finalize(ompt_data_t *tool_data) {
  (void)tool_data;
  expect(resumed >= suspended, "what was suspended goes on");
  expect(since == resumed, "it was ready before");
  printf("readiness: resumed %ld since %ld ready %ld\n", (long)resumed, (long)since, (long)ready);
  fflush(stdout);
  if (wrong != 0) _exit(1);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
