// SPDX-License-Identifier: Apache-2.0
// Threads that run nothing for a while. What comes to one is sent on by itself (Thread::forward).
#include <tulle/glt.h>

#include "glt/object.h"
#include "glt/thread.h"

using namespace tulle;
using namespace tulle::glt;

namespace {

void set_disabled(Thread* t, bool disabled) {
  t->disabled.store(disabled, std::memory_order_relaxed);  // seen at its next look for work
  t->wake();
}

}  // namespace

GLT_ENTRY int glt_can_malleability() { return 1; }

GLT_ENTRY void glt_thread_enable_id(int thread_id) {
  set_disabled(thread_by_number("glt_thread_enable_id", thread_id), false);
}

GLT_ENTRY void glt_thread_disable_id(int thread_id) {
  Thread* t = thread_by_number("glt_thread_disable_id", thread_id);
  if (thread_id == 0)
    os::report("glt_thread_disable_id: thread 0 cannot be disabled");
  else
    set_disabled(t, true);
}

GLT_ENTRY void glt_thread_enable() {
  for (int i = 1; i < thread_count; ++i)
    if (threads[i]->disabled.load(std::memory_order_relaxed)) return set_disabled(threads[i], false);
}

GLT_ENTRY void glt_thread_disable() {
  Thread* own = thread_or_end("glt_thread_disable");
  for (int i = thread_count - 1; i > 0; --i)
    if (threads[i] != own && !threads[i]->disabled.load(std::memory_order_relaxed))
      return set_disabled(threads[i], true);
}
