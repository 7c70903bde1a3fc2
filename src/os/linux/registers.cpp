// SPDX-License-Identifier: Apache-2.0
#include "os/registers.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include "arch/registers.h"
#include "arch/system_call.h"
#include "os/keep_errno.h"
#include "os/thread.h"

namespace tulle::os {

namespace {

constexpr int kAsked = 0x7411e, kAskedToLeave = 0x7411f;  // in si_errno: the signal is one of ours

// A leave is taken in short parts: whoever is waited for may be done.
constexpr long kPart = 500000;  // ns
constexpr int kParts = 8;

void take_leave(Leave& leave, uint64_t digest) {
  bool there = false;
  for (auto& place : leave.places) there = there || place.load(std::memory_order_relaxed) == digest;
  leave.answer.store(there ? kLeft : digest, std::memory_order_relaxed);
  timespec part = {0, kPart};
  for (int i = 0; there && i < kParts && leave.lasts(); ++i)
    arch::system_call(SYS_nanosleep, reinterpret_cast<long>(&part));
}

void answer(int, siginfo_t* info, void* context) {
  if (info->si_code != SI_QUEUE || (info->si_errno != kAsked && info->si_errno != kAskedToLeave)) return;
  const auto& registers = *static_cast<const ucontext_t*>(context);
  uint64_t digest = arch::in_system_call(registers) ? kInSystemCall : arch::registers_digest(registers);
  void* asker = info->si_value.sival_ptr;
  if (info->si_errno == kAskedToLeave) return take_leave(*static_cast<Leave*>(asker), digest);
  // Relaxed: nothing goes with it.
  static_cast<std::atomic<uint64_t>*>(asker)->store(digest, std::memory_order_relaxed);
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
  sigemptyset(&ours.sa_mask);
  return sigaction(SIGURG, &ours, nullptr) == 0;
}

bool ask(int kernel_thread_id, int what, void* asker) {
  if (!have_signal()) return false;
  siginfo_t info = {};
  info.si_signo = SIGURG;
  info.si_code = SI_QUEUE;
  info.si_errno = what;
  info.si_value.sival_ptr = asker;
  return arch::system_call(SYS_rt_tgsigqueueinfo, process_id(), kernel_thread_id, SIGURG,
                           reinterpret_cast<long>(&info)) == 0;
}

}  // namespace

bool ask_for_registers(int kernel_thread_id, std::atomic<uint64_t>& answer) {
  return ask(kernel_thread_id, kAsked, &answer);
}

bool ask_to_leave(int kernel_thread_id, Leave& leave) { return ask(kernel_thread_id, kAskedToLeave, &leave); }

}  // namespace tulle::os
