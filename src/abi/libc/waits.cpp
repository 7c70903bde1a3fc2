// SPDX-License-Identifier: Apache-2.0
// The C library's waits, where a program finds these first: linked to the runtime, or with it preloaded. A
// thread of a region that is about to wait there lets others have its core (sched/blocking.h);
// sched_yield() gives way to them (omp::give_way). All else is done by the function that the program
// would have found without us, which may be another library's. Waits that end by a call that is seen too are
// in announced.cpp, barriers.cpp and semaphores.cpp.
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

#include <cerrno>

#include "abi/libc/late.h"
#include "abi/libc/next.h"
#include "abi/libc/semaphores.h"
#include "arch/cpu.h"
#include "arch/symbol_versions.h"
#include "omp/task/task_wait.h"
#include "os/clock.h"
#include "sched/blocking.h"
#include "sched/give_way.h"

namespace {

using namespace tulle::libc;

// Many a lock is free again before another OS thread could be woken.
int take_soon(pthread_mutex_t* mutex) {
  constexpr uint64_t kSoon = 1000;  // nanoseconds, a try after each pause
  if (tulle::sched::worker_in_region() == nullptr) return EBUSY;
  for (uint32_t tries = tulle::os::pauses_in(kSoon); tries != 0; --tries) {
    int result = next(kMutexTryLock, mutex);
    if (result != EBUSY) return result;
    tulle::arch::pause();
  }
  return EBUSY;
}

// Of a lock that somebody has.
template <class... Arguments>
TULLE_NOINLINE int lock_taken(Function wait, pthread_mutex_t* mutex, Arguments... arguments) {
  int result = take_soon(mutex);
  return result != EBUSY ? result : wait_as_thread(wait, mutex, arguments...);
}

// By the operating system alone: whoever locks may be an allocator that the runtime has called, or the host of a guest.
TULLE_INLINE void let_others_pass() {
  if (TULLE_LIKELY(!tulle::sched::spares_are_awake())) return;
  tulle::sched::Worker* w = tulle::sched::worker_in_region();
  if (w != nullptr && TULLE_UNLIKELY(tulle::sched::locks_keep_others(w))) tulle::os::yield_core();
}

// By trying first: a look at the mutex could be out of date when the call comes, which would then wait without a word.
template <class... Arguments>
TULLE_NOINLINE int lock_in_region(Function wait, pthread_mutex_t* mutex, Arguments... arguments) {
  let_others_pass();
  int result = next(kMutexTryLock, mutex);
  return TULLE_LIKELY(result != EBUSY) ? result : lock_taken(wait, mutex, arguments...);
}

TULLE_INLINE bool locks_as_ever() { return tulle::sched::is_outside_of_regions() || !tulle::sched::waits_are_seen; }

int find_and_lock(pthread_mutex_t* mutex);

// next(kMutexLock, ...) without a look whether it was found. Relaxed: all who look find the same.
constinit std::atomic<int (*)(pthread_mutex_t*)> next_lock{find_and_lock};

int find_and_lock(pthread_mutex_t* mutex) {
  void* found = next_functions[kMutexLock].load(std::memory_order_relaxed);
  if (found != nullptr) next_lock.store(reinterpret_cast<int (*)(pthread_mutex_t*)>(found), std::memory_order_relaxed);
  return next(kMutexLock, mutex);
}

// Libraries that lock for each of their calls, MPIs say, pay for what stands here: outside of regions a jump, and no
// register saved.
TULLE_INLINE int lock(pthread_mutex_t* mutex) {
  if (TULLE_LIKELY(locks_as_ever())) return next_lock.load(std::memory_order_relaxed)(mutex);
  return lock_in_region(kMutexLock, mutex);
}

template <class... Arguments>
TULLE_INLINE int lock_in_time(Function wait, pthread_mutex_t* mutex, Arguments... arguments) {
  if (TULLE_LIKELY(locks_as_ever())) return next(wait, mutex, arguments...);
  return lock_in_region(wait, mutex, arguments...);
}

int yield_in(Function wait) { return may_be_seen() && tulle::omp::give_way() ? 0 : next(wait); }

// Of functions that look at files; at once: with a timeout of nothing they only look.
template <class... Arguments>
int look_or_wait(bool at_once, Function wait, Arguments... arguments) {
  return at_once ? next(wait, arguments...) : wait_anywhere(wait, arguments...);
}

bool is_zero(const timespec* time) { return time != nullptr && time->tv_sec == 0 && time->tv_nsec == 0; }
bool is_zero(const timeval* time) { return time != nullptr && time->tv_sec == 0 && time->tv_usec == 0; }

}  // namespace

int tulle::libc::lock_mutex(pthread_mutex_t* mutex) { return lock(mutex); }

TULLE_OF_LIBC(TULLE_OLD_AT(sched_yield, "2.2.5"))
int wait_sched_yield() { return yield_in(kYield); }

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_yield, "2.2.5"))
int wait_pthread_yield() { return yield_in(kOldYield); }

// Condition variables of programs linked before glibc 2.3.2: another layout.
TULLE_OF_LIBC(TULLE_AT_OLDEST(pthread_cond_wait))
int wait_old_cond_wait(void* condition, pthread_mutex_t* mutex) {
  return wait_as_thread(kOldCondWait, condition, mutex);
}

TULLE_OF_LIBC(TULLE_AT_OLDEST(pthread_cond_timedwait))
int wait_old_cond_timedwait(void* condition, pthread_mutex_t* mutex, const timespec* end) {
  return wait_as_thread(kOldCondTimedWait, condition, mutex, end);
}

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_join, "2.2.5"), TULLE_AT(pthread_join, "2.34"))
int wait_join(pthread_t thread, void** value) { return wait_as_thread(kJoin, thread, value); }

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_timedjoin_np, "2.3.3"), TULLE_AT(pthread_timedjoin_np, "2.34"))
int wait_timedjoin(pthread_t thread, void** value, const timespec* end) {
  return wait_as_thread(kTimedJoin, thread, value, end);
}

TULLE_OF_LIBC(TULLE_AT(pthread_clockjoin_np, "2.31"), TULLE_AT(pthread_clockjoin_np, "2.34"))
int wait_clockjoin(pthread_t thread, void** value, clockid_t clock, const timespec* end) {
  return wait_as_thread(kClockJoin, thread, value, clock, end);
}

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_mutex_lock, "2.2.5"))
int wait_mutex_lock(pthread_mutex_t* mutex) { return lock(mutex); }

TULLE_OF_LIBC(TULLE_OLD_AT(pthread_mutex_timedlock, "2.2.5"), TULLE_AT(pthread_mutex_timedlock, "2.34"))
int wait_mutex_timedlock(pthread_mutex_t* mutex, const timespec* end) {
  return lock_in_time(kMutexTimedLock, mutex, end);
}

TULLE_OF_LIBC(TULLE_AT(pthread_mutex_clocklock, "2.30"), TULLE_AT(pthread_mutex_clocklock, "2.34"))
int wait_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* end) {
  return lock_in_time(kMutexClockLock, mutex, clock, end);
}

TULLE_OF_LIBC(TULLE_OLD_AT(nanosleep, "2.2.5"))
int wait_nanosleep(const timespec* time, timespec* left) { return wait_anywhere(kNanosleep, time, left); }

TULLE_OF_LIBC(TULLE_AT_OLDEST(clock_nanosleep), TULLE_AT(clock_nanosleep, "2.17"))
int wait_clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  return wait_anywhere(kClockNanosleep, clock, flags, time, left);
}

TULLE_OF_LIBC(TULLE_OLD_AT(usleep, "2.2.5"))
int wait_usleep(useconds_t time) { return wait_anywhere(kUsleep, time); }

TULLE_OF_LIBC(TULLE_OLD_AT(sleep, "2.2.5"))
unsigned wait_sleep(unsigned time) { return wait_anywhere<unsigned>(kSleep, time); }

TULLE_OF_LIBC(TULLE_OLD_AT(poll, "2.2.5"))
int wait_poll(pollfd* files, nfds_t count, int timeout) {
  return look_or_wait(timeout == 0, kPoll, files, count, timeout);
}

// As programs call it that were built with _FORTIFY_SOURCE; so with ppoll.
TULLE_OF_LIBC(TULLE_OLD_AT(__poll_chk, "2.16"))
int wait_poll_checked(pollfd* files, nfds_t count, int timeout, size_t room) {
  return look_or_wait(timeout == 0, kPollChecked, files, count, timeout, room);
}

TULLE_OF_LIBC(TULLE_OLD_AT(ppoll, "2.4"))
int wait_ppoll(pollfd* files, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  return look_or_wait(is_zero(timeout), kPpoll, files, count, timeout, mask);
}

TULLE_OF_LIBC(TULLE_OLD_AT(__ppoll_chk, "2.16"))
int wait_ppoll_checked(pollfd* files, nfds_t count, const timespec* timeout, const sigset_t* mask,
                       size_t room) {
  return look_or_wait(is_zero(timeout), kPpollChecked, files, count, timeout, mask, room);
}

TULLE_OF_LIBC(TULLE_OLD_AT(select, "2.2.5"))
int wait_select(int count, fd_set* in, fd_set* out, fd_set* urgent, timeval* timeout) {
  return look_or_wait(is_zero(timeout), kSelect, count, in, out, urgent, timeout);
}

TULLE_OF_LIBC(TULLE_OLD_AT(pselect, "2.2.5"))
int wait_pselect(int count, fd_set* in, fd_set* out, fd_set* urgent, const timespec* timeout,
                 const sigset_t* mask) {
  return look_or_wait(is_zero(timeout), kPselect, count, in, out, urgent, timeout, mask);
}

TULLE_OF_LIBC(TULLE_OLD_AT(epoll_wait, "2.3.2"))
int wait_epoll_wait(int set, epoll_event* events, int room, int timeout) {
  return look_or_wait(timeout == 0, kEpollWait, set, events, room, timeout);
}

TULLE_OF_LIBC(TULLE_OLD_AT(epoll_pwait, "2.6"))
int wait_epoll_pwait(int set, epoll_event* events, int room, int timeout, const sigset_t* mask) {
  return look_or_wait(timeout == 0, kEpollPwait, set, events, room, timeout, mask);
}

TULLE_OF_LIBC(TULLE_AT(epoll_pwait2, "2.35"))
int wait_epoll_pwait2(int set, epoll_event* events, int room, const timespec* timeout,
                      const sigset_t* mask) {
  return look_or_wait(is_zero(timeout), kEpollPwait2, set, events, room, timeout, mask);
}

const Replacement tulle::libc::kReplacements[] = {
    {"sched_yield", kYield, reinterpret_cast<const void*>(wait_sched_yield)},
    {"pthread_yield", kOldYield, reinterpret_cast<const void*>(wait_pthread_yield)},
    {"pthread_join", kJoin, reinterpret_cast<const void*>(wait_join)},
    {"pthread_timedjoin_np", kTimedJoin, reinterpret_cast<const void*>(wait_timedjoin)},
    {"pthread_clockjoin_np", kClockJoin, reinterpret_cast<const void*>(wait_clockjoin)},
    {"sem_wait", kSemWait, reinterpret_cast<const void*>(wait_sem_wait)},
    {"sem_timedwait", kSemTimedWait, reinterpret_cast<const void*>(wait_sem_timedwait)},
    {"sem_clockwait", kSemClockWait, reinterpret_cast<const void*>(wait_sem_clockwait)},
    {"sem_post", kSemPost, reinterpret_cast<const void*>(announce_sem_post)},
    {"pthread_mutex_lock", kMutexLock, reinterpret_cast<const void*>(wait_mutex_lock)},
    {"pthread_mutex_timedlock", kMutexTimedLock, reinterpret_cast<const void*>(wait_mutex_timedlock)},
    {"pthread_mutex_clocklock", kMutexClockLock, reinterpret_cast<const void*>(wait_mutex_clocklock)},
    {"nanosleep", kNanosleep, reinterpret_cast<const void*>(wait_nanosleep)},
    {"clock_nanosleep", kClockNanosleep, reinterpret_cast<const void*>(wait_clock_nanosleep)},
    {"usleep", kUsleep, reinterpret_cast<const void*>(wait_usleep)},
    {"sleep", kSleep, reinterpret_cast<const void*>(wait_sleep)},
    {"poll", kPoll, reinterpret_cast<const void*>(wait_poll)},
    {"__poll_chk", kPollChecked, reinterpret_cast<const void*>(wait_poll_checked)},
    {"ppoll", kPpoll, reinterpret_cast<const void*>(wait_ppoll)},
    {"__ppoll_chk", kPpollChecked, reinterpret_cast<const void*>(wait_ppoll_checked)},
    {"select", kSelect, reinterpret_cast<const void*>(wait_select)},
    {"pselect", kPselect, reinterpret_cast<const void*>(wait_pselect)},
    {"epoll_wait", kEpollWait, reinterpret_cast<const void*>(wait_epoll_wait)},
    {"epoll_pwait", kEpollPwait, reinterpret_cast<const void*>(wait_epoll_pwait)},
    {"epoll_pwait2", kEpollPwait2, reinterpret_cast<const void*>(wait_epoll_pwait2)},
    {nullptr, kFunctions, nullptr},
};
