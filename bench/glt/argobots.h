// SPDX-License-Identifier: Apache-2.0
// What bench.c uses of GLT over Argobots: a pool for each execution stream, as GLT's own library has it.
#include <abt.h>
#include <stdlib.h>

typedef ABT_thread GLT_ult;
typedef ABT_task GLT_tasklet;
typedef ABT_mutex GLT_mutex;
typedef ABT_cond GLT_cond;

static struct {
  int count;
  ABT_xstream streams[64];
  ABT_pool pools[64];
} team;

static inline int glt_get_num_threads(void) { return team.count; }

static inline void glt_init(int argc, char **argv) {
  const char *threads = getenv("GLT_NUM_THREADS");
  team.count = threads != NULL ? atoi(threads) : 1;
  ABT_init(argc, argv);
  ABT_xstream_self(&team.streams[0]);
  ABT_xstream_get_main_pools(team.streams[0], 1, &team.pools[0]);
  for (int i = 1; i < team.count; i++) {
    ABT_xstream_create(ABT_SCHED_NULL, &team.streams[i]);
    ABT_xstream_get_main_pools(team.streams[i], 1, &team.pools[i]);
  }
}

static inline void glt_finalize(void) {
  for (int i = 1; i < team.count; i++) {
    ABT_xstream_join(team.streams[i]);
    ABT_xstream_free(&team.streams[i]);
  }
  ABT_finalize();
}

static inline ABT_pool own_pool(void) {
  int rank;
  ABT_self_get_xstream_rank(&rank);
  return team.pools[rank];
}

static inline void glt_ult_create_to(void (*f)(void *), void *arg, GLT_ult *ult, int to) {
  ABT_thread_create(team.pools[to], f, arg, ABT_THREAD_ATTR_NULL, ult);
}
static inline void glt_ult_create(void (*f)(void *), void *arg, GLT_ult *ult) {
  ABT_thread_create(own_pool(), f, arg, ABT_THREAD_ATTR_NULL, ult);
}
static inline void glt_tasklet_create(void (*f)(void *), void *arg, GLT_tasklet *tasklet) {
  ABT_task_create(own_pool(), f, arg, tasklet);
}
static inline void glt_ult_free(GLT_ult *ult) { ABT_thread_free(ult); }
static inline void glt_tasklet_free(GLT_tasklet *tasklet) { ABT_task_free(tasklet); }
static inline void glt_yield(void) { ABT_self_yield(); }
static inline void glt_yield_to(GLT_ult ult) { ABT_thread_yield_to(ult); }
static inline void glt_mutex_create(GLT_mutex *mutex) { ABT_mutex_create(mutex); }
static inline void glt_mutex_free(GLT_mutex *mutex) { ABT_mutex_free(mutex); }
static inline void glt_mutex_lock(GLT_mutex mutex) { ABT_mutex_lock(mutex); }
static inline void glt_mutex_unlock(GLT_mutex mutex) { ABT_mutex_unlock(mutex); }
static inline void glt_cond_create(GLT_cond *cond) { ABT_cond_create(cond); }
static inline void glt_cond_free(GLT_cond *cond) { ABT_cond_free(cond); }
static inline void glt_cond_wait(GLT_cond cond, GLT_mutex mutex) { ABT_cond_wait(cond, mutex); }
static inline void glt_cond_signal(GLT_cond cond) { ABT_cond_signal(cond); }
static inline double glt_get_wtime(void) { return ABT_get_wtime(); }
