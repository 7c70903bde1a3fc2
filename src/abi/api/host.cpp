// SPDX-License-Identifier: Apache-2.0
// Regions from user-level threads of the program (include/tulle/host.h): translation. Any thread.
#include <cerrno>

#include "abi/api/extension.h"
#include "omp/region/guests.h"
#include "sched/guest.h"
#include "sched/worker.h"
#include "tulle/host.h"

namespace omp = tulle::omp;
namespace sched = tulle::sched;

namespace {

bool is_whole(const tulle_ult_host& host) {
  return host.size == sizeof host && host.self != nullptr && host.get != nullptr && host.set != nullptr &&
         host.waiter != nullptr && host.wait != nullptr && host.wake != nullptr;
}

}  // namespace

TULLE_EXTENSION int tulle_register_host(const tulle_ult_host* host) {
  if (host == nullptr || !is_whole(*host)) return EINVAL;
  if (!sched::set_host(*host)) return EBUSY;
  if (const sched::Entity* entity = sched::current_of_os_thread()) sched::expect_guests(entity->worker);
  return 0;
}

TULLE_EXTENSION void tulle_guest_ended(void* word) { omp::guest_ended(word); }
