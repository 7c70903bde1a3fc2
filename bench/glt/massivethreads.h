// SPDX-License-Identifier: Apache-2.0
// What bench.c uses of GLT over MassiveThreads, which has no tasklets, sends to no worker and yields to nobody by
// name: ULTs, its own stealing and a plain yield stand for them, as in GLT's own library.
#include <myth/myth.h>
#include <stdlib.h>
#include <time.h>

typedef myth_thread_t GLT_ult;
typedef myth_thread_t GLT_tasklet;
typedef myth_mutex_t GLT_mutex;
typedef myth_cond_t GLT_cond;

static inline int glt_get_num_threads(void) { return myth_get_num_workers(); }

static inline void glt_init(int argc, char **argv) {
  const char *threads = getenv("GLT_NUM_THREADS");
  myth_globalattr_t attributes;
  (void)argc, (void)argv;
  myth_globalattr_init(&attributes);
  myth_globalattr_set_n_workers(&attributes, threads != NULL ? (size_t)atoi(threads) : 1);
  myth_init_ex(&attributes);
}
static inline void glt_finalize(void) { myth_fini(); }

// The result of a function without one is not looked at.
static inline void glt_ult_create(void (*f)(void *), void *arg, GLT_ult *ult) {
  *ult = myth_create((myth_func_t)f, arg);
}
static inline void glt_ult_create_to(void (*f)(void *), void *arg, GLT_ult *ult, int to) {
  (void)to;
  *ult = myth_create((myth_func_t)f, arg);
}
static inline void glt_tasklet_create(void (*f)(void *), void *arg, GLT_tasklet *tasklet) {
  *tasklet = myth_create((myth_func_t)f, arg);
}
static inline void glt_ult_free(GLT_ult *ult) { myth_join(*ult, NULL); }
static inline void glt_tasklet_free(GLT_tasklet *tasklet) { myth_join(*tasklet, NULL); }
static inline void glt_yield(void) { myth_yield(); }
static inline void glt_yield_to(GLT_ult ult) {
  (void)ult;
  myth_yield();
}
static inline void glt_mutex_create(GLT_mutex *mutex) { myth_mutex_init(mutex, NULL); }
static inline void glt_mutex_free(GLT_mutex *mutex) { myth_mutex_destroy(mutex); }
#define glt_mutex_lock(mutex) myth_mutex_lock(&(mutex))
#define glt_mutex_unlock(mutex) myth_mutex_unlock(&(mutex))
static inline void glt_cond_create(GLT_cond *cond) { myth_cond_init(cond, NULL); }
static inline void glt_cond_free(GLT_cond *cond) { myth_cond_destroy(cond); }
#define glt_cond_wait(cond, mutex) myth_cond_wait(&(cond), &(mutex))
#define glt_cond_signal(cond) myth_cond_signal(&(cond))
static inline double glt_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
