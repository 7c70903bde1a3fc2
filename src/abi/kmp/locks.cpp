// SPDX-License-Identifier: Apache-2.0
//
// omp_lock_t and omp_nest_lock_t as Clang's and Intel's compilers call them: eight bytes of the
// program's. Nest locks belong to the current task.
#include "abi/kmp/layout.h"
#include "omp/sync/lock.h"
#include "omp/task/task_bare.h"

namespace tulle::kmp {
namespace {

omp::Lock& lock_at(void* storage) { return *static_cast<omp::Lock*>(storage); }
omp::NestLock& nest_lock_at(void* storage) { return *static_cast<omp::NestLock*>(storage); }
const void* owner() { return omp::recorded_task(omp::self_or_attach()); }

}  // namespace

TULLE_KMP void __kmpc_init_lock(Ident*, int32_t, void* lock) { lock_at(lock).init(); }
TULLE_KMP void __kmpc_init_lock_with_hint(Ident*, int32_t, void* lock, uintptr_t) {
  lock_at(lock).init();
}
TULLE_KMP void __kmpc_destroy_lock(Ident*, int32_t, void* lock) { lock_at(lock).destroy(); }
TULLE_KMP void __kmpc_set_lock(Ident*, int32_t, void* lock) { lock_at(lock).set(); }
TULLE_KMP void __kmpc_unset_lock(Ident*, int32_t, void* lock) { lock_at(lock).unset(); }
TULLE_KMP int32_t __kmpc_test_lock(Ident*, int32_t, void* lock) { return lock_at(lock).try_set(); }

TULLE_KMP void __kmpc_init_nest_lock(Ident*, int32_t, void* lock) { nest_lock_at(lock).init(); }
TULLE_KMP void __kmpc_init_nest_lock_with_hint(Ident*, int32_t, void* lock, uintptr_t) {
  nest_lock_at(lock).init();
}
TULLE_KMP void __kmpc_destroy_nest_lock(Ident*, int32_t, void* lock) {
  nest_lock_at(lock).destroy();
}
TULLE_KMP void __kmpc_set_nest_lock(Ident*, int32_t, void* lock) {
  nest_lock_at(lock).set(owner());
}
TULLE_KMP void __kmpc_unset_nest_lock(Ident*, int32_t, void* lock) {
  nest_lock_at(lock).unset(owner());
}
TULLE_KMP int32_t __kmpc_test_nest_lock(Ident*, int32_t, void* lock) {
  return nest_lock_at(lock).try_set(owner());
}

}  // namespace tulle::kmp
