// SPDX-License-Identifier: Apache-2.0
// Hints of the extension API (include/tulle/hints.h): what a thread says of its load. Kept with the
// thread; policies read it when they place something. Any thread.
#include <atomic>
#include <cmath>

#include "abi/api/extension.h"
#include "omp/thread/thread.h"
#include "os/report.h"

namespace {

TULLE_COLD void refuse(double load) {
  static std::atomic<bool> said{false};
  // Relaxed: at worst two threads say it.
  if (!tulle::omp::global_icv().warnings.value || said.exchange(true, std::memory_order_relaxed))
    return;
  tulle::os::report("tulle_set_load(%g): not a load; it and all others like it are ignored", load);
}

}  // namespace

TULLE_EXTENSION void tulle_set_load(double load) {
  if (std::isfinite(load) && load >= 0)
    tulle::omp::self_or_attach()->next_load = load;
  else
    refuse(load);
}
