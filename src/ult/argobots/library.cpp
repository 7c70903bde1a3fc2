// SPDX-License-Identifier: Apache-2.0
// Argobots: OS threads are execution streams, made when they are wanted. Its threads are of a pool that keeps nothing,
// for whoever goes over to one knows it.
#include "ult/library.h"

#include <abt.h>

#include <cstdlib>

#include "os/report.h"

namespace tulle::ult::library {

namespace {

ABT_pool nowhere = ABT_POOL_NULL;
Main* the_main = nullptr;

void check(int error, const char* what) {
  if (error != ABT_SUCCESS) os::fatal("Argobots: %s failed (%d)", what, error);
}

// A unit is the thread itself: Argobots wants other values than those of its own pools.
ABT_unit make_unit(ABT_pool, ABT_thread thread) { return reinterpret_cast<ABT_unit>(thread); }
void free_unit(ABT_pool, ABT_unit) {}
ABT_bool is_empty(ABT_pool) { return ABT_TRUE; }
ABT_thread pop(ABT_pool, ABT_pool_context) { return ABT_THREAD_NULL; }
void push(ABT_pool, ABT_unit, ABT_pool_context) {}

ABT_thread handle(const Thread& thread) { return reinterpret_cast<ABT_thread>(thread.word); }

void keep(Thread& thread, ABT_thread handle) { thread.word = reinterpret_cast<uint64_t>(handle); }

ABT_thread_attr attributes() {
  ABT_thread_attr result;
  check(ABT_thread_attr_create(&result), "ABT_thread_attr_create");
  check(ABT_thread_attr_set_stacksize(result, kStack), "ABT_thread_attr_set_stacksize");
  return result;
}

ABT_thread_attr common = ABT_THREAD_ATTR_NULL;

void run_main(void*) { the_main(); }

// An execution stream begins with half as many of each, and writes to every one: 2.4 MB by default. Threads with stacks
// of our size take none of them. Argobots is told by its environment, and in no other way.
void keep_pools_small() {
  setenv("ABT_MEM_MAX_NUM_STACKS", "2", 0);
  setenv("ABT_MEM_MAX_NUM_DESCS", "2", 0);
}

}  // namespace

void start(Main* main, uint32_t) {
  the_main = main;
  keep_pools_small();
  check(ABT_init(0, nullptr), "ABT_init");
  ABT_pool_user_def kind;
  check(ABT_pool_user_def_create(make_unit, free_unit, is_empty, pop, push, &kind), "ABT_pool_user_def_create");
  check(ABT_pool_create(kind, ABT_POOL_CONFIG_NULL, &nowhere), "ABT_pool_create");
  check(ABT_pool_user_def_free(&kind), "ABT_pool_user_def_free");
  common = attributes();
}

bool add() {
  ABT_xstream stream;
  if (ABT_xstream_create(ABT_SCHED_NULL, &stream) != ABT_SUCCESS) return false;
  check(ABT_thread_create_on_xstream(stream, run_main, nullptr, common, nullptr), "ABT_thread_create_on_xstream");
  return true;
}

void name(Thread& self) {
  ABT_thread running;
  check(ABT_self_get_thread(&running), "ABT_self_get_thread");
  keep(self, running);
}

void go(Thread&, Thread& to) { check(ABT_self_resume_suspend_to(handle(to)), "ABT_self_resume_suspend_to"); }

void begin(Thread&, Thread& made, void (*run)(void*), void* argument) {
  ABT_thread thread;
  check(ABT_thread_create(nowhere, run, argument, common, &thread), "ABT_thread_create");
  keep(made, thread);
  check(ABT_self_suspend_to(thread), "ABT_self_suspend_to");
}

}  // namespace tulle::ult::library
