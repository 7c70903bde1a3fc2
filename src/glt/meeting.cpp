// SPDX-License-Identifier: Apache-2.0
// Barriers, conditions and futures.
#include <string.h>
#include <tulle/glt.h>

#include "glt/mutex.h"
#include "glt/object.h"

using namespace tulle;
using namespace tulle::glt;

struct tulle_glt_barrier {
  sync::Spinlock lock;
  int needed = 0;
  int arrived = 0;
  Waiters waiters;
};

struct tulle_glt_cond {
  sync::Spinlock lock;
  Waiters waiters;
};

struct tulle_glt_future {
  sync::Spinlock lock;
  bool set = false;
  size_t bytes = 0;
  void* value = nullptr;
  Waiters waiters;
};

GLT_ENTRY void glt_barrier_create(int num_waiters, GLT_barrier* barrier) {
  if (num_waiters < 1) os::fatal("glt_barrier_create: a barrier for %d work units", num_waiters);
  *barrier = new_object<tulle_glt_barrier>("a barrier");
  (*barrier)->needed = num_waiters;
}

GLT_ENTRY void glt_barrier_free(GLT_barrier* barrier) { delete_object(barrier); }

GLT_ENTRY TULLE_MAY_SUSPEND void glt_barrier_wait(GLT_barrier* handle) {
  Thread* t = thread_or_end("glt_barrier_wait");
  tulle_glt_barrier* barrier = *handle;
  ult::happens_before(barrier);
  barrier->lock.lock();
  if (++barrier->arrived < barrier->needed) {
    barrier->waiters.push_back(t->running);
    barrier->lock.unlock();
    glt::wait(t);
    ult::happens_after(barrier);
    return;
  }
  ult::happens_after(barrier);
  barrier->arrived = 0;
  Waiters waiters = barrier->waiters;
  barrier->waiters = {};
  barrier->lock.unlock();
  wake_all(waiters);
}

GLT_ENTRY void glt_cond_create(GLT_cond* cond) { *cond = new_object<tulle_glt_cond>("a condition"); }

GLT_ENTRY void glt_cond_free(GLT_cond* cond) { delete_object(cond); }

// The mutex is released before the caller waits: who wakes it finds it in the list.
GLT_ENTRY TULLE_MAY_SUSPEND void glt_cond_wait(GLT_cond cond, GLT_mutex mutex) {
  Thread* t = thread_or_end("glt_cond_wait");
  {
    sync::Guard guard(cond->lock);
    cond->waiters.push_back(t->running);
  }
  mutex->release("glt_cond_wait");
  glt::wait(t);
  if (!mutex->try_take()) mutex->await(current_thread());
}

GLT_ENTRY void glt_cond_signal(GLT_cond cond) {
  cond->lock.lock();
  Unit* first = cond->waiters.pop_front();
  cond->lock.unlock();
  if (first != nullptr) make_ready(first);
}

GLT_ENTRY void glt_cond_broadcast(GLT_cond cond) {
  cond->lock.lock();
  Waiters waiters = cond->waiters;
  cond->waiters = {};
  cond->lock.unlock();
  wake_all(waiters);
}

GLT_ENTRY int glt_can_future_functions() { return 1; }

GLT_ENTRY void glt_future_create(int nbytes, GLT_future* newfuture) {
  if (nbytes < 0) os::fatal("glt_future_create: a future of %d bytes", nbytes);
  auto* future = new_object<tulle_glt_future>("a future");
  future->bytes = static_cast<size_t>(nbytes);
  future->value = calloc(1, future->bytes);
  if (future->value == nullptr && nbytes != 0) os::fatal("no memory for a future");
  *newfuture = future;
}

GLT_ENTRY void glt_future_free(GLT_future* future) {
  free((*future)->value);
  delete_object(future);
}

GLT_ENTRY TULLE_MAY_SUSPEND void glt_future_wait(GLT_future future, void** value) {
  Thread* t = thread_or_end("glt_future_wait");
  future->lock.lock();
  bool waits = !future->set;
  if (waits) future->waiters.push_back(t->running);
  future->lock.unlock();
  if (waits) glt::wait(t);
  ult::happens_after(future);
  if (value != nullptr) *value = future->bytes != 0 ? future->value : nullptr;
}

GLT_ENTRY void glt_future_set(GLT_future future, void* value, int nbytes) {
  if (nbytes < 0 || static_cast<size_t>(nbytes) > future->bytes)
    os::fatal("glt_future_set: %d bytes into a future of %zu", nbytes, future->bytes);
  future->lock.lock();
  if (future->set) os::fatal("glt_future_set: the future was set before");
  if (nbytes != 0) memcpy(future->value, value, static_cast<size_t>(nbytes));
  future->set = true;
  ult::happens_before(future);
  Waiters waiters = future->waiters;
  future->waiters = {};
  future->lock.unlock();
  wake_all(waiters);
}
