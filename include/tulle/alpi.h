/* SPDX-License-Identifier: Apache-2.0 */
/* ALPI 1.2, the interface by which task-aware libraries (TAMPI, TAGASPI) find a tasking runtime: each looks the
   functions up by name, so that it needs no header of Tulle's. This one is for libraries that are written against
   it. Errors are results; none of these ends the process. docs/mpi.md says what is OpenMP's part in it. */
#ifndef TULLE_ALPI_H
#define TULLE_ALPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ALPI_VERSION_MAJOR 1
#define ALPI_VERSION_MINOR 2

/* Of alpi_feature_check(). */
#define ALPI_FEATURE_BLOCKING (1 << 0)
#define ALPI_FEATURE_EVENTS (1 << 1)
#define ALPI_FEATURE_RESOURCES (1 << 2)
#define ALPI_FEATURE_SUSPEND (1 << 3)

struct alpi_task; /* a task, implicit or explicit, or one that was spawned here; valid while it lives */
struct alpi_attr; /* attributes of a spawned task: none so far */

typedef enum {
  ALPI_SUCCESS = 0,
  ALPI_ERR_VERSION,
  ALPI_ERR_NOT_INITIALIZED,
  ALPI_ERR_PARAMETER,
  ALPI_ERR_OUT_OF_MEMORY,
  ALPI_ERR_OUTSIDE_TASK,
  ALPI_ERR_UNKNOWN,
  ALPI_ERR_FEATURE_UNKNOWN,
  ALPI_ERR_MAX
} alpi_error_t;

typedef enum { ALPI_INFO_RUNTIME_NAME, ALPI_INFO_RUNTIME_VENDOR, ALPI_INFO_VERSION } alpi_info_t;

const char *alpi_error_string(alpi_error_t error);
/* Cut off at max_length, null byte included; *length, where it is asked for, does not count that. */
int alpi_info_get(alpi_info_t query, char *buffer, size_t max_length, int *length);
int alpi_feature_check(int features);
int alpi_version_check(int major, int minor);
int alpi_version_get(int *major, int *minor);

/* The calling task; the initial one of its OS thread outside of all regions. */
int alpi_task_self(struct alpi_task **task);

/* The calling task gives its core to others until it is unblocked, which may be before; from any OS thread. */
int alpi_task_block(struct alpi_task *task);
int alpi_task_unblock(struct alpi_task *task);
/* The same for about so many nanoseconds. */
int alpi_task_waitfor_ns(uint64_t target_ns, uint64_t *actual_ns);

/* The calling task is complete when its body has ended and as many events have come, from any OS thread, as it
   has announced. Explicit tasks and spawned ones only: the end of an implicit task is its region's. */
int alpi_task_events_increase(struct alpi_task *task, uint64_t increment);
int alpi_task_events_decrease(struct alpi_task *task, uint64_t decrement);
int alpi_task_events_test(struct alpi_task *task, uint64_t *has_events);

int alpi_attr_create(struct alpi_attr **attr);
int alpi_attr_destroy(struct alpi_attr *attr);
int alpi_attr_init(struct alpi_attr *attr);
int alpi_attr_size(uint64_t *attr_size);

/* A task beside all regions, on an OS thread of its own, which bears the label as its name. `completed` is called
   there once the body has returned and no events are left. */
int alpi_task_spawn(void (*body)(void *), void *body_args, void (*completed)(void *), void *completed_args,
                    const char *label, const struct alpi_attr *attr);

typedef enum {
  ALPI_SUSPEND_NONE = 0,       /* until it is unblocked */
  ALPI_SUSPEND_SUBMIT,         /* at once; argument 1: after others */
  ALPI_SUSPEND_TIMEOUT_SUBMIT, /* after so many nanoseconds */
  ALPI_SUSPEND_EVENT_SUBMIT    /* when it has no events left */
} alpi_suspend_mode_t;

/* The body of the calling task is called again after it has returned, when the mode says. Spawned tasks only: what
   a compiler made may have destroyed its copies. */
int alpi_task_suspend_mode_set(struct alpi_task *task, alpi_suspend_mode_t mode, uint64_t argument);
int alpi_task_suspend(struct alpi_task *task);

/* CPUs that the process may use, when this was asked first. A number below that, which no other OS thread is told before
   the caller calls or returns to the runtime: where there are more OS threads than CPUs, some wait for one. What the CPU
   that carries the caller is called by the system. */
int alpi_cpu_count(uint64_t *count);
int alpi_cpu_logical_id(uint64_t *logical_id);
int alpi_cpu_system_id(uint64_t *system_id);

#ifdef __cplusplus
}
#endif

#endif
