// SPDX-License-Identifier: Apache-2.0
// A tool whose callbacks do nothing: what is left is what it costs to call them. With EMPTY_RECORDS it registers only for
// what never comes: tasks have records then, and nothing is called. With EMPTY_LEAVES it leaves when the first region ends.
#include <omp-tools.h>
#include <stdlib.h>

static ompt_finalize_tool_t leave;

static void on_thread_begin(ompt_thread_t kind, ompt_data_t *data) { (void)kind, (void)data; }
static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned requested,
                              int flags, const void *code) {
  (void)task, (void)frame, (void)parallel, (void)requested, (void)flags, (void)code;
}
static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code) {
  (void)parallel, (void)task, (void)flags, (void)code;
  if (leave != NULL) leave();
}
static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned size,
                             unsigned index, int flags) {
  (void)endpoint, (void)parallel, (void)task, (void)size, (void)index, (void)flags;
}
static void on_task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task, int flags, int follows,
                           const void *code) {
  (void)parent, (void)frame, (void)task, (void)flags, (void)follows, (void)code;
}
static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  (void)prior, (void)status, (void)next;
}
static void on_dependences(ompt_data_t *task, const ompt_dependence_t *list, int count) {
  (void)task, (void)list, (void)count;
}
static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                    const void *code) {
  (void)kind, (void)endpoint, (void)parallel, (void)task, (void)code;
}
static void on_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *code) {
  (void)kind, (void)hint, (void)impl, (void)id, (void)code;
}
static void on_lock(ompt_mutex_t kind, ompt_wait_id_t id, const void *code) { (void)kind, (void)id, (void)code; }

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                    uint64_t count, const void *code) {
  (void)kind, (void)endpoint, (void)parallel, (void)task, (void)count, (void)code;
}
static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance) {
  (void)parallel, (void)task, (void)kind, (void)instance;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data) {
  (void)device, (void)tool_data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_dependences, (ompt_callback_t)on_dependences);
  if (getenv("EMPTY_RECORDS") != NULL) return 1;
  if (getenv("EMPTY_LEAVES") != NULL) {
    leave = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
    lookup("tulle_keep_no_thread_locals")();
  }
  set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
  set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
  set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
  set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
  set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
  set(ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule);
  set(ompt_callback_sync_region, (ompt_callback_t)on_sync);
  set(ompt_callback_sync_region_wait, (ompt_callback_t)on_sync);
  set(ompt_callback_work, (ompt_callback_t)on_work);
  set(ompt_callback_dispatch, (ompt_callback_t)on_dispatch);
  set(ompt_callback_mutex_acquire, (ompt_callback_t)on_acquire);
  set(ompt_callback_mutex_acquired, (ompt_callback_t)on_lock);
  set(ompt_callback_mutex_released, (ompt_callback_t)on_lock);
  return 1;
}

static void finalize(ompt_data_t *tool_data) { (void)tool_data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
