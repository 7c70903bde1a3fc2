// SPDX-License-Identifier: Apache-2.0
//
// kmp_* routines about stacks, waiting, the library's mode and memory (manual of Intel's compilers;
// omp.h of clang 22). Each has a C form, some under a second name kmpc_*, and a Fortran form with an
// underscore and arguments by reference.
#include <cstdlib>
#include <cstring>

#include "abi/kmp/layout.h"
#include "memory/stack_pool.h"
#include "omp/environment/environment.h"
#include "omp/task/task_cancel.h"
#include "omp/task/task_icv.h"
#include "omp/thread/thread.h"
#include "omp/worksharing/cancel.h"
#include "os/memory.h"
#include "sched/settings.h"
#include "sched/workers.h"

namespace tulle::kmp {
namespace {

enum class Library : int32_t { none = 0, serial = 1, turnaround = 2, throughput = 3 };

constexpr int32_t kEndlessBlocktime = INT32_MAX;  // milliseconds
constexpr size_t kLeastStack = 16384;

size_t stack_size() {
  omp::global_icv();
  const size_t size = omp::device_icv().stack_size.load(std::memory_order_relaxed);
  return size != 0 ? size : os::default_stack_size();
}

void set_stack_size(size_t bytes) {
  omp::self_or_attach();
  if (bytes < kLeastStack) bytes = kLeastStack;
  omp::device_icv().stack_size.store(bytes, std::memory_order_relaxed);
  memory::set_stack_size(bytes);
}

int32_t blocktime() {
  omp::global_icv();
  const uint64_t us = omp::device_icv().blocktime_us.load(std::memory_order_relaxed);
  return us == omp::kEndless || us / 1000 >= uint64_t{kEndlessBlocktime}
             ? kEndlessBlocktime
             : static_cast<int32_t>(us / 1000);
}

void set_blocktime_us(uint64_t us) {
  omp::self_or_attach();
  omp::device_icv().blocktime_us.store(us, std::memory_order_relaxed);
  sched::set_spin(us == omp::kEndless ? sched::kEndless : us * 1000);
}

void set_blocktime(int32_t milliseconds) {
  const bool endless = milliseconds == kEndlessBlocktime;
  const uint64_t ms = milliseconds < 0 ? 0 : static_cast<uint64_t>(milliseconds);
  set_blocktime_us(endless ? omp::kEndless : ms * 1000);
}

// Modes are shorthands: one thread a region, or never to give up waiting.
void set_library(Library library) {
  if (library == Library::serial) omp::writable_icv(omp::self_or_attach())->nthreads = 1;
  if (library == Library::turnaround) set_blocktime(kEndlessBlocktime);
}

Library library() {
  if (omp::global_icv().serial_library.value) return Library::serial;
  return blocktime() == kEndlessBlocktime ? Library::turnaround : Library::throughput;
}

// Settings that can be changed once the environment is read: as libomp has it, for the calling thread or the process.
void change_default(const char* name, const char* value) {
  omp::GlobalIcv given;
  if (!omp::assign_variable(name, value, given)) return;
  omp::Icv* icv = omp::writable_icv(omp::self_or_attach());
  if (given.num_threads.source.variable) icv->nthreads = given.num_threads.value.values[0];
  if (given.dynamic.source.variable) {
    icv->dyn = given.dynamic.value;
    icv->sizes_fixed = !icv->dyn;
  }
  if (given.blocktime_us.source.variable) set_blocktime_us(given.blocktime_us.value);
  if (given.stack_size.source.variable) set_stack_size(given.stack_size.value);
  if (given.num_teams.source.variable)
    omp::device_icv().num_teams.store(given.num_teams.value, std::memory_order_relaxed);
}

// "NAME=VALUE|NAME=VALUE": as if the environment had said so.
void set_defaults(const char* text, size_t length) {
  const bool late = omp::environment_is_read();
  char* copy = strndup(text, length);
  if (!copy) return;
  char* rest = copy;
  while (char* setting = strsep(&rest, "|")) {
    char* value = strchr(setting, '=');
    if (!value) continue;
    *value++ = '\0';
    late ? change_default(setting, value) : static_cast<void>(setenv(setting, value, 1));
  }
  free(copy);
}

bool cancelled(int32_t kind) {
  omp::Thread* thread = omp::self();
  if (!thread) return false;
  switch (static_cast<CancelKind>(kind)) {
    case CancelKind::parallel:
      return omp::parallel_cancelled(thread->team);
    case CancelKind::taskgroup:
      return omp::taskgroup_cancelled(thread);
    case CancelKind::loop:
    case CancelKind::sections:
      return omp::workshare_cancelled(thread);
    default:
      return false;
  }
}

}  // namespace

#define TULLE_KMP_GETTER(T, name, expression)         \
  TULLE_KMP T kmp_##name() { return expression; }     \
  TULLE_KMP T kmp_##name##_() { return expression; }

// T is what is passed; the Fortran form gets its address.
#define TULLE_KMP_SETTER(name, T, action)               \
  TULLE_KMP void kmp_##name(T value) { action; }        \
  TULLE_KMP void kmpc_##name(T value) { action; }       \
  TULLE_KMP void kmp_##name##_(const T* address) {      \
    const T value = *address;                           \
    action;                                             \
  }

TULLE_KMP_GETTER(int32_t, get_stacksize, static_cast<int32_t>(stack_size()))
TULLE_KMP_GETTER(size_t, get_stacksize_s, stack_size())
TULLE_KMP_GETTER(int32_t, get_blocktime, blocktime())
TULLE_KMP_GETTER(int32_t, get_library, static_cast<int32_t>(library()))
TULLE_KMP_GETTER(int32_t, get_num_known_threads, static_cast<int32_t>(sched::worker_count()))

TULLE_KMP_SETTER(set_stacksize, int32_t, set_stack_size(value < 0 ? 0 : static_cast<size_t>(value)))
TULLE_KMP_SETTER(set_stacksize_s, size_t, set_stack_size(value))
TULLE_KMP_SETTER(set_blocktime, int32_t, set_blocktime(value))
TULLE_KMP_SETTER(set_library, int32_t, set_library(static_cast<Library>(value)))
// Worksharing constructs in flight are bounded by memory, not by a number of buffers.
TULLE_KMP_SETTER(set_disp_num_buffers, int32_t, static_cast<void>(value))

#define TULLE_KMP_ACTION(name, action)          \
  TULLE_KMP void kmp_##name() { action; }       \
  TULLE_KMP void kmp_##name##_() { action; }

TULLE_KMP_ACTION(set_library_serial, set_library(Library::serial))
TULLE_KMP_ACTION(set_library_turnaround, set_library(Library::turnaround))
TULLE_KMP_ACTION(set_library_throughput, set_library(Library::throughput))
// The runtime's reports are errors of the program's or of its settings, which stay reported.
TULLE_KMP_ACTION(set_warnings_on, )
TULLE_KMP_ACTION(set_warnings_off, )

TULLE_KMP void kmp_set_defaults(const char* text) { set_defaults(text, strlen(text)); }
TULLE_KMP void kmpc_set_defaults(const char* text) { set_defaults(text, strlen(text)); }
TULLE_KMP void kmp_set_defaults_(const char* text, size_t length) { set_defaults(text, length); }

TULLE_KMP int32_t kmp_get_cancellation_status(int32_t kind) { return cancelled(kind); }
TULLE_KMP int32_t kmp_get_cancellation_status_(const int32_t* kind) { return cancelled(*kind); }

}  // namespace tulle::kmp
