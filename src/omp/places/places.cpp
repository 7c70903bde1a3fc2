// SPDX-License-Identifier: Apache-2.0
#include "omp/places/places.h"

#include <atomic>

#include "base/cacheline.h"
#include "omp/icv/text_buffer.h"
#include "omp/places/kmp_affinity.h"
#include "omp/places/places_parse.h"
#include "os/cpus.h"
#include "os/report.h"
#include "sync/spinlock.h"

namespace tulle::omp {
namespace {

std::atomic<bool> ready{false};
TULLE_HELD_AT_FORK sync::Spinlock building;
PlaceList the_places;
CpuSet before_binding;

void report_line(const char* line) {
  if (global_icv().warnings.value) os::report("%s", line);
}

TULLE_COLD void build() {
  sync::Guard guard(building);
  // Relaxed: the lock orders it after the store of whoever built it.
  if (ready.load(std::memory_order_relaxed)) return;
  const GlobalIcv& icv = global_icv();
  if (icv.proc_bind.value.values[0] != ProcBind::off) {
    before_binding = os::allowed_cpus();
    the_places = make_places(icv, topology::machine(), before_binding, report_line);
  }
  ready.store(true, std::memory_order_release);
}

// Adds what the strongest of the variables asks for, and says which that was.
const Setting<const char*>& add_requested(const GlobalIcv& icv, const topology::Tree& tree,
                                          PlaceBuilder& builder) {
  // It alone asks for binding: to all that it leaves.
  if (icv.kmp_hw_subset.value != nullptr &&
      icv.proc_bind.source.variable == icv.kmp_hw_subset.source.variable) {
    add_parts(tree, topology::Kind::machine, 0, 1, builder);
    return icv.kmp_hw_subset;
  }
  if (asks_for_places(icv.kmp_affinity.value)) {
    add_kmp_affinity(icv.kmp_affinity.value, tree, builder);
    return icv.kmp_affinity;
  }
  if (icv.places.value != nullptr) {
    add_places(icv.places.value, tree, builder);
    return icv.places;
  }
  if (icv.cpu_affinity.value != nullptr) {
    add_cpu_affinity(icv.cpu_affinity.value, builder);
    return icv.cpu_affinity;
  }
  add_parts(tree, topology::Kind::cpu, 0, 1, builder);
  return icv.kmp_hw_subset;
}

void report_of(const Setting<const char*>& request, const char* what, void (*report)(const char*)) {
  char line[320];
  TextBuffer out(line, sizeof line);
  out.put(request.source.variable);
  out.put("=\"");
  std::string_view text(request.value);
  out.put(text.substr(0, 100));
  out.put("\" names ");
  out.put(what);
  report(line);
}

}  // namespace

CpuSet PlaceList::cpu_set(int place) const {
  CpuSet set;
  for (int cpu : cpus(place)) set.add(cpu);
  return set;
}

PlaceList make_places(const GlobalIcv& icv, const topology::Tree& tree, const CpuSet& usable,
                      void (*report)(const char* line)) {
  CpuSet kept = usable;
  if (icv.kmp_hw_subset.value != nullptr) {
    topology::TreePtr own = topology::restricted(tree, usable);
    if (own != nullptr) kept &= hw_subset_cpus(icv.kmp_hw_subset.value, *own);
    if (kept.empty()) {
      report_of(icv.kmp_hw_subset, "no CPU that this process may use; using all of them", report);
      kept = usable;
    }
  }
  PlaceBuilder builder(kept);
  const Setting<const char*>& request = add_requested(icv, tree, builder);
  if (builder.count() == 0) {
    if (request.value != nullptr)
      report_of(request, "no CPU that this process may use; using each usable CPU as a place", report);
    add_parts(tree, topology::Kind::cpu, 0, 1, builder);
  } else if (builder.listed_in_vain() != 0) {
    report_of(request, "places without a CPU that this process may use; they are left out", report);
  }
  return builder.take();
}

const PlaceList& places() {
  // Acquire: pairs with the release store in build().
  if (TULLE_UNLIKELY(!ready.load(std::memory_order_acquire))) build();
  return the_places;
}

const CpuSet& cpus_before_binding() {
  places();
  return before_binding;
}

}  // namespace tulle::omp
