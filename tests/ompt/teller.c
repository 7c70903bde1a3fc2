// SPDX-License-Identifier: Apache-2.0
// A tool that writes a line for each part of a construct, each lock and each error that it is told of.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp-tools.h>
#include <stdio.h>

// The program's, or another file's.
static const char* file_of(const void* code) {
  Dl_info info;
  return dladdr(code, &info) != 0 ? info.dli_fname : "nowhere";
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task,
                    uint64_t count, const void* code) {
  (void)parallel, (void)task, (void)code;
  printf("%s %d %lu\n", endpoint == ompt_scope_begin ? "work" : "work_end", kind, (unsigned long)count);
}

static void on_dispatch(ompt_data_t* parallel, ompt_data_t* task, ompt_dispatch_t kind, ompt_data_t instance) {
  (void)parallel;
  if (kind == ompt_dispatch_taskloop_chunk) task->value += ((ompt_dispatch_chunk_t*)instance.ptr)->iterations;
  if (kind == ompt_dispatch_section)
    printf("section %s\n", file_of(instance.ptr));
  else
    printf("chunk %d %lu %lu\n", kind, (unsigned long)((ompt_dispatch_chunk_t*)instance.ptr)->start,
           (unsigned long)((ompt_dispatch_chunk_t*)instance.ptr)->iterations);
}

static void on_dependences(ompt_data_t* task, const ompt_dependence_t* list, int count) {
  char line[200];
  int at = sprintf(line, "dependences %d", list[0].dependence_type);
  (void)task;
  for (int i = 0; i < count; ++i) at += sprintf(line + at, " %lu", (unsigned long)list[i].variable.value);
  puts(line);
}

static void on_create(ompt_data_t* parent, const ompt_frame_t* frame, ompt_data_t* task, int flags, int dependences,
                      const void* code) {
  (void)parent, (void)frame, (void)flags, (void)dependences;
  task->value = 0;
  printf("create %s\n", file_of(code));
}

static void on_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  (void)next;
  if (status == ompt_task_complete) printf("complete %lu\n", (unsigned long)prior->value);
}

static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task,
                    const void* code) {
  (void)parallel, (void)task;
  if (kind == ompt_sync_region_taskgroup) printf("group %d %s\n", endpoint, file_of(code));
}

static void on_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void* code) {
  (void)hint, (void)impl;
  printf("acquire %d %lx %s\n", kind, (unsigned long)id, file_of(code));
}
static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void* code) {
  printf("acquired %d %lx %s\n", kind, (unsigned long)id, file_of(code));
}
static void on_released(ompt_mutex_t kind, ompt_wait_id_t id, const void* code) {
  printf("released %d %lx %s\n", kind, (unsigned long)id, file_of(code));
}
static void on_error(ompt_severity_t severity, const char* message, size_t length, const void* code) {
  printf("error %d %zu %s %s\n", severity, length, file_of(code), message);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_work, (ompt_callback_t)on_work);
  set(ompt_callback_dispatch, (ompt_callback_t)on_dispatch);
  set(ompt_callback_dependences, (ompt_callback_t)on_dependences);
  set(ompt_callback_task_create, (ompt_callback_t)on_create);
  set(ompt_callback_task_schedule, (ompt_callback_t)on_schedule);
  set(ompt_callback_sync_region, (ompt_callback_t)on_sync);
  set(ompt_callback_mutex_acquire, (ompt_callback_t)on_acquire);
  set(ompt_callback_mutex_acquired, (ompt_callback_t)on_acquired);
  set(ompt_callback_mutex_released, (ompt_callback_t)on_released);
  return set(ompt_callback_error, (ompt_callback_t)on_error) == ompt_set_always;
}

static void finalize(ompt_data_t* data) { (void)data; }

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
