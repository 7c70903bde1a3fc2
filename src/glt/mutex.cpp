// SPDX-License-Identifier: Apache-2.0
#include "glt/mutex.h"

#include <tulle/glt.h>

#include "arch/cpu.h"
#include "glt/object.h"

using namespace tulle;
using namespace tulle::glt;

namespace {

sync::Spinlock unused_lock;
tulle_glt_mutex* unused = nullptr;  // under the lock

tulle_glt_mutex* take_unused() {
  sync::Guard guard(unused_lock);
  tulle_glt_mutex* mutex = unused;
  if (mutex != nullptr) unused = mutex->next;
  return mutex;
}

// A holder on another core needs no longer as a rule.
bool take_soon(tulle_glt_mutex* mutex) {
  constexpr int kLooks = 16;
  for (int looks = 0; looks < kLooks; ++looks, arch::pause())
    // Relaxed: what takes it acquires.
    if (mutex->word.load(std::memory_order_relaxed) == tulle_glt_mutex::kFree && mutex->take_if_free()) return true;
  return false;
}

// Apart, so that who need not wait passes straight through.
TULLE_NOINLINE TULLE_MAY_SUSPEND void await_turn(tulle_glt_mutex* mutex) { mutex->await(thread_or_end("glt_mutex_lock")); }

}  // namespace

// By one thread alone there are neither holders on other cores nor stores that they have not seen.
void tulle_glt_mutex::await(Thread* t) {
  const bool several = thread_count > 1;
  if (!several || !take_soon(this)) {
    {
      sync::Guard guard(lock);
      waiters.push_back(t->running);
      waiting.store(true, std::memory_order_relaxed);  // the fence orders it
    }
    if (several) os::heavy_fence();  // pairs with release
    hand_over();
    glt::wait(t);
  }
  ult::happens_after(this);
}

void tulle_glt_mutex::hand_over() {
  Unit* first = nullptr;
  {
    sync::Guard guard(lock);
    if (!waiters.empty() && take_if_free()) first = waiters.pop_front();
    if (waiters.empty()) waiting.store(false, std::memory_order_relaxed);
  }
  if (first != nullptr) make_ready(first);
}

void tulle_glt_mutex::not_locked(const char* function) { os::fatal("%s: the mutex is not locked", function); }

GLT_ENTRY void glt_mutex_create(GLT_mutex* mutex) {
  *mutex = take_unused();
  if (*mutex == nullptr) *mutex = new_object<tulle_glt_mutex>("a mutex");
  (*mutex)->word.store(tulle_glt_mutex::kFree, std::memory_order_relaxed);  // nobody else has it
}

GLT_ENTRY void glt_mutex_free(GLT_mutex* handle) {
  GLT_mutex mutex = *handle;
  *handle = nullptr;
  if (mutex == nullptr) return;
  sync::Guard guard(unused_lock);
  mutex->next = unused;
  unused = mutex;
}

GLT_ENTRY TULLE_MAY_SUSPEND void glt_mutex_lock(GLT_mutex mutex) {
  if (TULLE_UNLIKELY(!mutex->take_if_free())) await_turn(mutex);
  ult::happens_after(mutex);
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
