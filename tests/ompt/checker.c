// SPDX-License-Identifier: Apache-2.0
// A tool that holds what it is told against OpenMP 5.2 §19: begins and ends are pairs, data stay where they were put,
// frames lie on the stack as calls do, return addresses lie in the program's file. At the end it writes one line
// `ompt: NAME COUNT` for each kind of event, and `ompt: wrong: ...` for what was wrong; then the process fails.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kThreads = 1 << 8, kRegions = 1 << 8, kTasks = 1 << 8 };

static ompt_get_thread_data_t get_thread_data;
static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_state_t get_state;
static ompt_set_callback_t set_callback;
static ompt_get_callback_t get_callback;

#define EVENTS(X)                                                                                            \
  X(thread_begin) X(thread_end) X(parallel_begin) X(parallel_end) X(task_create) X(task_schedule)            \
  X(implicit_begin) X(implicit_end) X(sync_begin) X(sync_end) X(wait_begin) X(wait_end) X(mutex_acquire)     \
  X(mutex_acquired) X(mutex_released) X(lock_init) X(lock_destroy) X(nest_lock) X(work_begin) X(work_end)    \
  X(masked_begin) X(masked_end) X(dependences) X(task_dependence) X(task_complete) X(cancel_activated) X(cancel_detected) \
  X(cancel_discarded) X(cancelled_complete) X(flush) X(control) \
  X(league_begin) X(team_begin) X(target_begin) X(wrong)
#define X(name) static atomic_long name##_count;
EVENTS(X)
#undef X

static void wrong(const char* what) {
  if (atomic_fetch_add(&wrong_count, 1) < 10) fprintf(stderr, "ompt: wrong: %s\n", what);
}

static void expect(int fact, const char* what) {
  if (!fact) wrong(what);
}

// The program's own file, without any library.
static uintptr_t code_begin, code_end;

static int find_program(struct dl_phdr_info* info, size_t size, void* unused) {
  (void)size, (void)unused;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    code_begin = info->dlpi_addr + segment->p_vaddr;
    code_end = code_begin + segment->p_memsz;
  }
  return 1;
}

static void expect_code(const void* code, const char* what) {
  expect((uintptr_t)code > code_begin && (uintptr_t)code <= code_end, what);
}

// Thread-local: the tool's own, as Archer's and EZTrace's are.
static _Thread_local ompt_data_t* own_thread;
static _Thread_local void* current_task;  // since the last event of an implicit task

// Of a task or a region; counted so that none is told of after its end.
struct Known {
  int alive;
  int syncs, waits, works, taskloops;
  int index;
};

static struct Known* make(void) { return calloc(1, sizeof(struct Known)); }
static int without_tasks;
static struct Known* known(ompt_data_t* data, const char* what) {
  static _Thread_local struct Known untold;
  if (without_tasks && data != NULL && data->ptr == NULL) {
    untold = (struct Known){1, 1, 1, 1, 1, 0};
    return &untold;
  }
  expect(data != NULL && data->ptr != NULL, what);
  static struct Known nothing;
  struct Known* found = data != NULL && data->ptr != NULL ? data->ptr : &nothing;
  expect(found->alive, what);
  return found;
}

static void expect_thread(void) {
  ompt_data_t* data = get_thread_data();
  expect(data != NULL && data->ptr != NULL, "a callback of a thread without data");
  expect(own_thread == data, "thread-local data of another thread");
}

static void on_thread_begin(ompt_thread_t kind, ompt_data_t* data) {
  ++thread_begin_count;
  expect(kind == ompt_thread_initial || kind == ompt_thread_worker, "kind of thread");
  expect(data->ptr == NULL, "a thread begins with data");
  expect(own_thread == NULL, "a thread begins twice");
  data->ptr = make();
  own_thread = data;
}

static void on_thread_end(ompt_data_t* data) {
  ++thread_end_count;
  expect(own_thread == data, "a thread ends elsewhere");
  own_thread = NULL;
}

static void on_parallel_begin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* parallel, unsigned requested,
                              int flags, const void* code) {
  ++parallel_begin_count;
  expect_thread();
  known(task, "a region's encountering task");
  expect(frame->enter_frame.ptr != NULL, "a region without the frame that it was called from");
  expect(parallel->ptr == NULL, "a region begins with data");
  expect(requested > 0, "a region asks for no thread");
  expect(((flags & ompt_parallel_team) != 0) != ((flags & ompt_parallel_league) != 0), "a region of one team, or a league");
  if (flags & ompt_parallel_league) ++league_begin_count;
  expect_code(code, "a region's code is not the program's");
  struct Known* region = make();
  region->alive = 1;
  parallel->ptr = region;
}

static void on_parallel_end(ompt_data_t* parallel, ompt_data_t* task, int flags, const void* code) {
  (void)flags;
  ++parallel_end_count;
  expect_thread();
  known(task, "a region ends in a task that is not known");
  known(parallel, "a region ends that is not known")->alive = 0;
  expect_code(code, "a region's end is not the program's");
}

// The initial task of a team, which the task that encountered the league surrounds.
static void check_team(ompt_data_t* parallel, unsigned size, unsigned index) {
  ++team_begin_count;
  expect(index < size, "number of a team");
  int answered = 0, task_flags = 0, number = -1;
  ompt_data_t *task = NULL, *outer = NULL, *region = NULL;
  ompt_frame_t* frame = NULL;
  expect(get_task_info(0, &task_flags, &task, &frame, &region, &number) == 2, "information of a team's task");
  expect(task_flags == ompt_task_initial && number == (int)index && region == parallel, "a team's task");
  expect(frame->exit_frame.ptr != NULL, "a team's task without a frame");
  expect(get_task_info(1, NULL, &outer, &frame, &region, NULL) == 2, "what encountered a league");
  expect(outer != task && region != parallel && frame->enter_frame.ptr != NULL, "the task that encountered a league");
  expect(get_parallel_info(0, &region, &answered) == 2 && region == parallel && answered == (int)size, "a league");
  expect(get_parallel_info(1, &region, &answered) == 2 && region != parallel && answered == 1, "what is around a league");
}

// The initial task of a target region, which the task that encountered it surrounds.
static void check_target(ompt_data_t* parallel) {
  ++target_begin_count;
  int size = 0, flags = 0, number = -1;
  ompt_data_t *task = NULL, *outer = NULL, *region = NULL;
  ompt_frame_t* frame = NULL;
  expect(get_task_info(0, &flags, &task, &frame, &region, &number) == 2, "information of a target region's task");
  expect(flags == ompt_task_initial && number == 0 && region == parallel, "a target region's task");
  expect(frame->exit_frame.ptr != NULL, "a target region's task without a frame");
  expect(get_task_info(1, NULL, &outer, &frame, &region, NULL) == 2, "what encountered a target region");
  expect(outer != task && region != parallel && frame->enter_frame.ptr != NULL, "the task that encountered a target region");
  expect(get_parallel_info(0, &region, &size) == 2 && region == parallel && size == 1, "what is around a target region");
  expect(get_state(NULL) == ompt_state_work_serial, "the state in a target region");
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, unsigned size,
                             unsigned index, int flags) {
  expect_thread();
  current_task = NULL;
  if (endpoint == ompt_scope_begin) {
    ++implicit_begin_count;
    expect(task->ptr == NULL, "an implicit task begins with data");
    struct Known* made = make();
    made->alive = 1;
    made->index = (int)index;
    task->ptr = made;
    if (flags & ompt_task_initial) {
      if (parallel->ptr != NULL) return check_team(parallel, size, index);
      expect(size == 1 && index == 1, "the task of an initial thread, or of a target region");
      if (get_task_info(1, NULL, NULL, NULL, NULL, NULL) != 0) check_target(parallel);
      return (void)(parallel->ptr = make(), ((struct Known*)parallel->ptr)->alive = 1);
    }
    known(parallel, "an implicit task of no region");
    expect(index < size, "number of a thread");
    int number = -1;
    ompt_frame_t* frame = NULL;
    expect(get_task_info(0, NULL, NULL, &frame, NULL, &number) == 2, "information of an implicit task");
    expect(number == (int)index, "number of an implicit task");
    expect(frame->exit_frame.ptr != NULL, "an implicit task without a frame");
  } else {
    ++implicit_end_count;
    expect(parallel == NULL && size == 0, "an implicit task ends with a region");
    struct Known* ended = known(task, "an implicit task ends that is not known");
    expect(ended->index == (int)index, "an implicit task ends as another one");
    expect(ended->syncs == 0 && ended->waits == 0 && ended->works == 0, "an implicit task ends inside of something");
    ended->alive = 0;
  }
}

static void on_task_create(ompt_data_t* parent, const ompt_frame_t* frame, ompt_data_t* task, int flags, int follows,
                           const void* code) {
  (void)follows;
  ++task_create_count;
  expect_thread();
  known(parent, "a task's parent");
  expect(frame->enter_frame.ptr != NULL, "a task without the frame that made it");
  expect(flags & ompt_task_explicit, "a task is not explicit");
  expect(task->ptr == NULL, "a task begins with data");
  expect_code(code, "a task's code is not the program's");
  struct Known* made = make();
  made->alive = 1;
  task->ptr = made;
}

static void on_task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  ++task_schedule_count;
  expect_thread();
  struct Known* left = known(prior, "a task that is left");
  if (current_task != NULL) expect(current_task == prior->ptr || current_task == next->ptr, "another task was current");
  if (status == ompt_task_complete || status == ompt_task_cancel) {
    ++task_complete_count;
    if (status == ompt_task_cancel) ++cancelled_complete_count;
    left->alive = 0;
  }
  if (next == NULL) return;
  known(next, "a task that is gone over to");
  current_task = next->ptr;
}

static void on_dependences(ompt_data_t* task, const ompt_dependence_t* list, int count) {
  ++dependences_count;
  known(task, "a task with dependences");
  expect(count > 0, "dependences");
  const ompt_dependence_type_t first = list[0].dependence_type;
  const int of_iterations = first == ompt_dependence_type_source || first == ompt_dependence_type_sink;
  expect(of_iterations || list[0].variable.ptr != NULL, "what a task depends on");
}

// The first one may be complete by now.
static void on_task_dependence(ompt_data_t* before, ompt_data_t* after) {
  ++task_dependence_count;
  expect_thread();
  expect(before->ptr != NULL && before->ptr != after->ptr, "what a task follows");
  known(after, "a task that follows another");
}

static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task,
                    const void* code) {
  expect_thread();
  struct Known* where = known(task, "a task that synchronises");
  if (endpoint == ompt_scope_begin) {
    ++sync_begin_count;
    ++where->syncs;
    known(parallel, "a region that synchronises");
    expect_code(code, "a synchronisation's code is not the program's");
  } else {
    ++sync_end_count;
    --where->syncs;
    expect(where->syncs >= 0, "an end of synchronisation without begin");
  }
  (void)kind;
}

static int state_of(ompt_sync_region_t kind) {
  switch (kind) {
    case ompt_sync_region_barrier_explicit: return ompt_state_wait_barrier_explicit;
    case ompt_sync_region_barrier_implicit_workshare: return ompt_state_wait_barrier_implicit_workshare;
    case ompt_sync_region_barrier_implicit_parallel: return ompt_state_wait_barrier_implicit_parallel;
    case ompt_sync_region_barrier_implementation: return ompt_state_wait_barrier_implementation;
    case ompt_sync_region_taskwait: return ompt_state_wait_taskwait;
    case ompt_sync_region_taskgroup: return ompt_state_wait_taskgroup;
    default: return -1;
  }
}

static void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task,
                    const void* code) {
  (void)parallel, (void)code;
  expect_thread();
  struct Known* where = known(task, "a task that waits");
  if (endpoint == ompt_scope_begin) {
    ++wait_begin_count;
    ++where->waits;
    expect(get_state(NULL) == state_of(kind), "the state of a thread that waits");
  } else {
    ++wait_end_count;
    --where->waits;
    expect(where->waits >= 0, "an end of a wait without begin");
  }
}

static void on_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void* code) {
  (void)kind, (void)hint, (void)impl;
  ++mutex_acquire_count;
  expect_thread();
  expect(id != 0, "a lock without a name");
  expect_code(code, "a lock's code is not the program's");
}

static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void* code) {
  (void)kind, (void)id, (void)code;
  ++mutex_acquired_count;
  expect_thread();
  ompt_wait_id_t wanted;
  int state = get_state(&wanted);
  expect(state == ompt_state_work_serial || state == ompt_state_work_parallel, "the state of who has a lock");
}

static void on_released(ompt_mutex_t kind, ompt_wait_id_t id, const void* code) {
  (void)kind, (void)id;
  ++mutex_released_count;
  expect_thread();
  expect_code(code, "a release is not the program's");
}

static void on_init(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void* code) {
  (void)kind, (void)hint, (void)impl, (void)id, (void)code;
  ++lock_init_count;
}
static void on_destroy(ompt_mutex_t kind, ompt_wait_id_t id, const void* code) {
  (void)kind, (void)id, (void)code;
  ++lock_destroy_count;
}
static void on_nest(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void* code) {
  (void)endpoint, (void)id, (void)code;
  ++nest_lock_count;
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task,
                    uint64_t count, const void* code) {
  (void)count;
  expect_thread();
  known(parallel, "a region that shares work");
  struct Known* where = known(task, "a task that shares work");
  expect_code(code, "a construct's code is not the program's");
  if (kind == ompt_work_taskloop) {  // in a construct that shares work, or in another one
    where->taskloops += endpoint == ompt_scope_begin ? 1 : -1;
    expect(where->taskloops >= 0, "the end of a taskloop without begin");
    return;
  }
  if (endpoint == ompt_scope_begin) {
    ++work_begin_count;
    expect(where->works++ == 0, "a construct inside of another");
  } else {
    ++work_end_count;
    expect(--where->works == 0, "the end of a construct without begin");
  }
}

static void on_dispatch(ompt_data_t* parallel, ompt_data_t* task, ompt_dispatch_t kind, ompt_data_t instance) {
  expect_thread();
  known(parallel, "a region whose work is dispatched");
  known(task, "a task that runs what is dispatched");
  if (kind == ompt_dispatch_section) {
    expect_code(instance.ptr, "a section is not the program's");
    return;
  }
  expect(((ompt_dispatch_chunk_t*)instance.ptr)->iterations > 0, "a chunk without iterations");
  ompt_data_t* current = NULL;
  expect(get_task_info(0, NULL, &current, NULL, NULL, NULL) == 2 && current == task, "what is dispatched to another task");
}

static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, const void* code) {
  (void)parallel, (void)task;
  expect_code(code, "masked is not the program's");
  if (endpoint == ompt_scope_begin)
    ++masked_begin_count;
  else
    ++masked_end_count;
}

static void on_cancel(ompt_data_t* task, int flags, const void* code) {
  expect_thread();
  known(task, "a task that is cancelled");
  const int constructs = flags & (ompt_cancel_parallel | ompt_cancel_sections | ompt_cancel_loop | ompt_cancel_taskgroup);
  expect(constructs != 0 && (constructs & (constructs - 1)) == 0, "cancellation of one construct");
  switch (flags - constructs) {
    case ompt_cancel_activated: ++cancel_activated_count; break;
    case ompt_cancel_detected: ++cancel_detected_count; break;
    case ompt_cancel_discarded_task: ++cancel_discarded_count; return;
    default: wrong("what becomes of a cancelled construct");
  }
  expect_code(code, "a cancellation is not the program's");
}
static void on_flush(ompt_data_t* thread, const void* code) {
  (void)thread, (void)code;
  ++flush_count;
}
static int on_control(uint64_t command, uint64_t modifier, void* argument, const void* code) {
  (void)argument;
  ++control_count;
  expect_code(code, "control is not the program's");
  return (int)(command * 10 + modifier);
}

static void set(ompt_callbacks_t event, ompt_callback_t callback) {
  ompt_set_result_t answer = set_callback(event, callback);
  ompt_callback_t kept = NULL;
  if (answer == ompt_set_never) return;
  expect(answer >= ompt_set_sometimes, "an event is not told of");
  expect(get_callback(event, &kept) && kept == callback, "a callback is not kept");
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* tool_data) {
  (void)device, (void)tool_data;
  dl_iterate_phdr(find_program, NULL);
  get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
  expect(lookup("ompt_no_such_function") == NULL, "a function that is none");
  set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
  set(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
  set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
  set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
  set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
  set(ompt_callback_sync_region, (ompt_callback_t)on_sync);
  set(ompt_callback_sync_region_wait, (ompt_callback_t)on_wait);
  set(ompt_callback_mutex_acquire, (ompt_callback_t)on_acquire);
  set(ompt_callback_mutex_acquired, (ompt_callback_t)on_acquired);
  set(ompt_callback_mutex_released, (ompt_callback_t)on_released);
  set(ompt_callback_lock_init, (ompt_callback_t)on_init);
  set(ompt_callback_lock_destroy, (ompt_callback_t)on_destroy);
  set(ompt_callback_nest_lock, (ompt_callback_t)on_nest);
  set(ompt_callback_work, (ompt_callback_t)on_work);
  set(ompt_callback_dispatch, (ompt_callback_t)on_dispatch);
  set(ompt_callback_masked, (ompt_callback_t)on_masked);
  set(ompt_callback_cancel, (ompt_callback_t)on_cancel);
  set(ompt_callback_flush, (ompt_callback_t)on_flush);
  set(ompt_callback_control_tool, (ompt_callback_t)on_control);
  without_tasks = getenv("CHECKER_WITHOUT_TASKS") != NULL;
  if (without_tasks) return 1;
  set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
  set(ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule);
  set(ompt_callback_dependences, (ompt_callback_t)on_dependences);
  set(ompt_callback_task_dependence, (ompt_callback_t)on_task_dependence);
  return 1;
}

static void finalize(ompt_data_t* tool_data) {
  (void)tool_data;
  const char* devices = getenv("CHECKER_DEVICES");  // their threads begin with their first region, and never end
  const int kept = devices != NULL ? atoi(devices) : 0;
  expect(kept != 0 ? thread_begin_count >= thread_end_count + kept : thread_begin_count == thread_end_count,
         "threads begin and end");
  expect(parallel_begin_count == parallel_end_count, "regions begin and end");
  expect(implicit_begin_count == implicit_end_count + kept, "implicit tasks begin and end");
  expect(sync_begin_count == sync_end_count, "synchronisations begin and end");
  expect(wait_begin_count == wait_end_count, "waits begin and end");
  expect(work_begin_count == work_end_count, "constructs begin and end");
  expect(masked_begin_count == masked_end_count, "masked begin and end");
  expect(task_create_count == task_complete_count, "tasks are made and complete");
  expect(without_tasks || cancel_discarded_count == cancelled_complete_count, "tasks that are dropped end as cancelled");
  expect(mutex_acquired_count == mutex_released_count, "locks are acquired and released");
#define X(name) printf("ompt: " #name " %ld\n", atomic_load(&name##_count));
  EVENTS(X)
#undef X
  fflush(stdout);
  if (wrong_count != 0) _exit(1);
}

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  if (version < 202011 || strncmp(runtime, "Tulle", 5) != 0) return NULL;
  return &result;
}
