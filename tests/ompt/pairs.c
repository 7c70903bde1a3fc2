// SPDX-License-Identifier: Apache-2.0
// A tool that writes which tasks follow which: `pair A B` for each task_dependence, tasks numbered as they are made.
// omp_control_tool answers how many pairs there were.
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_long tasks, pairs;

static void on_task_create(ompt_data_t* parent, const ompt_frame_t* frame, ompt_data_t* task, int flags, int follows,
                           const void* code) {
  (void)parent, (void)frame, (void)flags, (void)follows, (void)code;
  task->value = (uint64_t)++tasks;
}

static void on_task_dependence(ompt_data_t* before, ompt_data_t* after) {
  printf("pair %lu %lu\n", (unsigned long)before->value, (unsigned long)after->value);
  ++pairs;
}

static int on_control(uint64_t command, uint64_t modifier, void* argument, const void* code) {
  (void)command, (void)modifier, (void)argument, (void)code;
  return (int)pairs;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_control_tool, (ompt_callback_t)on_control);
  set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
  return set(ompt_callback_task_dependence, (ompt_callback_t)on_task_dependence) == ompt_set_sometimes;
}

static void finalize(ompt_data_t* data) { (void)data; }

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
