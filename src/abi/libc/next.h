// SPDX-License-Identifier: Apache-2.0
// Functions that stand in front of the C library's, where a program finds ours first: linked to the runtime, or with
// it preloaded (waits.cpp, announced.cpp, barriers.cpp, semaphores.cpp, members.cpp). Each has the versions that glibc
// gives it (the maps beside), hidden: they are found by programs that were linked to the C library, and by nobody who
// looks for a name alone. The runtime itself calls none of them. next() is the one that the program would have found
// without us, which may be another library's.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "base/cacheline.h"
#include "sched/blocking.h"

namespace tulle::libc {

enum Function : uint32_t {
  kYield, kOldYield, kCondWait, kCondTimedWait, kOldCondWait, kOldCondTimedWait, kCondClockWait,
  kCondSignal, kCondBroadcast, kBarrierInit, kBarrierDestroy, kBarrierShared, kBarrierWait,
  kJoin, kTimedJoin, kClockJoin, kSemWait, kSemTryWait, kSemTimedWait, kSemClockWait, kSemPost,
  kMutexLock, kMutexTryLock, kMutexTimedLock, kMutexClockLock, kNanosleep, kClockNanosleep, kUsleep, kSleep,
  kPoll, kPollChecked, kPpoll, kPpollChecked, kSelect, kPselect, kEpollWait, kEpollPwait, kEpollPwait2,
  kSystemCall, kSigmask, kProcessMask, kKill, kSigwait, kSigwaitInfo, kSigtimedwait, kSigsuspend, kSetAffinity, kGetAffinity,
  kClock, kFunctions
};

extern TULLE_NEAR std::atomic<void*> next_functions[kFunctions];

TULLE_COLD void* find_next(Function function);

template <class Result, class... Arguments>
inline Result call(void* function, Arguments... arguments) {
  return reinterpret_cast<Result (*)(Arguments...)>(function)(arguments...);
}

// Apart, so that next() is a jump that saves no registers.
template <class Result, class... Arguments>
TULLE_COLD Result find_and_call(Function name, Arguments... arguments) {
  if (void* function = find_next(name)) return call<Result>(function, arguments...);
  errno = ENOSYS;
  return static_cast<Result>(ENOSYS);
}

template <class Result = int, class... Arguments>
TULLE_INLINE Result next(Function name, Arguments... arguments) {
  void* function = next_functions[name].load(std::memory_order_relaxed);
  if (TULLE_UNLIKELY(function == nullptr)) return find_and_call<Result>(name, arguments...);
  return call<Result>(function, arguments...);
}

// A hint that costs two loads: the caller may be in a region.
inline bool may_be_seen() {
  return sched::waits_are_seen && sched::current_of_os_thread() != nullptr;
}

template <class Result = int, class... Arguments>
inline Result wait_in(sched::Caller caller, Function wait, Arguments... arguments) {
  if (TULLE_LIKELY(!may_be_seen())) return next<Result>(wait, arguments...);
  sched::begin_blocking(caller);
  auto result = next<Result>(wait, arguments...);
  sched::end_blocking();
  return result;
}

template <class Result = int, class... Arguments>
inline Result wait_as_thread(Function wait, Arguments... arguments) {
  return wait_in<Result>(sched::Caller::thread, wait, arguments...);
}

// Of functions that signal handlers may call.
template <class Result = int, class... Arguments>
inline Result wait_anywhere(Function wait, Arguments... arguments) {
  return wait_in<Result>(sched::Caller::maybe_handler, wait, arguments...);
}

// pthread_mutex_lock() as programs find it: whoever waits behind the caller goes on.
int lock_mutex(pthread_mutex_t* mutex);

}  // namespace tulle::libc

#define TULLE_AT(name, version) symver(#name "@GLIBC_" version)
#define TULLE_OLD_AT(name, version) symver(#name "@" TULLE_OLD_GLIBC(version))
#define TULLE_OF_LIBC(...) extern "C" __attribute__((visibility("default"), __VA_ARGS__))
