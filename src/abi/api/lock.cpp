// SPDX-License-Identifier: Apache-2.0
// Lock routines (OpenMP 5.2 §18.9). The state fits the smallest lock that any compiler declares (see
// omp/sync/lock.h), so all forms and versions share it: Fortran's integers, GCC's and clang's structures,
// and the locks of OpenMP 2.5 (OMP_1.0), which threads own instead of tasks. Hints change nothing.
#include "omp/sync/lock.h"

#include "abi/api/entry.h"
#include "omp/task/task_bare.h"

using namespace tulle;
using tulle::omp::Lock;
using tulle::omp::NestLock;

namespace {

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

TULLE_LOCK(void, omp_init_lock, Lock) { object->init(); }
TULLE_LOCK(void, omp_destroy_lock, Lock) { object->destroy(); }
TULLE_LOCK(void, omp_set_lock, Lock) { object->set(); }
TULLE_LOCK(void, omp_unset_lock, Lock) { object->unset(); }
TULLE_LOCK(int32_t, omp_test_lock, Lock) { return object->try_set(); }

TULLE_LOCK(void, omp_init_nest_lock, NestLock) { object->init(); }
TULLE_LOCK(void, omp_destroy_nest_lock, NestLock) { object->destroy(); }
TULLE_OWNED_LOCK(void, omp_set_nest_lock) { object->set(task_owner()); }
TULLE_OWNED_LOCK(void, omp_unset_nest_lock) { object->unset(task_owner()); }
TULLE_OWNED_LOCK(int32_t, omp_test_nest_lock) { return object->try_set(task_owner()); }
TULLE_OWNED_LOCK_2_5(void, omp_set_nest_lock) { object->set(thread_owner()); }
TULLE_OWNED_LOCK_2_5(void, omp_unset_nest_lock) { object->unset(thread_owner()); }
TULLE_OWNED_LOCK_2_5(int32_t, omp_test_nest_lock) { return object->try_set(thread_owner()); }

TULLE_LLVM(void, omp_init_lock_with_hint, Lock* lock, uint32_t) { lock->init(); }
TULLE_LLVM(void, omp_init_nest_lock_with_hint, NestLock* lock, uint32_t) { lock->init(); }
TULLE_LLVM(void, omp_init_lock_with_hint_, Lock* lock, const uint32_t*) { lock->init(); }
TULLE_LLVM(void, omp_init_nest_lock_with_hint_, NestLock* lock, const uint32_t*) { lock->init(); }
