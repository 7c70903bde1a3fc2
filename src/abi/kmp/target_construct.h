// SPDX-License-Identifier: Apache-2.0
//
// What the constructs of programs with device code have in common.
#pragma once

#include "abi/kmp/layout.h"
#include "offload/devices.h"
#include "omp/replay/graph_region.h"

namespace tulle::kmp {

// What a construct with this number runs on; null: the host. -1 is the default device, and omp_initial_device too.
TULLE_MAY_SUSPEND inline offload::Device* device_of_construct(int64_t number) {
  constexpr int64_t kDefault = -1, kInvalid = -2;
  omp::Thread* thread = omp::self_or_attach();
  if (number == kDefault) number = omp::kDefaultDevice;
  if (number == kInvalid) number = omp::kInvalidDevice;
  offload::Device* device = offload::device_for(thread, static_cast<int>(number), offload::HostAlone::is_none);
  if (device != nullptr) omp::leave_out_of_graph(thread, "it has a target construct");
  return device;
}

// The two lists of a call's dependences.
struct DependLists {
  int32_t count = 0;
  const Depend* list = nullptr;
  int32_t more_count = 0;
  const Depend* more = nullptr;
};

TULLE_MAY_SUSPEND void wait_for(const DependLists& lists);

}  // namespace tulle::kmp
