// SPDX-License-Identifier: Apache-2.0
// What the C library asks the kernel about a pthread, where that is a whole member: its pthread sleeps, and a
// worker runs it. Signals and masks are the member's own (sched/signals.h); CPU affinity and the CPU clock are
// those of the OS thread that runs it now, as sched_setaffinity() and CLOCK_THREAD_CPUTIME_ID have them; of a
// member that waits they are its pthread's. All other threads are left to the C library.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>

#include "abi/libc/next.h"
#include "arch/cpu.h"
#include "arch/symbol_versions.h"
#include "os/keep_errno.h"
#include "os/signal_mask.h"
#include "os/thread.h"
#include "sched/signals.h"

namespace {

using namespace tulle::libc;
namespace os = tulle::os;
namespace sched = tulle::sched;

// glibc's pthread_t is an address at the same distance from the thread's block in every thread.
uintptr_t block_of(pthread_t thread) { return thread - pthread_self() + tulle::arch::tls_base(); }

// Of the OS thread that runs it; 0: it waits, or never entered the runtime.
int os_thread_of(pthread_t thread) {
  return thread == pthread_self() ? os::kernel_thread_id() : sched::os_thread_under(block_of(thread));
}

// The kernel's part of a set.
uint64_t bits_of(const sigset_t* set) { return *reinterpret_cast<const uint64_t*>(set); }

int change_mask(Function function, int how, const sigset_t* set, sigset_t* before) {
  if (set == nullptr || !sched::has_own_signals()) return next(function, how, set, before);
  sched::begin_own_signals();
  uint64_t masked = os::signal_mask();
  if (how != SIG_UNBLOCK) sched::note_blocking(masked | bits_of(set));
  int result = next(function, how, set, before);
  if (result == 0)
    sched::note_signal_mask(masked);
  else
    sched::note_blocking(masked);
  return result;
}

siginfo_t info_of(int signal) {
  siginfo_t info = {};
  info.si_signo = signal;
  info.si_code = SI_TKILL;
  info.si_pid = os::process_id();
  info.si_uid = getuid();
  return info;
}

// A signal that was sent to the member, or one that the C library waits for. Where the member is told of a signal
// meanwhile that wait ends early, and finds it the next time.
template <class... Arguments>
int await_info(Function function, const sigset_t* set, siginfo_t* info, Arguments... timeout) {
  for (;;) {
    if (int signal = sched::begin_await(bits_of(set))) {
      if (info != nullptr) *info = info_of(signal);
      return signal;
    }
    int result = wait_anywhere(function, set, info, timeout...);
    bool told = sched::end_await();
    if (result >= 0 || errno != EINTR || !told) return result;
  }
}

// The first of the set that would have an effect. All signals are blocked.
siginfo_t take_signal(uint64_t awaited) {
  sigset_t set;
  memset(&set, 0, sizeof set);
  memcpy(&set, &awaited, sizeof awaited);
  for (;;) {
    siginfo_t info;
    int signal = sched::begin_await(awaited);
    if (signal != 0)
      info = info_of(signal);
    else
      signal = next(kSigtimedwait, &set, &info, static_cast<const timespec*>(nullptr));
    sched::end_await();
    if (signal > 0 && !os::is_ignored(signal)) return info;
  }
}

}  // namespace

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_sigmask, "2.2.5"), TULLE_AT(pthread_sigmask, "2.32"))
int member_sigmask(int how, const sigset_t* set, sigset_t* before) {
  return change_mask(kSigmask, how, set, before);
}

TULLE_OF_LIBC(TULLE_OLD_AT(sigprocmask, "2.2.5"))
int member_process_mask(int how, const sigset_t* set, sigset_t* before) {
  return change_mask(kProcessMask, how, set, before);
}

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_kill, "2.2.5"), TULLE_AT(pthread_kill, "2.34"))
int member_kill(pthread_t thread, int signal) {
  bool known = signal > 0 && signal <= 64 && (os::kAllSignals >> (signal - 1) & 1) != 0;
  if (known && sched::send_signal(block_of(thread), signal)) return 0;
  return next(kKill, thread, signal);
}

TULLE_OF_LIBC(TULLE_OLD_AT(sigwait, "2.2.5"))
int member_sigwait(const sigset_t* set, int* signal) {
  *signal = sched::begin_await(bits_of(set));
  if (*signal != 0) return 0;
  int result = wait_anywhere(kSigwait, set, signal);
  sched::end_await();
  return result;
}

TULLE_OF_LIBC(TULLE_OLD_AT(sigwaitinfo, "2.2.5"))
int member_sigwaitinfo(const sigset_t* set, siginfo_t* info) { return await_info(kSigwaitInfo, set, info); }

TULLE_OF_LIBC(TULLE_OLD_AT(sigtimedwait, "2.2.5"))
int member_sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* timeout) {
  return await_info(kSigtimedwait, set, info, timeout);
}

// The handlers by which collectors stop threads wait here. What the runtime tells a member ends sigsuspend() as a handler of
// the program's does, and which it was cannot be seen. So a signal is taken while all are blocked and no handler begins,
// and comes again in a call that it ends. tests/models/sigsuspend.pml is the model of it.
TULLE_OF_LIBC(TULLE_OLD_AT(sigsuspend, "2.2.5"))
int member_sigsuspend(const sigset_t* set) {
  if (!sched::may_be_disturbed()) return next(kSigsuspend, set);
  const sched::SignalSet outer = sched::awaited_now();
  const uint64_t before = os::set_signal_mask(os::kAllSignals);
  siginfo_t info = take_signal(os::kAllSignals & ~bits_of(set));
  os::raise_again(info);
  do {
    next(kSigsuspend, set);
  } while ((os::pending_signals() >> (info.si_signo - 1) & 1) != 0);
  os::set_signal_mask(before);
  sched::await_again(outer);
  errno = EINTR;
  return -1;
}

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_setaffinity_np, "2.3.4"), TULLE_AT(pthread_setaffinity_np, "2.34"))
int member_setaffinity(pthread_t thread, size_t bytes, const cpu_set_t* set) {
  int id = os_thread_of(thread);
  if (id == 0) return next(kSetAffinity, thread, bytes, set);
  os::KeepErrno keep;
  return sched_setaffinity(id, bytes, set) == 0 ? 0 : errno;
}

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_getaffinity_np, "2.3.4"), TULLE_AT(pthread_getaffinity_np, "2.32"))
int member_getaffinity(pthread_t thread, size_t bytes, cpu_set_t* set) {
  int id = os_thread_of(thread);
  if (id == 0) return next(kGetAffinity, thread, bytes, set);
  os::KeepErrno keep;
  return sched_getaffinity(id, bytes, set) == 0 ? 0 : errno;
}

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_getcpuclockid, "2.2.5"), TULLE_AT(pthread_getcpuclockid, "2.34"))
int member_clock(pthread_t thread, clockid_t* clock) {
  int id = os_thread_of(thread);
  if (id == 0) return next(kClock, thread, clock);
  *clock = os::cpu_clock_of(id);
  return 0;
}
