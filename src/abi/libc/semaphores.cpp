// SPDX-License-Identifier: Apache-2.0
// The C library's semaphores, which stay its own: a member that waits for one is suspended (sched/program_wait.h), and
// whoever posts one has it look. A post that is not seen leaves what it posted at the semaphore, where the member
// finds it after some milliseconds; from then on it blocks its OS thread.
//
// Ordering: a member lists its wait (a full fence), then tries to have what was posted; who posts does that, passes a
// full fence, and looks who waits. One of the two sees the other.
#include "abi/libc/semaphores.h"

#include "abi/libc/next.h"
#include "abi/libc/suspended.h"
#include "arch/cpu.h"
#include "arch/symbol_versions.h"
#include "sched/program_wait.h"

namespace {

using namespace tulle::libc;
using tulle::sched::ProgramWait;

bool try_semaphore(sem_t* semaphore) {
  int before = errno;
  if (next(kSemTryWait, semaphore) == 0) return true;
  errno = before;
  return false;
}

// False: it has to be waited for by the OS thread.
template <class MaySuspend>
bool await_suspended(sem_t* semaphore, MaySuspend may_suspend) {
  while (may_suspend()) {
    ProgramWait wait(semaphore, ProgramWait::Ends::to_look);
    wait.begin();
    if (try_semaphore(semaphore)) {
      if (wait.give_up()) tulle::sched::announce(semaphore, 1);
      return true;
    }
    wait.await();
    if (try_semaphore(semaphore)) return true;
  }
  return false;
}

bool await_until(sem_t* semaphore, clockid_t clock, const timespec* end) {
  return may_be_seen() && (try_semaphore(semaphore) || await_suspended(semaphore, [=] {
           return may_suspend(semaphore) && is_far(clock, end);
         }));
}

}  // namespace

TULLE_OF_LIBC(TULLE_OLD_AT(sem_wait, "2.2.5"), TULLE_AT(sem_wait, "2.34"))
int wait_sem_wait(sem_t* semaphore) {
  if (may_be_seen() &&
      (try_semaphore(semaphore) || await_suspended(semaphore, [=] { return may_suspend(semaphore); })))
    return 0;
  return wait_as_thread(kSemWait, semaphore);
}

TULLE_OF_LIBC(TULLE_OLD_AT(sem_timedwait, "2.2.5"), TULLE_AT(sem_timedwait, "2.34"))
int wait_sem_timedwait(sem_t* semaphore, const timespec* end) {
  return await_until(semaphore, CLOCK_REALTIME, end) ? 0 : wait_as_thread(kSemTimedWait, semaphore, end);
}

TULLE_OF_LIBC(TULLE_AT(sem_clockwait, "2.30"), TULLE_AT(sem_clockwait, "2.34"))
int wait_sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* end) {
  return await_until(semaphore, clock, end) ? 0 : wait_as_thread(kSemClockWait, semaphore, clock, end);
}

TULLE_OF_LIBC(TULLE_OLD_AT(sem_post, "2.2.5"), TULLE_AT(sem_post, "2.34"))
int announce_sem_post(sem_t* semaphore) {
  int result = next(kSemPost, semaphore);
  if (result == 0 && tulle::sched::waits_are_seen) {
    tulle::arch::full_fence();
    tulle::sched::announce_anywhere(semaphore);
  }
  return result;
}
