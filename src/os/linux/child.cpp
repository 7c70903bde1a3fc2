// SPDX-License-Identifier: Apache-2.0
#include "os/child.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "os/clock.h"
#include "os/keep_errno.h"
#include "os/thread.h"

namespace tulle::os {

namespace {

constexpr uint64_t kBetweenLooks = 100000000;  // ns
constexpr uint64_t kShortWait = 100000;        // ns: what ends or begins soon

bool lives(int process) { return kill(process, 0) == 0 || errno != ESRCH; }

// The host's end shows at a file descriptor of it, or in that its number is nobody's.
void* watch_host(void* argument) {
  int host = static_cast<int>(reinterpret_cast<intptr_t>(argument));
  int file = static_cast<int>(syscall(SYS_pidfd_open, host, 0));
  while (lives(host)) {
    pollfd ended{file, POLLIN, 0};
    if (file >= 0 && poll(&ended, 1, -1) == 1) break;
    sleep_for(kBetweenLooks);
  }
  _exit(0);
}

// The keeper, which ends with the child.
[[noreturn]] void keep(int id, KeptChild& child) {
  prctl(PR_SET_NAME, "tulle keeper");
  child.id.store(id, std::memory_order_release);  // pairs with fork_child
  siginfo_t how{};
  while (id > 0 && waitid(P_PID, static_cast<id_t>(id), &how, WEXITED | WNOWAIT) != 0 && errno == EINTR) continue;
  // Told before its number can be somebody else's.
  bool by_signal = how.si_code == CLD_KILLED || how.si_code == CLD_DUMPED;
  child.ended.store(1 + (by_signal ? static_cast<uint32_t>(how.si_status) : 0), std::memory_order_release);
  if (id > 0) waitpid(id, nullptr, 0);
  _exit(0);
}

// Between this process and the keeper: it ends at once, so that the keeper is nobody's child.
void wait_for_between(int id) {
  while (waitpid(id, nullptr, 0) < 0 && errno == EINTR) continue;
}

}  // namespace

int fork_child(KeptChild& child) {
  fflush(nullptr);
  int between = fork();
  if (between < 0) return -1;
  if (between == 0) {
    int keeper = fork();
    if (keeper < 0) child.id.store(-1, std::memory_order_release);
    if (keeper != 0) _exit(0);
    int id = fork();
    if (id == 0) return 0;
    keep(id, child);
  }
  KeepErrno errno_kept;
  wait_for_between(between);
  while (child.id.load(std::memory_order_acquire) == 0) sleep_for(kShortWait);  // pairs with keep
  return child.id.load(std::memory_order_relaxed);
}

bool end_with_host(int host) {
  void* argument = reinterpret_cast<void*>(static_cast<intptr_t>(host));
  return start_thread(watch_host, argument, Signals::blocked) == 0;
}

void flush_output() { fflush(stdout); }

bool has_ended(const KeptChild& child, int& signal) {
  KeepErrno keep;
  uint32_t ended = child.ended.load(std::memory_order_acquire);  // pairs with keep
  signal = ended > 1 ? static_cast<int>(ended - 1) : 0;
  return ended != 0 || !lives(child.id.load(std::memory_order_relaxed));  // somebody killed the keeper
}

void end_child(KeptChild& child) {
  KeepErrno keep;
  int signal = 0;
  if (has_ended(child, signal)) return;
  kill(child.id.load(std::memory_order_relaxed), SIGKILL);
  while (!has_ended(child, signal)) sleep_for(kShortWait);
}

void leave_child() { _exit(0); }

}  // namespace tulle::os
