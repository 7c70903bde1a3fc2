// SPDX-License-Identifier: Apache-2.0
#include "os/child.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "os/clock.h"
#include "os/keep_errno.h"
#include "os/thread.h"

namespace tulle::os {

namespace {

constexpr uint64_t kBetweenLooks = 100000000;  // ns

// The parent's end shows at a file descriptor of it, or in that the child has another one.
void* watch_parent(void* argument) {
  int parent = static_cast<int>(reinterpret_cast<intptr_t>(argument));
  int file = static_cast<int>(syscall(SYS_pidfd_open, parent, 0));
  while (getppid() == parent) {
    pollfd ended{file, POLLIN, 0};
    if (file < 0 || poll(&ended, 1, -1) < 0) sleep_for(kBetweenLooks);
  }
  _exit(0);
}

}  // namespace

int fork_child() {
  fflush(nullptr);
  return fork();
}

bool end_with_parent(int parent) {
  void* argument = reinterpret_cast<void*>(static_cast<intptr_t>(parent));
  return start_thread(watch_parent, argument, Signals::blocked) == 0;
}

void flush_output() { fflush(stdout); }

bool has_ended(int child, int& signal) {
  KeepErrno keep;
  int status = 0;
  int found = waitpid(child, &status, WNOHANG);
  signal = found == child && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return found == child || (found < 0 && errno == ECHILD);
}

void end_child(int child) {
  KeepErrno keep;
  kill(child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
}

void leave_child() { _exit(0); }

}  // namespace tulle::os
