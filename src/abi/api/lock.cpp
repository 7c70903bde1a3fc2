// SPDX-License-Identifier: Apache-2.0
// Lock routines (OpenMP 5.2 §18.9). The state fits the smallest lock that any compiler declares (see
// omp/sync/lock.h), so all forms and versions share it: Fortran's integers, GCC's and clang's structures,
// and the locks of OpenMP 2.5 (OMP_1.0), which threads own instead of tasks. Hints change nothing.
#include "omp/sync/told_lock.h"

#include "abi/api/entry.h"
#include "omp/task/task_bare.h"

using namespace tulle;
using tulle::omp::Lock;
using tulle::omp::NestLock;

namespace {

constexpr omp::tool::MutexKind kLock = omp::tool::MutexKind::lock, kNestLock = omp::tool::MutexKind::nest_lock;

const void* task_owner() { return omp::recorded_task(omp::self_or_attach()); }
const void* thread_owner() { return omp::self_or_attach(); }
static_assert(alignof(omp::Task) >= NestLock::kOwnerAlignment);
static_assert(alignof(omp::Thread) >= NestLock::kOwnerAlignment);

}  // namespace

#define TULLE_LOCK(type, name, lock)                                                       \
  TULLE_EXPORT(TULLE_SYMBOL(name, "OMP_3.0"), TULLE_SYMBOL(name##_, "OMP_3.0"),            \
               symver(#name "@OMP_1.0"), symver(#name "_@OMP_1.0"))                        \
  type api_##name(lock* object)

// A routine on nest locks whose effect depends on who owns them.
#define TULLE_OWNED_LOCK(type, name)                                                       \
  TULLE_EXPORT(TULLE_SYMBOL(name, "OMP_3.0"), TULLE_SYMBOL(name##_, "OMP_3.0"))            \
  type api_##name(NestLock* object)
#define TULLE_OWNED_LOCK_2_5(type, name)                                                   \
  TULLE_EXPORT(symver(#name "@OMP_1.0"), symver(#name "_@OMP_1.0"))                        \
  type api_##name##_2_5(NestLock* object)

TULLE_LOCK(void, omp_init_lock, Lock) { omp::init(*object, kLock, 0); }
TULLE_LOCK(void, omp_destroy_lock, Lock) { omp::destroy(*object, kLock); }
TULLE_LOCK(void, omp_set_lock, Lock) { omp::enter(*object, kLock); }
TULLE_LOCK(void, omp_unset_lock, Lock) { omp::leave(*object, kLock); }
TULLE_LOCK(int32_t, omp_test_lock, Lock) { return omp::try_enter(*object); }

TULLE_LOCK(void, omp_init_nest_lock, NestLock) { omp::init(*object, kNestLock, 0); }
TULLE_LOCK(void, omp_destroy_nest_lock, NestLock) { omp::destroy(*object, kNestLock); }
TULLE_OWNED_LOCK(void, omp_set_nest_lock) { omp::enter(*object, task_owner()); }
TULLE_OWNED_LOCK(void, omp_unset_nest_lock) { omp::leave(*object, task_owner()); }
TULLE_OWNED_LOCK(int32_t, omp_test_nest_lock) { return omp::try_enter(*object, task_owner()); }
TULLE_OWNED_LOCK_2_5(void, omp_set_nest_lock) { omp::enter(*object, thread_owner()); }
TULLE_OWNED_LOCK_2_5(void, omp_unset_nest_lock) { omp::leave(*object, thread_owner()); }
TULLE_OWNED_LOCK_2_5(int32_t, omp_test_nest_lock) { return omp::try_enter(*object, thread_owner()); }

TULLE_LLVM(void, omp_init_lock_with_hint, Lock* lock, uint32_t hint) {
  omp::init(*lock, kLock, hint);
}
TULLE_LLVM(void, omp_init_nest_lock_with_hint, NestLock* lock, uint32_t hint) {
  omp::init(*lock, kNestLock, hint);
}
TULLE_LLVM(void, omp_init_lock_with_hint_, Lock* lock, const uint32_t* hint) {
  omp::init(*lock, kLock, *hint);
}
TULLE_LLVM(void, omp_init_nest_lock_with_hint_, NestLock* lock, const uint32_t* hint) {
  omp::init(*lock, kNestLock, *hint);
}
