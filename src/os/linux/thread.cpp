// SPDX-License-Identifier: Apache-2.0
#include "os/thread.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "arch/system_call.h"
#include "os/adopted_thread.h"
#include "os/keep_errno.h"
#include "os/memory.h"
#include "os/report.h"
#include "os/signal_mask.h"

namespace tulle::os {

namespace {

uint64_t kept_mask;  // W: before the threads that use it are started

// The native stack carries the TLS block too, so leave room for large static TLS.
constexpr size_t kNativeStack = 256 * 1024;

// Its destructor runs in an OS thread of ours, or under a TLS block of one, that did not return from
// its entry.
pthread_key_t early_end_key;
bool early_end_known = false;  // W: watch_early_ends

void ends_early(void*) { report_end_in_region(); }

void watch_early_ends() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] { early_end_known = pthread_key_create(&early_end_key, ends_early) == 0; });
}

void* run_to_the_end(void* memory) {
  ThreadStart start = *static_cast<ThreadStart*>(memory);
  if (start.signals == Signals::blocked) set_signal_mask(kAllSignals);
  if (early_end_known) pthread_setspecific(early_end_key, &early_end_key);
  void* result = start.entry(start.argument);
  if (early_end_known) pthread_setspecific(early_end_key, nullptr);
  return result;
}

// Where the start lies in memory of its own.
void* free_and_run(void* memory) {
  ThreadStart start = *static_cast<ThreadStart*>(memory);
  free(memory);
  return run_to_the_end(&start);
}

}  // namespace

void report_end_in_region() {
  fatal("a thread of a parallel region has called pthread_exit or was cancelled: the others would "
        "wait for it for ever");
}

// Static TLS counts against the stack: a program with much of it needs a larger one.
static int create(pthread_attr_t& attributes, size_t stack, void* (*run)(void*), void* start) {
  pthread_t thread;
  if (stack == kStackOfProgram) return pthread_create(&thread, &attributes, run, start);
  if (stack != kSmallStack) pthread_attr_setguardsize(&attributes, stack_guard_size(stack));
  if (stack < kNativeStack) stack = kNativeStack;
  int error = EINVAL;
  for (; error == EINVAL && stack <= (size_t{1} << 30); stack *= 4) {
    pthread_attr_setstacksize(&attributes, stack);
    error = pthread_create(&thread, &attributes, run, start);
  }
  return error;
}

static int begin(void* (*run)(void*), ThreadStart* start, Signals signals, size_t stack) {
  start->signals = signals;
  KeepErrno keep;
  watch_early_ends();
  pthread_attr_t attributes;
  if (int error = pthread_attr_init(&attributes)) return error;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  uint64_t before = signals == Signals::blocked ? set_signal_mask(kAllAndErrands) : 0;
  int error = create(attributes, stack, run, start);
  if (signals == Signals::blocked) set_signal_mask(before);
  pthread_attr_destroy(&attributes);
  return error;
}

int start_thread(ThreadStart* start, Signals signals, size_t stack) {
  return begin(run_to_the_end, start, signals, stack);
}

int start_thread(void* (*entry)(void*), void* argument, Signals signals, size_t stack) {
  auto* start = static_cast<ThreadStart*>(malloc(sizeof(ThreadStart)));
  if (start == nullptr) return ENOMEM;
  *start = {entry, argument};
  int error = begin(free_and_run, start, signals, stack);
  if (error != 0) free(start);
  return error;
}

void adopt_thread() {
  watch_early_ends();
  if (early_end_known) pthread_setspecific(early_end_key, &early_end_key);
}

void end_thread() {
  if (early_end_known) pthread_setspecific(early_end_key, nullptr);
  pthread_exit(nullptr);
}

void name_thread(const char* name) { prctl(PR_SET_NAME, name); }

// The C library puts its record of a thread at the same distance from the end of each stack of one size, or farther
// where it takes a larger stack that it kept. The first one's is asked for, which allocates memory.
void* started_stack_end(size_t stack) {
  static std::atomic<size_t> known_size{0}, known_distance{0};
  uintptr_t record = pthread_self();
  if (known_size.load(std::memory_order_acquire) == stack)  // pairs with the store below
    return reinterpret_cast<void*>(record - known_distance.load(std::memory_order_relaxed));
  pthread_attr_t attributes;
  void* lowest = nullptr;
  size_t bytes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  size_t distance = record - reinterpret_cast<uintptr_t>(lowest), none = 0;
  // By one thread, for good; not that of a larger stack.
  if (lowest != nullptr && distance <= stack && known_distance.compare_exchange_strong(none, distance))
    known_size.store(stack, std::memory_order_release);
  return lowest;
}

void keep_signal_mask() { kept_mask = signal_mask(); }

uint64_t kept_signal_mask() { return kept_mask; }

int kernel_thread_id() { return static_cast<int>(arch::system_call(SYS_gettid)); }

int process_id() { return static_cast<int>(getpid()); }

namespace {

// As proc(5) has it; 0: the OS thread has ended.
char kernel_state(int kernel_thread_id) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", kernel_thread_id);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[512];
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = '\0';
  const char* after_name = strrchr(text, ')');  // proc(5): the name may hold anything but ends here
  return after_name == nullptr || after_name + 2 >= text + length ? 0 : after_name[2];
}

}  // namespace

bool is_blocked_in_kernel(int kernel_thread_id) {
  char state = kernel_state(kernel_thread_id);
  return state == 'S' || state == 'D' || state == 'T' || state == 't';
}

bool sleeps_in_kernel(int kernel_thread_id) { return kernel_state(kernel_thread_id) == 'S'; }

// linux/posix-timers.h: CPUCLOCK_SCHED for one thread.
int cpu_clock_of(int kernel_thread_id) {
  return static_cast<int>((~static_cast<unsigned>(kernel_thread_id) << 3) | 6u);
}

uint64_t cpu_time_of(int kernel_thread_id) {
  timespec t;
  if (arch::system_call(SYS_clock_gettime, cpu_clock_of(kernel_thread_id), reinterpret_cast<long>(&t)) != 0) return 0;
  return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec);
}

}  // namespace tulle::os
