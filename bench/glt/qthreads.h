// SPDX-License-Identifier: Apache-2.0
// What bench.c uses of GLT over Qthreads, a worker to a shepherd. Full and empty words stand for conditions: who
// waits reads its own, which it has emptied, and who signals fills it. No tasklets and no yield to a name, as in
// GLT's own library.
#include <qthread/qthread.h>
#include <stdlib.h>
#include <time.h>

typedef aligned_t GLT_ult;
typedef aligned_t GLT_tasklet;
typedef aligned_t GLT_mutex;
typedef aligned_t GLT_cond;

static inline int glt_get_num_threads(void) { return (int)qthread_num_shepherds(); }

static inline void glt_init(int argc, char **argv) {
  const char *threads = getenv("GLT_NUM_THREADS");
  (void)argc, (void)argv;
  setenv("QTHREAD_NUM_SHEPHERDS", threads != NULL ? threads : "1", 1);
  setenv("QTHREAD_NUM_WORKERS_PER_SHEPHERD", "1", 1);
  setenv("QTHREAD_INFO", "0", 1);
  qthread_initialize();
}
static inline void glt_finalize(void) { qthread_finalize(); }

// The result of a function without one is not looked at.
static inline void glt_ult_create(void (*f)(void *), void *arg, GLT_ult *ult) {
  qthread_fork_to((qthread_f)f, arg, ult, qthread_shep());
}
static inline void glt_ult_create_to(void (*f)(void *), void *arg, GLT_ult *ult, int to) {
  qthread_fork_to((qthread_f)f, arg, ult, (qthread_shepherd_id_t)to);
}
static inline void glt_tasklet_create(void (*f)(void *), void *arg, GLT_tasklet *tasklet) {
  glt_ult_create(f, arg, tasklet);
}
static inline void glt_ult_free(GLT_ult *ult) { qthread_readFF(NULL, ult); }
static inline void glt_tasklet_free(GLT_tasklet *tasklet) { qthread_readFF(NULL, tasklet); }
static inline void glt_yield(void) { qthread_yield(); }
static inline void glt_yield_to(GLT_ult ult) {
  (void)ult;
  qthread_yield();
}
static inline void glt_mutex_create(GLT_mutex *mutex) { qthread_fill(mutex); }
static inline void glt_mutex_free(GLT_mutex *mutex) { (void)mutex; }
#define glt_mutex_lock(mutex) qthread_readFE(NULL, &(mutex))
#define glt_mutex_unlock(mutex) qthread_fill(&(mutex))
static inline void glt_cond_create(GLT_cond *cond) { qthread_empty(cond); }
static inline void glt_cond_free(GLT_cond *cond) { qthread_fill(cond); }
#define glt_cond_wait(cond, mutex) (qthread_fill(&(mutex)), qthread_readFE(NULL, &(cond)), qthread_readFE(NULL, &(mutex)))
#define glt_cond_signal(cond) qthread_fill(&(cond))
static inline double glt_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
