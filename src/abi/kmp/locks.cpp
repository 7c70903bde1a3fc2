// SPDX-License-Identifier: Apache-2.0
//
// omp_lock_t and omp_nest_lock_t as Clang's and Intel's compilers call them: eight bytes of the
// program's. Nest locks belong to the current task.
#include "abi/kmp/layout.h"
#include "omp/sync/told_lock.h"
#include "omp/task/task_bare.h"

namespace tulle::kmp {
namespace {

constexpr omp::tool::MutexKind kLock = omp::tool::MutexKind::lock, kNestLock = omp::tool::MutexKind::nest_lock;

omp::Lock& lock_at(void* storage) { return *static_cast<omp::Lock*>(storage); }
omp::NestLock& nest_lock_at(void* storage) { return *static_cast<omp::NestLock*>(storage); }
const void* owner() { return omp::recorded_task(omp::self_or_attach()); }

}  // namespace

TULLE_KMP void __kmpc_init_lock(Ident*, int32_t, void* lock) { omp::init(lock_at(lock), kLock, 0); }
TULLE_KMP void __kmpc_init_lock_with_hint(Ident*, int32_t, void* lock, uintptr_t hint) {
  omp::init(lock_at(lock), kLock, static_cast<uint32_t>(hint));
}
TULLE_KMP void __kmpc_destroy_lock(Ident*, int32_t, void* lock) { omp::destroy(lock_at(lock), kLock); }
TULLE_KMP void __kmpc_set_lock(Ident*, int32_t, void* lock) { omp::enter(lock_at(lock), kLock); }
TULLE_KMP void __kmpc_unset_lock(Ident*, int32_t, void* lock) { omp::leave(lock_at(lock), kLock); }
TULLE_KMP int32_t __kmpc_test_lock(Ident*, int32_t, void* lock) { return omp::try_enter(lock_at(lock)); }

TULLE_KMP void __kmpc_init_nest_lock(Ident*, int32_t, void* lock) {
  omp::init(nest_lock_at(lock), kNestLock, 0);
}
TULLE_KMP void __kmpc_init_nest_lock_with_hint(Ident*, int32_t, void* lock, uintptr_t hint) {
  omp::init(nest_lock_at(lock), kNestLock, static_cast<uint32_t>(hint));
}
TULLE_KMP void __kmpc_destroy_nest_lock(Ident*, int32_t, void* lock) {
  omp::destroy(nest_lock_at(lock), kNestLock);
}
TULLE_KMP void __kmpc_set_nest_lock(Ident*, int32_t, void* lock) {
  omp::enter(nest_lock_at(lock), owner());
}
TULLE_KMP void __kmpc_unset_nest_lock(Ident*, int32_t, void* lock) {
  omp::leave(nest_lock_at(lock), owner());
}
TULLE_KMP int32_t __kmpc_test_nest_lock(Ident*, int32_t, void* lock) {
  return omp::try_enter(nest_lock_at(lock), owner());
}

}  // namespace tulle::kmp
