// SPDX-License-Identifier: Apache-2.0
// A tool that looks which OS thread runs a member, from its begin to where it waits for the end of its region: it writes how
// often that changed, out of how many looks. PINNED_STAYS: then it must not have.
#define _GNU_SOURCE
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long looks, moves;

static void look(ompt_data_t* task) {
  const uint64_t here = (uint64_t)syscall(SYS_gettid);
  if (task->value != here) ++moves;
  task->value = here;
  ++looks;
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, unsigned size,
                             unsigned index, int flags) {
  (void)parallel, (void)size, (void)index;
  // Members that have ended are told of by another OS thread.
  if (endpoint == ompt_scope_begin && (flags & ompt_task_implicit)) task->value = (uint64_t)syscall(SYS_gettid);
}

static void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task,
                    const void* code) {
  (void)parallel, (void)code, (void)endpoint;
  if (kind == ompt_sync_region_barrier_explicit && task->value != 0) look(task);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
  return set(ompt_callback_sync_region_wait, (ompt_callback_t)on_wait) != ompt_set_never;
}

static void finalize(ompt_data_t* data) {
  (void)data;
  printf("pinned: %ld moves, %ld looks\n", (long)moves, (long)looks);
  fflush(stdout);
  if (looks == 0 || (getenv("PINNED_STAYS") != NULL && moves != 0)) _exit(1);
}

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
