// SPDX-License-Identifier: Apache-2.0
#include "os/signal_mask.h"

#include <signal.h>
#include <sys/syscall.h>

#include "arch/system_call.h"
#include "os/thread.h"

namespace tulle::os {

namespace {

uint64_t change(int how, const uint64_t* set) {
  uint64_t before = 0;
  arch::system_call(SYS_rt_sigprocmask, how, reinterpret_cast<long>(set), reinterpret_cast<long>(&before),
                    sizeof before);
  return before;
}

}  // namespace

uint64_t signal_mask() { return change(SIG_BLOCK, nullptr); }

uint64_t set_signal_mask(uint64_t mask) { return change(SIG_SETMASK, &mask); }

uint64_t pending_signals() {
  uint64_t pending = 0;
  arch::system_call(SYS_rt_sigpending, reinterpret_cast<long>(&pending), sizeof pending);
  return pending;
}

void raise_signal(int signal) {
  arch::system_call(SYS_tgkill, process_id(), kernel_thread_id(), signal);
}

void raise_again(siginfo_t& info) {
  arch::system_call(SYS_rt_tgsigqueueinfo, process_id(), kernel_thread_id(), info.si_signo,
                    reinterpret_cast<long>(&info));
}

bool is_ignored(int signal) {
  struct sigaction action;
  if (sigaction(signal, nullptr, &action) != 0) return false;
  bool is_harmless = signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH;
  return action.sa_handler == SIG_IGN || (action.sa_handler == SIG_DFL && is_harmless);
}

}  // namespace tulle::os
