// SPDX-License-Identifier: Apache-2.0
// The functions of the C library by which a program can tell that two of its OpenMP threads share an OS
// thread's record: the one list, with the reason for each. A module that imports none of them and has no
// thread-local variables is served by members without a record of their own.
//
// Not here, because both kinds of member give the same: gettid(), sched_getcpu(), sched_setaffinity() and
// prctl() ask the kernel about the OS thread, which is the worker; errno goes along by value; mutexes of
// the kinds that do not know their owner cannot be told from others where they are locked, so to lock any
// counts. Whoever looks for one of these functions by dlsym() is not seen.
#pragma once

namespace tulle::ult {

struct IdentityFunction {
  const char* name;
  const char* reason;
};

inline constexpr const char* kThreadName = "a thread is known by what it returns";
inline constexpr const char* kKey = "a value for each thread under a key";
inline constexpr const char* kOwner = "a recursive or checking lock knows its owner";
inline constexpr const char* kLocale = "a locale for each thread";
inline constexpr const char* kBuffer = "its result lies in a buffer of the thread's";
inline constexpr const char* kCancellation = "the C library keeps it for each thread";
inline constexpr const char* kSignals = "signals and their masks belong to a thread";
inline constexpr const char* kForkHandlers = "what it registers runs in the thread that forks, and takes locks";
inline constexpr const char* kDestructors = "destructors of a thread's own objects";
inline constexpr const char* kRestartable = "restartable sequences are registered for each thread";
inline constexpr const char* kOtherModules = "brings modules that may do any of this, also inside a region";

inline constexpr IdentityFunction kIdentityFunctions[] = {
    {"pthread_self", kThreadName},
    {"thrd_current", kThreadName},
    {"pthread_key_create", kKey},
    {"pthread_getspecific", kKey},
    {"pthread_setspecific", kKey},
    {"tss_create", kKey},
    {"tss_get", kKey},
    {"tss_set", kKey},
    {"pthread_mutex_lock", kOwner},
    {"pthread_mutex_trylock", kOwner},
    {"pthread_mutex_timedlock", kOwner},
    {"pthread_mutex_clocklock", kOwner},
    {"pthread_mutexattr_settype", kOwner},
    {"pthread_rwlock_rdlock", kOwner},
    {"pthread_rwlock_wrlock", kOwner},
    {"mtx_lock", kOwner},
    {"mtx_trylock", kOwner},
    {"mtx_timedlock", kOwner},
    {"flockfile", kOwner},
    {"ftrylockfile", kOwner},
    {"uselocale", kLocale},
    {"strerror", kBuffer},
    {"strsignal", kBuffer},
    {"inet_ntoa", kBuffer},
    {"dlerror", kBuffer},
    {"__h_errno_location", kBuffer},
    {"__res_state", kBuffer},
    {"pthread_setcancelstate", kCancellation},
    {"pthread_setcanceltype", kCancellation},
    {"pthread_sigmask", kSignals},
    {"sigprocmask", kSignals},
    {"pthread_kill", kSignals},
    {"pthread_sigqueue", kSignals},
    {"sigwait", kSignals},
    {"sigwaitinfo", kSignals},
    {"sigtimedwait", kSignals},
    {"sigsuspend", kSignals},
    {"pthread_atfork", kForkHandlers},
    {"__register_atfork", kForkHandlers},
    {"__cxa_thread_atexit", kDestructors},
    {"__cxa_thread_atexit_impl", kDestructors},
    {"__rseq_offset", kRestartable},
    {"dlopen", kOtherModules},
    {"dlmopen", kOtherModules},
};

}  // namespace tulle::ult
