// SPDX-License-Identifier: Apache-2.0
#include "glt/mutex.h"

#include <tulle/glt.h>

#include "glt/object.h"

using namespace tulle;
using namespace tulle::glt;

void tulle_glt_mutex::await(Thread* t) {
  lock.lock();
  bool waits = word.exchange(kContended, std::memory_order_acquire) != kFree;
  if (waits) waiters.push_back(t->running);
  lock.unlock();
  if (waits) glt::wait(t);
  ult::happens_after(this);
}

void tulle_glt_mutex::hand_over(const char* function) {
  lock.lock();
  if (word.load(std::memory_order_relaxed) == kFree) os::fatal("%s: the mutex is not locked", function);
  Unit* next = waiters.pop_front();
  if (next == nullptr) word.store(kFree, std::memory_order_release);
  lock.unlock();
  if (next != nullptr) make_ready(next);
}

GLT_ENTRY void glt_mutex_create(GLT_mutex* mutex) { *mutex = new_object<tulle_glt_mutex>("a mutex"); }

GLT_ENTRY void glt_mutex_free(GLT_mutex* mutex) { delete_object(mutex); }

GLT_ENTRY TULLE_MAY_SUSPEND void glt_mutex_lock(GLT_mutex mutex) {
  if (TULLE_UNLIKELY(!mutex->try_take())) mutex->await(thread_or_end("glt_mutex_lock"));
}

GLT_ENTRY void glt_mutex_unlock(GLT_mutex mutex) { mutex->release("glt_mutex_unlock"); }

GLT_ENTRY int glt_mutex_trylock(GLT_mutex mutex) { return mutex->try_take() ? GLT_TRUE : GLT_FALSE; }

// The holder may wait behind the caller: nobody looks for ever.
GLT_ENTRY TULLE_MAY_SUSPEND void glt_mutex_spinlock(GLT_mutex mutex) {
  constexpr int kLooks = 1000;
  Thread* t = thread_or_end("glt_mutex_spinlock");
  for (int looks = 0; looks < kLooks; ++looks, arch::pause())
    if (mutex->try_take()) return;
  mutex->await(t);
}
