// SPDX-License-Identifier: Apache-2.0
// Contracts of locks: the data that they guard and the functions that need them, as Clang checks them
// (-Wthread-safety; tests/check_locks.py). Other compilers see nothing.
#pragma once

#if defined(__clang__)
#define TULLE_LOCK_CONTRACT(x) __attribute__((x))
#else
#define TULLE_LOCK_CONTRACT(x)
#endif

#define TULLE_CAPABILITY TULLE_LOCK_CONTRACT(capability("lock"))
#define TULLE_SCOPED_LOCK TULLE_LOCK_CONTRACT(scoped_lockable)
#define TULLE_ACQUIRES(...) TULLE_LOCK_CONTRACT(acquire_capability(__VA_ARGS__))
#define TULLE_ACQUIRES_SHARED(...) TULLE_LOCK_CONTRACT(acquire_shared_capability(__VA_ARGS__))
#define TULLE_TRIES(...) TULLE_LOCK_CONTRACT(try_acquire_capability(__VA_ARGS__))
#define TULLE_RELEASES(...) TULLE_LOCK_CONTRACT(release_capability(__VA_ARGS__))

// A variable: read and written under the lock alone.
#define TULLE_GUARDED_BY(lock) TULLE_LOCK_CONTRACT(guarded_by(lock))
// A function: called under the lock.
#define TULLE_UNDER(...) TULLE_LOCK_CONTRACT(requires_capability(__VA_ARGS__))
#define TULLE_UNDER_SHARED(...) TULLE_LOCK_CONTRACT(requires_shared_capability(__VA_ARGS__))
// A function that is right without: nobody else is there, in the child after fork() say.
#define TULLE_WITHOUT_LOCKS TULLE_LOCK_CONTRACT(no_thread_safety_analysis)
