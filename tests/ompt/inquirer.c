// SPDX-License-Identifier: Apache-2.0
// A tool that asks what does not depend on events, at each implicit task and in a thread that is none of OpenMP's, and
// holds it against what the program's own routines say. It writes `inquirer: N asked` and what was wrong.
#define _GNU_SOURCE
#include <omp-tools.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { kRoom = 1024 };

static atomic_long asked, wrong;

static void expect(int fact, const char* what) {
  if (!fact && wrong++ < 10) printf("inquirer: wrong: %s\n", what);
}

#define ENTRIES(X)                                                                                              \
  X(enumerate_states) X(enumerate_mutex_impls) X(get_num_procs) X(get_num_places) X(get_place_proc_ids)         \
  X(get_place_num) X(get_partition_place_nums) X(get_proc_id) X(get_num_devices) X(get_target_info)             \
  X(get_task_memory) X(get_unique_id) X(get_state) X(get_thread_data)
#define X(name) static ompt_##name##_t name;
ENTRIES(X)
#undef X

static void ask_places(void) {
  int ids[kRoom], own[kRoom];
  expect(get_num_procs() == omp_get_num_procs(), "processors");
  expect(get_num_places() == omp_get_num_places(), "places");
  for (int place = 0; place < get_num_places(); ++place) {
    const int count = omp_get_place_num_procs(place);
    expect(get_place_proc_ids(place, kRoom, ids) == count, "processors of a place");
    omp_get_place_proc_ids(place, own);
    expect(memcmp(ids, own, sizeof(int) * (size_t)count) == 0, "which processors a place has");
    ids[0] = -7;
    expect(get_place_proc_ids(place, 0, ids) == count && ids[0] == -7, "no room for processors");
  }
  expect(get_place_proc_ids(-1, kRoom, ids) == 0 && get_place_proc_ids(get_num_places(), kRoom, ids) == 0, "no such place");
  const int places = get_partition_place_nums(kRoom, ids);
  expect(places == omp_get_partition_num_places(), "places of the partition");
  omp_get_partition_place_nums(own);
  expect(memcmp(ids, own, sizeof(int) * (size_t)places) == 0, "which places the partition has");
  ids[0] = -7;
  expect(get_partition_place_nums(0, ids) == places && ids[0] == -7, "no room for places");
}

// A thread that is bound, and shares its place with no other of its team, runs where that is.
static void ask_where(void) {
  const int place = get_place_num(), cpu = get_proc_id();
  expect(place == omp_get_place_num(), "the thread's place");
  expect(cpu >= 0, "the thread's processor");
  const int alone = omp_get_level() == 1 && omp_get_num_threads() > 1 && omp_get_num_threads() <= omp_get_num_places();
  if (place < 0 || !alone || omp_get_proc_bind() == omp_proc_bind_false) return;
  int ids[kRoom], found = 0;
  const int count = get_place_proc_ids(place, kRoom, ids);
  for (int i = 0; i < count; ++i) found += ids[i] == cpu;
  expect(found == 1, "a thread runs where it is bound");
}

static void ask_devices(void) {
  uint64_t device = 0, target = 0, operation = 0;
  expect(get_num_devices() == omp_get_num_devices(), "devices");
  expect(get_target_info(&device, &target, &operation) == 0, "a target region on the host");
  void* address = &device;
  size_t size = 1;
  expect(get_task_memory(&address, &size, 0) == 0 && size == 0, "memory of a task");
  static atomic_ulong last;
  const uint64_t one = get_unique_id();
  expect(one != 0 && atomic_exchange(&last, one) != one, "an identifier that is not unique");
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, unsigned size,
                             unsigned index, int flags) {
  (void)parallel, (void)task, (void)size, (void)index;
  if (endpoint != ompt_scope_begin || (flags & ompt_task_initial) != 0) return;
  ++asked;
  ask_places();
  ask_where();
  ask_devices();
}

static void* ask_outside(void* unused) {
  expect(get_place_num() == -1, "the place of a thread that is none of OpenMP's");
  expect(get_state(NULL) == ompt_state_undefined, "its state");
  expect(get_thread_data() == NULL, "its data");
  expect(get_proc_id() >= 0, "its processor");
  return unused;
}

static int is_listed(int wanted) {
  int state = ompt_state_undefined, next = 0, found = 0, steps = 0;
  for (const char* name; enumerate_states(state, &next, &name) && steps < 100; ++steps) {
    expect(strncmp(name, "ompt_state_", 11) == 0, "a state's name");
    found += next == wanted;
    state = next;
  }
  expect(steps > 5 && steps < 100, "how many states there are");
  return found;
}

static void ask_lists(void) {
  const int states[] = {ompt_state_work_serial, ompt_state_work_parallel, ompt_state_wait_barrier_implicit_parallel,
                        ompt_state_wait_barrier_explicit, ompt_state_wait_barrier_teams, ompt_state_wait_taskwait,
                        ompt_state_wait_taskgroup, ompt_state_wait_lock, ompt_state_wait_critical,
                        ompt_state_wait_atomic, ompt_state_wait_ordered};
  for (unsigned i = 0; i < sizeof states / sizeof states[0]; ++i) expect(is_listed(states[i]) == 1, "a state is not listed");
  int next;
  const char* name;
  expect(!enumerate_states(12345, &next, &name), "after a state that is none");
  expect(enumerate_mutex_impls(0, &next, &name) == 1 && next != 0 && name != NULL, "how locks wait");
  expect(enumerate_mutex_impls(next, &next, &name) == 0, "after the last way to wait");
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  (void)device, (void)data;
#define X(entry) expect((entry = (ompt_##entry##_t)lookup("ompt_" #entry)) != NULL, #entry);
  ENTRIES(X)
#undef X
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  expect(set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task) == ompt_set_always, "implicit tasks");
  ask_lists();
  return 1;
}

static void finalize(ompt_data_t* data) {
  (void)data;
  pthread_t thread;
  pthread_create(&thread, NULL, ask_outside, NULL);
  pthread_join(thread, NULL);
  expect(asked > 0, "nobody asked");
  printf("inquirer: %ld asked\n", (long)asked);
  fflush(stdout);
  if (wrong != 0) _exit(1);
}

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
