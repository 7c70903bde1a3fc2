// SPDX-License-Identifier: Apache-2.0
#include "offload/data_region.h"

#include <stdlib.h>
#include <string.h>

#include "omp/task/task_bare.h"
#include "os/report.h"
#include "sync/spinlock.h"

namespace tulle::offload {

namespace {

struct DataRegion {
  const omp::Task* task;
  Device* device;
  DataRegion* outer;
  size_t count;
  MapItem items[];
};

TULLE_HELD_AT_FORK sync::Spinlock guarding;
DataRegion* latest TULLE_GUARDED_BY(guarding) = nullptr;  // of all tasks

DataRegion* take_latest_of(const omp::Task* task) {
  sync::Guard guard(guarding);
  DataRegion** at = &latest;
  while (*at != nullptr && (*at)->task != task) at = &(*at)->outer;
  DataRegion* region = *at;
  if (region != nullptr) *at = region->outer;
  return region;
}

}  // namespace

void open_data_region(omp::Thread* thread, Device* device, Maps maps) {
  auto* region = static_cast<DataRegion*>(malloc(sizeof(DataRegion) + maps.count * sizeof(MapItem)));
  if (region == nullptr) os::fatal("out of memory for a target data region");
  region->task = omp::recorded_task(thread);
  region->device = device;
  region->count = maps.count;
  memcpy(static_cast<void*>(region->items), maps.items, maps.count * sizeof(MapItem));
  sync::Guard guard(guarding);
  region->outer = latest;
  latest = region;
}

void close_data_region(omp::Thread* thread) {
  DataRegion* region = take_latest_of(thread->task());
  if (region == nullptr) return;
  if (region->device != nullptr) end_maps(*region->device, {region->items, region->count});
  free(region);
}

}  // namespace tulle::offload
