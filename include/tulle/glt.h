/* SPDX-License-Identifier: Apache-2.0 */
/* Generic Lightweight Threads: the interface of Castelló et al. (Euro-Par 2017) for programs that are written to
   user-level threads by hand, over Tulle's. A program that includes glt.h is built against this one with
   -I.../include/tulle -ltulle-glt (pkg-config tulle-glt). docs/glt.md says what differs from other libraries.

   A GLT_thread is an OS thread that carries work units: GLT_ult, which have a stack and may wait, and
   GLT_tasklet, which are called and should not. Thread 0 is the caller of glt_init(), whose own frames are a work
   unit of that thread. A work unit stays at its thread unless it migrates. Functions marked "waits" let other work
   units of the thread go on meanwhile; they, and those that create, are for work units only. Misuse ends the
   process with one line. */
#ifndef TULLE_GLT_H
#define TULLE_GLT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tulle_glt_unit *GLT_ult;
typedef struct tulle_glt_unit *GLT_tasklet;
typedef struct tulle_glt_thread *GLT_thread;
typedef struct tulle_glt_mutex *GLT_mutex;
typedef struct tulle_glt_barrier *GLT_barrier;
typedef struct tulle_glt_cond *GLT_cond;
typedef struct tulle_glt_timer *GLT_timer;
typedef struct tulle_glt_key *GLT_key;
typedef struct tulle_glt_future *GLT_future;
typedef int GLT_bool;
typedef int GLT_thread_id;
typedef uint64_t GLT_ult_id;

#define GLT_NULL NULL
#define GLT_UNIT_NULL NULL
#define GLT_TRUE 1
#define GLT_FALSE 0
#define GLT_SUCCESS 0

/* Starts GLT_NUM_THREADS threads (environment), or as many as the process may use CPUs. Once, before all else;
   again after glt_finalize(). */
void glt_init(int argc, char *argv[]);
/* Waits until no work unit is left, and ends the threads. By the caller of glt_init(). */
void glt_finalize(void);

int glt_get_thread_num(void); /* -1: the OS thread is none of GLT's */
int glt_get_num_threads(void);
void glt_workunit_get_thread_id(GLT_thread_id *id);

/* Work units. create: at the caller's thread; create_to: at thread `dest`. A handle is good until it is freed;
   to free waits as to join does, and sets it to GLT_NULL. Arrays by malloc are the caller's, to be given to free(). */
GLT_ult *glt_ult_malloc(int number_of_ult);
GLT_tasklet *glt_tasklet_malloc(int number_of_tasklets);
void glt_ult_create(void (*thread_func)(void *), void *arg, GLT_ult *new_ult);
void glt_ult_create_to(void (*thread_func)(void *), void *arg, GLT_ult *new_ult, int dest);
void glt_tasklet_create(void (*thread_func)(void *), void *arg, GLT_tasklet *new_tasklet);
void glt_tasklet_create_to(void (*thread_func)(void *), void *arg, GLT_tasklet *new_tasklet, int dest);
void glt_yield(void);                         /* waits */
void glt_yield_to(GLT_ult ult);               /* waits; as glt_yield() if it is not ready at this thread */
void glt_ult_join(GLT_ult *ult);              /* waits */
void glt_tasklet_join(GLT_tasklet *tasklet);  /* waits */
void glt_ult_free(GLT_ult *ult);              /* waits */
void glt_tasklet_free(GLT_tasklet *tasklet);  /* waits */
void glt_ult_get_id(GLT_ult_id *id, GLT_ult ult);
void glt_ult_self(GLT_ult *ult);
void glt_tasklet_self(GLT_tasklet *tasklet);
/* Goes on at another thread. The caller of glt_init() stays where it is. */
void glt_ult_migrate_self_to(GLT_thread_id id);
void glt_ult_exit(void);
/* A unit that has not begun is not called. One that has ends where it yields or joins. */
void glt_ult_cancel(GLT_ult ult);
void glt_tasklet_cancel(GLT_tasklet tasklet);

void glt_mutex_create(GLT_mutex *mutex);
void glt_mutex_free(GLT_mutex *mutex);
void glt_mutex_lock(GLT_mutex mutex); /* waits; in the order of arrival */
void glt_mutex_unlock(GLT_mutex mutex);
int glt_mutex_trylock(GLT_mutex mutex); /* GLT_TRUE: it is the caller's */
/* Looks for a while before it waits. */
void glt_mutex_spinlock(GLT_mutex mutex); /* waits */

void glt_barrier_create(int num_waiters, GLT_barrier *barrier);
void glt_barrier_free(GLT_barrier *barrier);
void glt_barrier_wait(GLT_barrier *barrier); /* waits */

void glt_cond_create(GLT_cond *cond);
void glt_cond_free(GLT_cond *cond);
void glt_cond_wait(GLT_cond cond, GLT_mutex mutex); /* waits */
void glt_cond_signal(GLT_cond cond);
void glt_cond_broadcast(GLT_cond cond);

double glt_get_wtime(void);
void glt_timer_create(GLT_timer *timer);
void glt_timer_free(GLT_timer *timer);
void glt_timer_start(GLT_timer timer);
void glt_timer_stop(GLT_timer timer);
void glt_timer_get_secs(GLT_timer timer, double *secs);

/* Values of work units. The destructor is called as a unit ends, for what is not null. */
void glt_key_create(void (*destructor)(void *value), GLT_key *newkey);
void glt_key_free(GLT_key *key);
void glt_key_set(GLT_key key, void *value);
void glt_key_get(GLT_key key, void **value);

/* What is there of the following: nonzero: it works. */
int glt_can_event_functions(void);  /* 0 */
int glt_can_future_functions(void); /* 1 */
int glt_can_manage_scheduler(void); /* 0 */
int glt_can_scheduler(void);        /* the same */
int glt_can_malleability(void);     /* 1 */

#ifndef CORE

/* A buffer that is filled once. The value is good until the future is freed. */
void glt_future_create(int nbytes, GLT_future *newfuture);
void glt_future_free(GLT_future *future);
void glt_future_wait(GLT_future future, void **value); /* waits */
void glt_future_set(GLT_future future, void *value, int nbytes);

/* A thread that is disabled runs nothing until it is enabled: what it has goes to the next one that is not. Thread
   0 cannot be disabled. Without an id: the caller's thread goes on, with one thread fewer, or more, behind it. */
void glt_thread_enable(void);
void glt_thread_disable(void);
void glt_thread_enable_id(int thread_id);
void glt_thread_disable_id(int thread_id);

/* Programs' own schedulers and callbacks of a library's events cannot be over Tulle, which glt_can_manage_scheduler()
   and glt_can_event_functions() say. Who calls one of these is told so on standard error; results are null. */
typedef void *GLT_sched;
typedef void *GLT_sched_config;
typedef enum { GLT_SCHED_CONFIG_INT, GLT_SCHED_CONFIG_DOUBLE, GLT_SCHED_CONFIG_PTR } GLT_sched_config_type;
typedef struct GLT_sched_config_var {
  int idx;
  GLT_sched_config_type type;
} GLT_sched_config_var;
typedef enum { GLT_SCHED_TYPE_ULT, GLT_SCHED_TYPE_TASK } GLT_sched_type;
typedef enum { GLT_SCHED_DEFAULT, GLT_SCHED_BASIC, GLT_SCHED_PRIO } GLT_sched_predef;
typedef int (*GLT_sched_init_fn)(GLT_sched, GLT_sched_config);
typedef void (*GLT_sched_run_fn)(GLT_sched);
typedef int (*GLT_sched_free_fn)(GLT_sched);
typedef void *(*GLT_sched_get_migr_pool_fn)(GLT_sched);
typedef struct GLT_sched_def {
  GLT_sched_type type;
  GLT_sched_init_fn init;
  GLT_sched_run_fn run;
  GLT_sched_free_fn free;
  GLT_sched_get_migr_pool_fn get_migr_pool;
} GLT_sched_def;
typedef void *GLT_event_kind;
typedef void *GLT_event_cb_fn;

void glt_scheduler_config_free(GLT_sched_config *config);
void glt_scheduler_create(GLT_sched_def *def, int num_threads, int *threads_id, GLT_sched_config config,
                          GLT_sched *newsched);
void glt_scheduler_create_basic(GLT_sched_predef predef, int num_threads, int *threads_id, GLT_sched_config config,
                                GLT_sched *newsched);
void glt_schededuler_create_basic(GLT_sched_predef predef, int num_threads, int *threads_id, GLT_sched_config config,
                                  GLT_sched *newsched); /* the interface's other spelling */
void glt_scheduler_free(GLT_sched *sched);
void glt_scheduler_finish(GLT_sched sched);
void glt_scheduler_exit(GLT_sched sched);
void glt_scheduler_has_to_stop(GLT_sched sched, GLT_bool *stop);
void glt_scheduler_set_data(GLT_sched sched, void *data);
void glt_scheduler_get_data(GLT_sched sched, void **data);
void glt_scheduler_get_size(GLT_sched sched, size_t *size);
void glt_scheduler_get_total_size(GLT_sched sched, size_t *size);
void glt_event_add_callbac(GLT_event_kind event, GLT_event_cb_fn ask_cb, void *ask_user_arg, GLT_event_cb_fn act_cb,
                           void *act_user_arg, int *cb_id); /* the interface's spelling */
void glt_event_del_callback(GLT_event_kind event, int cb_id);
/* strerror(), at most *len bytes of it; null for `str`: only *len is set, to what it takes. */
void glt_get_error_str(int error, char *str, size_t *len);

#endif

#ifdef __cplusplus
}
#endif

#endif
