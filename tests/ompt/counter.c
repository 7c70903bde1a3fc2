// SPDX-License-Identifier: Apache-2.0
// A second tool: it keeps data of its own at regions, beside another one's, and writes how many regions it saw. With
// COUNTER_CALLS it calls the runtime while it registers; with COUNTER_REFUSES it does not stay.
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

int omp_get_max_threads(void);

static atomic_long regions, wrong;

static void on_begin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* parallel, unsigned requested, int flags,
                     const void* code) {
  (void)task, (void)frame, (void)requested, (void)flags, (void)code;
  if (parallel->value != 0) ++wrong;
  parallel->value = (uint64_t)++regions;
}

static void on_end(ompt_data_t* parallel, ompt_data_t* task, int flags, const void* code) {
  (void)task, (void)flags, (void)code;
  if (parallel->value == 0) ++wrong;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* tool_data) {
  (void)device;
  if (getenv("COUNTER_CALLS") != NULL && omp_get_max_threads() < 1) ++wrong;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_parallel_begin, (ompt_callback_t)on_begin);
  set(ompt_callback_parallel_end, (ompt_callback_t)on_end);
  tool_data->value = 42;
  return getenv("COUNTER_REFUSES") == NULL;
}

static void finalize(ompt_data_t* tool_data) {
  if (tool_data->value != 42) ++wrong;
  printf("counter: regions %ld wrong %ld\n", (long)regions, (long)wrong);
}

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
