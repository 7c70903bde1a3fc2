// SPDX-License-Identifier: Apache-2.0
#include "os/registers.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#include "arch/registers.h"
#include "arch/system_call.h"
#include "os/keep_errno.h"
#include "os/signal_mask.h"
#include "os/thread.h"

namespace tulle::os {

namespace {

constexpr int kAsked = 0x7411e;  // in si_errno: the signal is one of ours

void answer(int, siginfo_t* info, void* context) {
  if (info->si_code != SI_QUEUE || info->si_errno != kAsked) return;
  const auto& registers = *static_cast<const ucontext_t*>(context);
  // Relaxed: nothing goes with it.
  static_cast<std::atomic<uint64_t>*>(info->si_value.sival_ptr)
      ->store(arch::in_system_call(registers) ? kInSystemCall : arch::registers_digest(registers),
              std::memory_order_relaxed);
}

// The signal is ours, or nobody's and then ours.
bool have_signal() {
  KeepErrno keep;
  struct sigaction now;
  if (sigaction(SIGURG, nullptr, &now) != 0) return false;
  if ((now.sa_flags & SA_SIGINFO) != 0) return now.sa_sigaction == answer;
  if (now.sa_handler != SIG_DFL) return false;
  struct sigaction ours = {};
  ours.sa_sigaction = answer;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  // A handler of the program's would run on the alternate stack, where its thread's frames are not.
  memcpy(&ours.sa_mask, &kAllAndErrands, sizeof kAllAndErrands);
  return sigaction(SIGURG, &ours, nullptr) == 0;
}

}  // namespace

bool ask_for_registers(int kernel_thread_id, std::atomic<uint64_t>& answer) {
  if (!have_signal()) return false;
  siginfo_t info = {};
  info.si_signo = SIGURG;
  info.si_code = SI_QUEUE;
  info.si_errno = kAsked;
  info.si_value.sival_ptr = &answer;
  return arch::system_call(SYS_rt_tgsigqueueinfo, process_id(), kernel_thread_id, SIGURG,
                           reinterpret_cast<long>(&info)) == 0;
}

}  // namespace tulle::os
