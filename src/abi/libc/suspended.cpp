// SPDX-License-Identifier: Apache-2.0
#include "abi/libc/suspended.h"

#include <dlfcn.h>

#include "omp/task/task.h"
#include "omp/thread/thread.h"
#include "sched/program_wait.h"

namespace tulle::libc {

namespace {

// A sanitizer's own functions stand before ours, and call them in the name of an OS thread.
bool under_sanitizer = false;

__attribute__((constructor)) void look_for_sanitizers() {
  under_sanitizer = dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr || dlsym(RTLD_DEFAULT, "__asan_init") != nullptr;
}

}  // namespace

bool may_suspend(const void* object) {
  return !under_sanitizer && sched::may_suspend_for(object) && !omp::in_explicit_task(omp::self());
}

bool is_far(clockid_t clock, const timespec* end) {
  timespec now;
  if (end->tv_nsec < 0 || end->tv_nsec >= 1000000000 || clock_gettime(clock, &now) != 0 || end->tv_sec < now.tv_sec)
    return false;
  uint64_t then = nanoseconds_of(*end), since = nanoseconds_of(now);
  return then > since && sched::would_end_within(then - since);
}

}  // namespace tulle::libc
