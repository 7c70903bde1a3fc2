// SPDX-License-Identifier: Apache-2.0
// The C library's waits that end by calls that are seen as well: condition variables, and the futex calls by which
// C++'s futures, latches and atomics wait. A member that waits so is suspended (sched/program_wait.h). Waits whose time
// limit is near, those of explicit tasks, and those amid another library's call block their OS thread.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

#include "abi/libc/next.h"
#include "abi/libc/suspended.h"
#include "arch/cpu.h"
#include "arch/symbol_versions.h"
#include "sched/program_wait.h"

namespace {

using namespace tulle::libc;
using tulle::sched::ProgramWait;

// The mutex is let go of before the member is suspended: it may know its owner by the OS thread.
int await_condition(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  ProgramWait wait(condition);
  wait.begin();
  if (int error = pthread_mutex_unlock(mutex); error != 0) {
    wait.give_up();
    return error;
  }
  wait.await();
  return lock_mutex(mutex);
}

// Another process may announce what lies in memory that is shared.
bool is_private(const pthread_cond_t* condition) { return (condition->__data.__wrefs & 1) == 0; }

clockid_t clock_of(const pthread_cond_t* condition) {
  return (condition->__data.__wrefs & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

bool may_suspend_until(const pthread_cond_t* condition, clockid_t clock, const timespec* end) {
  return may_suspend(condition) && is_far(clock, end);
}

uint32_t* word_at(long address) { return reinterpret_cast<uint32_t*>(address); }

const timespec* time_at(long address) { return reinterpret_cast<const timespec*>(address); }

// Of a word that another process shares the wait is short, and then the operating system's.
bool is_suspendable_wait(long operation, const timespec* limit, long bits) {
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      return limit == nullptr || tulle::sched::would_end_within(nanoseconds_of(*limit));
    case FUTEX_WAIT_BITSET:
      return static_cast<uint32_t>(bits) == FUTEX_BITSET_MATCH_ANY &&
             (limit == nullptr ||
              is_far((operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, limit));
    default:
      return false;
  }
}

long await_futex(uint32_t* word, uint32_t expected) {
  ProgramWait wait(word);
  wait.begin();
  if (__atomic_load_n(word, __ATOMIC_SEQ_CST) == expected) {
    wait.await();
    return 0;
  }
  wait.give_up();
  errno = EAGAIN;
  return -1;
}

bool waits_at_futex(long operation) {
  long command = operation & FUTEX_CMD_MASK;
  return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET || command == FUTEX_LOCK_PI;
}

}  // namespace

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_cond_wait, "2.3.2"))
int wait_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (TULLE_UNLIKELY(may_be_seen()) && is_private(condition) && may_suspend(condition))
    return await_condition(condition, mutex);
  return wait_as_thread(kCondWait, condition, mutex);
}

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_cond_timedwait, "2.3.2"))
int wait_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* end) {
  if (TULLE_UNLIKELY(may_be_seen()) && is_private(condition) &&
      may_suspend_until(condition, clock_of(condition), end))
    return await_condition(condition, mutex);
  return wait_as_thread(kCondTimedWait, condition, mutex, end);
}

TULLE_OF_LIBC(TULLE_AT(pthread_cond_clockwait, "2.30"), TULLE_AT(pthread_cond_clockwait, "2.34"))
int wait_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* end) {
  if (TULLE_UNLIKELY(may_be_seen()) && is_private(condition) && may_suspend_until(condition, clock, end))
    return await_condition(condition, mutex);
  return wait_as_thread(kCondClockWait, condition, mutex, clock, end);
}

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_cond_signal, "2.3.2"))
int announce_cond_signal(pthread_cond_t* condition) {
  return tulle::sched::announce(condition, 1) != 0 ? 0 : next(kCondSignal, condition);
}

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_cond_broadcast, "2.3.2"))
int announce_cond_broadcast(pthread_cond_t* condition) {
  tulle::sched::announce(condition, UINT32_MAX);
  return next(kCondBroadcast, condition);
}

TULLE_OF_LIBC(TULLE_OLD_AT(syscall, "2.2.5"))
long wait_system_call(long number, long a, long b, long c, long d, long e, long f) {
  if (TULLE_LIKELY(number != SYS_futex)) return next<long>(kSystemCall, number, a, b, c, d, e, f);
  if ((b & ~FUTEX_PRIVATE_FLAG) == FUTEX_WAKE) {
    tulle::arch::full_fence();  // before the look who waits
    uint32_t woken = tulle::sched::announce(word_at(a), static_cast<uint32_t>(c));
    if (woken == static_cast<uint32_t>(c)) return woken;
    return woken + next<long>(kSystemCall, number, a, b, c - static_cast<long>(woken), d, e, f);
  }
  if (!waits_at_futex(b)) return next<long>(kSystemCall, number, a, b, c, d, e, f);
  if (may_be_seen() && may_suspend(word_at(a)) && is_suspendable_wait(b, time_at(d), f))
    return await_futex(word_at(a), static_cast<uint32_t>(c));
  return wait_anywhere<long>(kSystemCall, number, a, b, c, d, e, f);
}
