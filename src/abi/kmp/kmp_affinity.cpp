// SPDX-License-Identifier: Apache-2.0
//
// kmp_*_affinity: masks of processors as objects of the program's, and the mask of the OS thread that
// carries the caller. A thread of a flat team stays on its worker; others may move, and find there
// what that one's thread set.
#include <unistd.h>

#include <cstdlib>
#include <new>

#include "abi/kmp/layout.h"
#include "base/cpu_set.h"
#include "os/cpus.h"
#include "os/report.h"

namespace tulle::kmp {
namespace {

constexpr int32_t kOutOfRange = -1;
constexpr int32_t kNotUsable = -2;
constexpr int32_t kFailed = -1;

// The CPUs of the process: the mask of its initial thread.
CpuSet initial_mask() {
  CpuSet mask;
  os::affinity_mask(static_cast<int>(getpid()), mask);
  return mask;
}

CpuSet& mask_at(void** mask) { return *static_cast<CpuSet*>(*mask); }

int32_t max_proc() {
  int last = -1;
  const CpuSet online = os::online_cpus();
  for (int cpu = online.first(); cpu >= 0; cpu = online.next(cpu)) last = cpu;
  return last + 1;
}

void create(void** mask) {
  void* memory = malloc(sizeof(CpuSet));
  if (!memory) os::fatal("no memory for an affinity mask");
  *mask = new (memory) CpuSet;
}

void destroy(void** mask) {
  free(*mask);
  *mask = nullptr;
}

int32_t set(void** mask) {
  return *mask && os::set_affinity_mask(0, mask_at(mask)) ? 0 : kFailed;
}

int32_t get(void** mask) { return *mask && os::affinity_mask(0, mask_at(mask)) ? 0 : kFailed; }

int32_t change_proc(int32_t proc, void** mask, bool add) {
  if (!*mask || proc < 0 || proc >= max_proc()) return kOutOfRange;
  if (!initial_mask().contains(proc)) return kNotUsable;
  add ? mask_at(mask).add(proc) : mask_at(mask).remove(proc);
  return 0;
}

int32_t holds_proc(int32_t proc, void** mask) {
  if (!*mask || proc < 0 || proc >= max_proc()) return kOutOfRange;
  return initial_mask().contains(proc) && mask_at(mask).contains(proc);
}

}  // namespace

// Masks are passed by reference in C too, so the Fortran forms differ in their names alone.
#define TULLE_KMP_MASK(T, name, action)                    \
  TULLE_KMP T kmp_##name(void** mask) { return action; }   \
  TULLE_KMP T kmp_##name##_(void** mask) { return action; }

TULLE_KMP_MASK(void, create_affinity_mask, create(mask))
TULLE_KMP_MASK(void, destroy_affinity_mask, destroy(mask))
TULLE_KMP_MASK(int32_t, set_affinity, set(mask))
TULLE_KMP_MASK(int32_t, get_affinity, get(mask))

#define TULLE_KMP_MASK_PROC(name, action)                                             \
  TULLE_KMP int32_t kmp_##name(int32_t proc, void** mask) { return action; }          \
  TULLE_KMP int32_t kmpc_##name(int32_t proc, void** mask) { return action; }         \
  TULLE_KMP int32_t kmp_##name##_(const int32_t* address, void** mask) {              \
    const int32_t proc = *address;                                                    \
    return action;                                                                    \
  }

TULLE_KMP_MASK_PROC(set_affinity_mask_proc, change_proc(proc, mask, true))
TULLE_KMP_MASK_PROC(unset_affinity_mask_proc, change_proc(proc, mask, false))
TULLE_KMP_MASK_PROC(get_affinity_mask_proc, holds_proc(proc, mask))

TULLE_KMP int32_t kmp_get_affinity_max_proc() { return max_proc(); }
TULLE_KMP int32_t kmp_get_affinity_max_proc_() { return max_proc(); }

TULLE_KMP void kmp_set_thread_affinity_mask_initial() {
  os::set_affinity_mask(0, initial_mask());
}

}  // namespace tulle::kmp
