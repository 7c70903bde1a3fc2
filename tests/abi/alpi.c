/* SPDX-License-Identifier: Apache-2.0 */
/* ALPI 1.2 as a task-aware library uses it (include/tulle/alpi.h): a spawned task tells those that wait, tasks block
   until then, and have their ends held back. Argument: threads. */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "clock.h"
#include "tulle/alpi.h"

enum { kTasks = 64, kCalls = 5 };

static void expect(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "alpi: %s\n", what);
  exit(1);
}

/* What is told when: blocked tasks once all have come, events once those that follow could have run. */
static struct {
  _Atomic(struct alpi_task *) blocked[kTasks], held[kTasks];
  atomic_int waiting, wanted, told, ended, body_calls, completed, stop;
  struct alpi_task *self;
} outside;

static int tell(_Atomic(struct alpi_task *) *tasks, int (*how)(struct alpi_task *)) {
  int count = 0;
  for (int i = kTasks - 1; i >= 0; --i) {
    struct alpi_task *task = atomic_exchange(&tasks[i], NULL);
    if (task == NULL) continue;
    atomic_fetch_add(&outside.told, 1);
    expect(how(task) == ALPI_SUCCESS, "a task is told");
    ++count;
  }
  return count;
}

static int end_event(struct alpi_task *task) { return alpi_task_events_decrease(task, 2); }

/* Is called again each 100 us until it is to stop. */
static void poll_outside(void *data) {
  struct alpi_task *self = NULL;
  expect(data == &outside && alpi_task_self(&self) == ALPI_SUCCESS, "a spawned task is a task");
  atomic_fetch_add(&outside.body_calls, 1);
  expect(outside.self == NULL || outside.self == self, "it stays itself");
  outside.self = self;
  if (atomic_load(&outside.waiting) == atomic_load(&outside.wanted)) tell(outside.blocked, alpi_task_unblock);
  if (atomic_load(&outside.ended)) tell(outside.held, end_event);
  if (atomic_load(&outside.stop)) return;
  expect(alpi_task_suspend_mode_set(self, ALPI_SUSPEND_TIMEOUT_SUBMIT, 100000) == ALPI_SUCCESS, "a mode");
  expect(alpi_task_suspend(self) == ALPI_SUCCESS, "it is called again");
}

static void end_polling(void *data) {
  expect(data == &outside, "completion has its data");
  atomic_store(&outside.completed, 1);
}

static void begin(int wanted) {
  atomic_store(&outside.waiting, 0);
  atomic_store(&outside.told, 0);
  atomic_store(&outside.ended, 0);
  atomic_store(&outside.wanted, wanted);
}

static void block(int number) {
  struct alpi_task *self, *same;
  expect(alpi_task_self(&self) == ALPI_SUCCESS && self != NULL, "a task is one");
  atomic_store(&outside.blocked[number], self);
  atomic_fetch_add(&outside.waiting, 1);
  expect(alpi_task_block(self) == ALPI_SUCCESS, "a task blocks");
  expect(alpi_task_self(&same) == ALPI_SUCCESS && same == self, "it stays itself");
}

/* None is told before all have begun, however few threads there are; three times each. */
static void tasks_block(int threads) {
  begin(kTasks);
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i)
    {
      block(i);
      struct alpi_task *self;
      alpi_task_self(&self);
      for (int again = 0; again < 2; ++again) {
        expect(alpi_task_unblock(self) == ALPI_SUCCESS, "it may be told before");
        expect(alpi_task_block(self) == ALPI_SUCCESS, "and does not wait then");
      }
    }
  }
  expect(atomic_load(&outside.told) == kTasks, "each task was told");
}

static void initial_task_blocks(void) {
  begin(1);
  block(0);
  expect(atomic_load(&outside.told) == 1, "the initial task was told");
}

static void threads_block(int threads) {
  begin(threads);
#pragma omp parallel num_threads(threads)
  block(omp_get_thread_num());
  expect(atomic_load(&outside.told) == threads, "each thread was told");
}

/* Followers run when the events have come, which do when all bodies have ended. */
static void ends_are_held(int threads) {
  int bodies = 0, data[kTasks];
  begin(-1);
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i) shared(bodies, data) depend(out : data[i])
      {
        struct alpi_task *self;
        uint64_t has = 7;
        alpi_task_self(&self);
        expect(alpi_task_events_test(self, &has) == ALPI_SUCCESS && has == 0, "no events yet");
        expect(alpi_task_events_increase(self, 2) == ALPI_SUCCESS, "events are announced");
        expect(alpi_task_events_test(self, &has) == ALPI_SUCCESS && has == 1, "there are events");
        int before;
        data[i] = i;
#pragma omp atomic capture
        before = ++bodies;
        atomic_store(&outside.held[i], self);
        if (before == kTasks) atomic_store(&outside.ended, 1);
      }
#pragma omp task firstprivate(i) shared(data) depend(in : data[i])
      expect(data[i] == i && atomic_load(&outside.ended) && atomic_load(&outside.told) > 0, "who follows comes after the event");
    }
#pragma omp taskwait
    expect(atomic_load(&outside.told) == kTasks, "all ends were held");
  }
}

static double seconds_of_sleepers(int threads) {
  double start = seconds();
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task
    {
      uint64_t slept = 0;
      expect(alpi_task_waitfor_ns(2000000, &slept) == ALPI_SUCCESS && slept >= 2000000, "as long as asked");
    }
  }
  return seconds() - start;
}

/* Sleepers do not keep the core from others: sixty-four times 2 ms take as long as few do, unless others have the core. */
static void tasks_sleep(int threads) {
  enum { kAttempts = 8 };
  int beside = 0;
  for (int i = 0; i < kAttempts && !beside; ++i) beside = seconds_of_sleepers(threads) < kTasks * 2e-3 / 2;
  expect(beside, "they sleep beside each other");
}

static void modes(void *data) {
  struct alpi_task *self;
  uint64_t has;
  int *calls = data;
  alpi_task_self(&self);
  switch ((*calls)++) {
    case 0:
      alpi_task_suspend_mode_set(self, ALPI_SUSPEND_SUBMIT, 1);
      break;
    case 1:
      alpi_task_suspend_mode_set(self, ALPI_SUSPEND_NONE, 0);
      alpi_task_unblock(self);
      break;
    case 2:
      alpi_task_suspend_mode_set(self, ALPI_SUSPEND_EVENT_SUBMIT, 0);
      expect(alpi_task_events_increase(self, 3) == ALPI_SUCCESS, "a spawned task's events");
      expect(alpi_task_events_test(self, &has) == ALPI_SUCCESS && has == 1, "which it has");
      atomic_store(&outside.held[0], self);
      break;
    case 3:
      expect(alpi_task_events_test(self, &has) == ALPI_SUCCESS && has == 0, "they have come");
      alpi_task_suspend_mode_set(self, ALPI_SUSPEND_TIMEOUT_SUBMIT, 1000);
      break;
    default: return;
  }
  expect(alpi_task_suspend(self) == ALPI_SUCCESS, "it is called again");
}

static void note_completion(void *flag) { atomic_store((atomic_int *)flag, 1); }

static void spawned_tasks_are_called_again(void) {
  int calls = 0;
  atomic_int completed = 0;
  atomic_store(&outside.held[0], NULL);
  expect(alpi_task_spawn(modes, &calls, note_completion, &completed, "a label that is long", NULL) == ALPI_SUCCESS,
         "a task is spawned");
  struct alpi_task *held;
  while ((held = atomic_exchange(&outside.held[0], NULL)) == NULL) alpi_task_waitfor_ns(100000, NULL);
  alpi_task_events_decrease(held, 3);
  while (!atomic_load(&completed)) alpi_task_waitfor_ns(100000, NULL);
  expect(calls == kCalls, "its body was called in each mode");
}

static void says_its_name(void *name) { prctl(PR_GET_NAME, name); }

static void named(void) {
  char name[16] = "";
  atomic_int completed = 0;
  alpi_task_spawn(says_its_name, name, note_completion, &completed, "a label that is long", NULL);
  while (!atomic_load(&completed)) alpi_task_waitfor_ns(100000, NULL);
  expect(strcmp(name, "a label that is") == 0, "the OS thread bears the label");
}

static void answers(void) {
  int major = 0, minor = 0, length = 0;
  char text[64];
  uint64_t count = 0, id = 99999, size = 0;
  struct alpi_attr *attr = NULL;
  expect(alpi_version_get(&major, &minor) == ALPI_SUCCESS && major == 1 && minor == 2, "version 1.2");
  expect(alpi_version_check(1, 0) == ALPI_SUCCESS && alpi_version_check(1, 2) == ALPI_SUCCESS, "older ones do");
  expect(alpi_version_check(1, 3) == ALPI_ERR_VERSION && alpi_version_check(2, 0) == ALPI_ERR_VERSION, "newer do not");
  expect(alpi_feature_check(ALPI_FEATURE_BLOCKING | ALPI_FEATURE_EVENTS | ALPI_FEATURE_RESOURCES |
                            ALPI_FEATURE_SUSPEND) == ALPI_SUCCESS, "all features");
  expect(alpi_feature_check(1 << 9) == ALPI_ERR_FEATURE_UNKNOWN, "and no other");
  expect(alpi_info_get(ALPI_INFO_RUNTIME_NAME, text, sizeof text, &length) == ALPI_SUCCESS &&
         strcmp(text, "Tulle") == 0 && length == 5, "its name");
  expect(alpi_info_get(ALPI_INFO_RUNTIME_VENDOR, text, 3, &length) == ALPI_SUCCESS && strcmp(text, "Tu") == 0 &&
         length == 2, "cut off");
  expect(alpi_info_get(ALPI_INFO_VERSION, text, sizeof text, NULL) == ALPI_SUCCESS && text[0] != 0, "its version");
  expect(alpi_cpu_count(&count) == ALPI_SUCCESS && count >= 1, "CPUs");
  expect(alpi_cpu_logical_id(&id) == ALPI_SUCCESS && id < count, "one of them");
  expect(alpi_cpu_system_id(&id) == ALPI_SUCCESS && id < 8192, "by its number");
  expect(alpi_attr_create(&attr) == ALPI_SUCCESS && alpi_attr_init(attr) == ALPI_SUCCESS &&
         alpi_attr_destroy(attr) == ALPI_SUCCESS && alpi_attr_size(&size) == ALPI_SUCCESS && size > 0, "attributes");
  expect(strlen(alpi_error_string(ALPI_ERR_PARAMETER)) > 0 &&
         strcmp(alpi_error_string(ALPI_ERR_MAX), "Error code not recognized") == 0, "errors have texts");
}

/* Whoever is told the number of a CPU is alone with it, however many OS threads there are, until it comes back to the
   runtime. Of those here each computes for longer than it has a core at once. */
static void cpus_are_ones_own(int threads) {
  enum { kUses = 8, kMostCpus = 4096 };
  static atomic_int used[kMostCpus];
  const double kComputes = 0.003;
  int together = 0;
#pragma omp parallel num_threads(threads) reduction(+ : together)
  for (int i = 0; i < kUses; ++i) {
    uint64_t id, again;
    expect(alpi_cpu_logical_id(&id) == ALPI_SUCCESS && id < kMostCpus, "a CPU");
    together += atomic_fetch_add(&used[id], 1);
    compute_for(kComputes);
    together += atomic_fetch_sub(&used[id], 1) - 1;
    expect(alpi_cpu_logical_id(&again) == ALPI_SUCCESS && again == id, "the same while nothing else is called");
#pragma omp taskyield
#pragma omp barrier
  }
  expect(together == 0, "nobody else is told the number of a CPU that is in use");
}

/* Each is refused, and nothing happens. */
static void bad_input(void) {
  struct alpi_task *self, *other = (struct alpi_task *)(void *)&outside;
  uint64_t number;
  expect(alpi_task_self(NULL) == ALPI_ERR_PARAMETER && alpi_version_get(NULL, NULL) == ALPI_ERR_PARAMETER, "null");
  expect(alpi_task_block(NULL) == ALPI_ERR_PARAMETER && alpi_task_unblock(NULL) == ALPI_ERR_PARAMETER, "no task");
  expect(alpi_task_block(other) == ALPI_ERR_PARAMETER, "another task's block");
  expect(alpi_task_self(&self) == ALPI_SUCCESS, "self");
  expect(alpi_task_events_increase(self, 1) == ALPI_ERR_OUTSIDE_TASK, "an implicit task's events");
  expect(alpi_task_events_increase(other, 1) == ALPI_ERR_PARAMETER, "another task's events");
  expect(alpi_task_events_test(other, &number) == ALPI_ERR_PARAMETER &&
         alpi_task_events_decrease(NULL, 1) == ALPI_ERR_PARAMETER, "nobody's events");
  expect(alpi_task_suspend(self) == ALPI_ERR_OUTSIDE_TASK && alpi_task_suspend(other) == ALPI_ERR_PARAMETER &&
         alpi_task_suspend_mode_set(self, ALPI_SUSPEND_SUBMIT, 0) == ALPI_ERR_OUTSIDE_TASK &&
         alpi_task_suspend_mode_set(self, (alpi_suspend_mode_t)77, 0) == ALPI_ERR_PARAMETER, "no body to call again");
  expect(alpi_task_spawn(NULL, NULL, note_completion, NULL, NULL, NULL) == ALPI_ERR_PARAMETER &&
         alpi_task_spawn(modes, NULL, NULL, NULL, NULL, NULL) == ALPI_ERR_PARAMETER, "no body to spawn");
  expect(alpi_info_get((alpi_info_t)9, NULL, 0, NULL) == ALPI_ERR_PARAMETER && alpi_cpu_count(NULL) == ALPI_ERR_PARAMETER
         && alpi_cpu_logical_id(NULL) == ALPI_ERR_PARAMETER && alpi_cpu_system_id(NULL) == ALPI_ERR_PARAMETER &&
         alpi_attr_create(NULL) == ALPI_ERR_PARAMETER && alpi_attr_init(NULL) == ALPI_ERR_PARAMETER &&
         alpi_attr_destroy(NULL) == ALPI_ERR_PARAMETER && alpi_attr_size(NULL) == ALPI_ERR_PARAMETER, "nowhere to write");
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 1;
  answers();
  bad_input();
  spawned_tasks_are_called_again();
  named();
  cpus_are_ones_own(threads);
  begin(-1);
  expect(alpi_task_spawn(poll_outside, &outside, end_polling, &outside, "poller", NULL) == ALPI_SUCCESS, "spawned");
  for (int round = 0; round < 3; ++round) {
    tasks_block(threads);
    threads_block(threads);
    initial_task_blocks();
    ends_are_held(threads);
    tasks_sleep(threads);
  }
  atomic_store(&outside.stop, 1);
  while (!atomic_load(&outside.completed)) alpi_task_waitfor_ns(1000000, NULL);
  expect(atomic_load(&outside.body_calls) > 1, "the poller was called again and again");
  puts("told");
  return 0;
}
