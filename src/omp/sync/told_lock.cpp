// SPDX-License-Identifier: Apache-2.0
#include "omp/sync/told_lock.h"

#include "omp/tool/called.h"
#include "omp/tool/events.h"

namespace tulle::omp {

using tool::MutexKind;

namespace {

const void* in_program(const void* code) { return tool::in_program(self_or_attach(), code); }

}  // namespace

void told_enter(Lock& lock, MutexKind kind, const void* code) {
  tool::acquire(self_or_attach(), kind, &lock, in_program(code));
  lock.set();
  tool::acquired(self(), kind, &lock, in_program(code));
}

bool told_try(Lock& lock, const void* code) {
  tool::acquire(self_or_attach(), MutexKind::test_lock, &lock, in_program(code));
  const bool got = lock.try_set();
  if (got)
    tool::acquired(self(), MutexKind::test_lock, &lock, in_program(code));
  else
    tool::not_acquired(self());
  return got;
}

void told_leave(Lock& lock, MutexKind kind, const void* code) {
  lock.unset();
  tool::released(kind, &lock, in_program(code));
}

namespace {

void tell_got(NestLock& lock, MutexKind kind, int count, const void* code) {
  if (count == 1) return tool::acquired(self(), kind, &lock, in_program(code));
  tool::not_acquired(self());
  if (count > 1) tool::nest_again(tool::Endpoint::begin, &lock, in_program(code));
}

}  // namespace

int told_enter(NestLock& lock, const void* owner, const void* code) {
  tool::acquire(self_or_attach(), MutexKind::nest_lock, &lock, in_program(code));
  const int count = lock.set(owner);
  tell_got(lock, MutexKind::nest_lock, count, code);
  return count;
}

int told_try(NestLock& lock, const void* owner, const void* code) {
  tool::acquire(self_or_attach(), MutexKind::test_nest_lock, &lock, in_program(code));
  const int count = lock.try_set(owner);
  tell_got(lock, MutexKind::test_nest_lock, count, code);
  return count;
}

int told_leave(NestLock& lock, const void* owner, const void* code) {
  const bool held = lock.is_held_by(owner);
  const int left = lock.unset(owner);
  if (!held) return left;
  if (left == 0)
    tool::released(MutexKind::nest_lock, &lock, in_program(code));
  else
    tool::nest_again(tool::Endpoint::end, &lock, in_program(code));
  return left;
}

void told_init(const void* lock, MutexKind kind, uint32_t hint, const void* code) {
  tool::known(self_or_attach());
  tool::lock_init(kind, hint, lock, in_program(code));
}

void told_destroy(const void* lock, MutexKind kind, const void* code) {
  tool::known(self_or_attach());
  tool::lock_destroy(kind, lock, in_program(code));
}

}  // namespace tulle::omp
