// SPDX-License-Identifier: Apache-2.0
// Ways for a process to end, by name; run_fault.sh knows the status that each must end with. Whoever
// ends it is a member that shares its region with others who compute, wait at a barrier or sleep.
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include <atomic>
#include <cstring>
#include <stdexcept>

#include "use_openmp.h"

namespace {

int threads;
std::atomic<bool> open_at_exit;

// What runs after main may open regions too, on whichever thread it runs.
void open_region(const char *who) {
  if (!open_at_exit) return;
  std::atomic<int> members{0};
#pragma omp parallel num_threads(3)
  members++;
  if (members == 0) _Exit(90);
  int fib = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  fib = fibonacci(6);
  if (fib != 8) _Exit(91);
  printf("%s\n", who);
  fflush(stdout);
}

struct AtEnd {
  ~AtEnd() { open_region("static object"); }
} at_end;

__attribute__((destructor)) void destructor() { open_region("destructor"); }

// `end` is called by the last member, by a task of it, or by the first one.
template <class End>
void in_region(End end) {
#pragma omp parallel num_threads(threads)
  {
    int me = omp_get_thread_num();
    if (me == threads - 1) {
      usleep(1000);
      end();
    } else if (me % 3 == 1) {
      for (std::atomic<int> i = 0;;) i++;
    } else if (me % 3 == 2) {
      for (;;) sleep(1);
    }
#pragma omp barrier
  }
}

void *open_regions(void *argument) {
  for (int i = 0; i < 20; i++) use_openmp(threads);
  return argument;
}

void end_initial_thread(bool before, bool other) {
  pthread_t thread;
  if (before) use_openmp(threads);
  if (other) pthread_create(&thread, nullptr, open_regions, nullptr);
  pthread_exit(nullptr);
}

void *exit_9(void *) {
  use_openmp(threads);
  exit(9);
}

void exit_beside_regions() {
  pthread_t thread;
  pthread_create(&thread, nullptr, exit_9, nullptr);
  for (;;) use_openmp(threads);
}

void end(const char *how) {
  auto is = [how](const char *name) { return strcmp(how, name) == 0; };
  if (is("return")) return use_openmp(threads);
  if (is("exit")) return in_region([] { exit(3); });
  if (is("_exit")) return in_region([] { _exit(4); });
  if (is("quick_exit")) return in_region([] { quick_exit(5); });
  if (is("abort")) return in_region([] { abort(); });
  if (is("raise")) return in_region([] { raise(SIGTERM); });
  if (is("kill")) return in_region([] { kill(getpid(), SIGKILL); });
  if (is("segv")) return in_region([] { *static_cast<volatile int *>(nullptr) = 1; });
  if (is("exec")) return in_region([] { execlp("sh", "sh", "-c", "exit 6", nullptr); });
  if (is("throw")) return in_region([] { throw std::runtime_error("not caught"); });
  if (is("task"))
    return in_region([] {
#pragma omp task
      exit(7);
#pragma omp taskwait
    });
  if (is("nested"))
    return in_region([] {
#pragma omp parallel num_threads(4)
      if (omp_get_thread_num() == 3) exit(8);
    });
  if (is("beside")) return exit_beside_regions();
  if (is("initial")) return end_initial_thread(true, false);
  if (is("initial_beside")) return end_initial_thread(true, true);
  if (is("initial_unused")) return end_initial_thread(false, true);
  if (is("initial_first")) {
    pthread_t thread;
    pthread_create(&thread, nullptr, open_regions, nullptr);
    pthread_join(thread, nullptr);
    return end_initial_thread(false, false);
  }
  _exit(99);
}

}  // namespace

int main(int argc, char **argv) {
  threads = omp_get_max_threads();
  if (threads < 2) threads = 2;
  if (threads > 16) threads = 16;
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  if (argc > 2 && strcmp(argv[2], "open") == 0) {
    open_at_exit = true;
    atexit([] { open_region("atexit"); });
  }
  end(argc > 1 ? argv[1] : "return");
  return 0;
}
