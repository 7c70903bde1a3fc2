// SPDX-License-Identifier: Apache-2.0
// Work units, as programs create, join and end them.
#include <tulle/glt.h>

#include "glt/object.h"
#include "glt/thread.h"

namespace tulle::glt {

namespace {

Unit* make_unit(Thread* by, Thread* at, UnitKind kind, void (*function)(void*), void* argument) {
  Unit* unit = take_unit();
  unit->where.context = nullptr;
  unit->exit_to = nullptr;
  unit->thread = at;
  unit->function = function;
  unit->argument = argument;
  unit->waiters.store(nullptr, std::memory_order_relaxed);  // nobody else knows it
  unit->cancelled.store(false, std::memory_order_relaxed);
  unit->kind = kind;
  uint64_t count = by->created.load(std::memory_order_relaxed) + 1;  // W: this thread
  by->created.store(count, std::memory_order_release);               // pairs with glt_finalize()
  unit->id = count * kMaxThreads + static_cast<uint64_t>(by->number);
  ult::happens_before(unit);
  return unit;
}

// The handle is written first: the unit may end and be freed elsewhere before this returns.
void create(const char* name, UnitKind kind, void (*function)(void*), void* argument, Unit** handle) {
  Thread* t = thread_or_end(name);
  t->push(*handle = make_unit(t, t, kind, function, argument));
}

void create_to(const char* name, UnitKind kind, void (*function)(void*), void* argument, Unit** handle, int dest) {
  Thread* t = thread_or_end(name);
  Thread* at = thread_by_number(name, dest);
  Unit* unit = make_unit(t, at, kind, function, argument);
  *handle = unit;
  at == t ? t->push(unit) : at->send(unit);
}

// Where the unit that runs was to be cancelled, it ends.
TULLE_INLINE void heed_cancellation(Unit* self) {
  if (TULLE_UNLIKELY(self->cancelled.load(std::memory_order_relaxed)) && self->kind != UnitKind::root) end_running();
}

// It has not begun, and there is room for it on the caller's stack.
TULLE_INLINE bool may_call_on_top(const Thread* t, const Unit* unit) {
  return t->holds(unit) && unit->where.context == nullptr && !ult::sanitized &&
         reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - t->stack->middle < t->stack->room;
}

// False: it has ended.
bool await_end(Unit* unit, Unit* self) {
  Unit* newest = unit->waiters.load(std::memory_order_acquire);  // pairs with the loop's exchange
  do {
    if (newest == Unit::ended()) return false;
    self->next = newest;
  } while (!unit->waiters.compare_exchange_weak(newest, self, std::memory_order_release, std::memory_order_acquire));
  return true;
}

TULLE_MAY_SUSPEND void join(const char* name, Unit* unit) {
  Thread* t = thread_or_end(name);
  if (unit == nullptr) os::fatal("%s: no work unit", name);
  Unit* self = t->running;
  if (unit == self) os::fatal("%s: a work unit waits for its own end", name);
  if (TULLE_LIKELY(may_call_on_top(t, unit)))
    call_on_top(t, unit);
  else if (await_end(unit, self))
    wait(t);
  ult::happens_after(unit);
  heed_cancellation(self);
}

TULLE_MAY_SUSPEND void join_and_free(const char* name, Unit** handle) {
  join(name, *handle);
  give_unit(*handle);
  *handle = nullptr;
}

template <class T>
T* new_handles(const char* name, int count) {
  if (count < 0) os::fatal("%s: %d work units", name, count);
  auto* handles = static_cast<T*>(calloc(static_cast<size_t>(count) + 1, sizeof(T)));
  if (handles == nullptr) os::fatal("%s: no memory for %d handles", name, count);
  return handles;
}

}  // namespace

}  // namespace tulle::glt

using namespace tulle;
using namespace tulle::glt;

GLT_ENTRY GLT_ult* glt_ult_malloc(int number_of_ult) { return new_handles<GLT_ult>("glt_ult_malloc", number_of_ult); }

GLT_ENTRY GLT_tasklet* glt_tasklet_malloc(int number_of_tasklets) {
  return new_handles<GLT_tasklet>("glt_tasklet_malloc", number_of_tasklets);
}

GLT_ENTRY void glt_ult_create(void (*thread_func)(void*), void* arg, GLT_ult* new_ult) {
  create("glt_ult_create", UnitKind::ult, thread_func, arg, new_ult);
}

GLT_ENTRY void glt_ult_create_to(void (*thread_func)(void*), void* arg, GLT_ult* new_ult, int dest) {
  create_to("glt_ult_create_to", UnitKind::ult, thread_func, arg, new_ult, dest);
}

GLT_ENTRY void glt_tasklet_create(void (*thread_func)(void*), void* arg, GLT_tasklet* new_tasklet) {
  create("glt_tasklet_create", UnitKind::tasklet, thread_func, arg, new_tasklet);
}

GLT_ENTRY void glt_tasklet_create_to(void (*thread_func)(void*), void* arg, GLT_tasklet* new_tasklet, int dest) {
  create_to("glt_tasklet_create_to", UnitKind::tasklet, thread_func, arg, new_tasklet, dest);
}

GLT_ENTRY TULLE_MAY_SUSPEND void glt_yield() {
  Thread* t = thread_or_end("glt_yield");
  Unit* self = t->running;
  give_way(t, nullptr);
  heed_cancellation(self);
}

GLT_ENTRY TULLE_MAY_SUSPEND void glt_yield_to(GLT_ult ult) {
  Thread* t = thread_or_end("glt_yield_to");
  Unit* self = t->running;
  give_way(t, ult);
  heed_cancellation(self);
}

GLT_ENTRY TULLE_MAY_SUSPEND void glt_ult_join(GLT_ult* ult) { join("glt_ult_join", *ult); }
GLT_ENTRY TULLE_MAY_SUSPEND void glt_tasklet_join(GLT_tasklet* tasklet) { join("glt_tasklet_join", *tasklet); }
GLT_ENTRY TULLE_MAY_SUSPEND void glt_ult_free(GLT_ult* ult) { join_and_free("glt_ult_free", ult); }
GLT_ENTRY TULLE_MAY_SUSPEND void glt_tasklet_free(GLT_tasklet* tasklet) { join_and_free("glt_tasklet_free", tasklet); }

GLT_ENTRY void glt_ult_get_id(GLT_ult_id* id, GLT_ult ult) { *id = ult->id; }
GLT_ENTRY void glt_ult_self(GLT_ult* ult) { *ult = thread_or_end("glt_ult_self")->running; }
GLT_ENTRY void glt_tasklet_self(GLT_tasklet* tasklet) { *tasklet = thread_or_end("glt_tasklet_self")->running; }

GLT_ENTRY TULLE_MAY_SUSPEND void glt_ult_migrate_self_to(GLT_thread_id id) {
  Thread* t = thread_or_end("glt_ult_migrate_self_to");
  Thread* to = thread_by_number("glt_ult_migrate_self_to", id);
  Unit* self = t->running;
  if (to != t && self->kind != UnitKind::root) migrate(t, to);
  heed_cancellation(self);
}

GLT_ENTRY void glt_ult_exit() {
  if (thread_or_end("glt_ult_exit")->running->kind == UnitKind::root)
    os::fatal("glt_ult_exit: called by the frames that called glt_init()");
  end_running();
}

GLT_ENTRY void glt_ult_cancel(GLT_ult ult) { ult->cancelled.store(true, std::memory_order_relaxed); }
GLT_ENTRY void glt_tasklet_cancel(GLT_tasklet tasklet) { tasklet->cancelled.store(true, std::memory_order_relaxed); }
