// SPDX-License-Identifier: Apache-2.0
#include "offload/launch.h"

#include <stdlib.h>
#include <string.h>

#include "offload/arguments.h"
#include "offload/devices.h"
#include "offload/region_steps.h"
#include "omp/task/task_end.h"

namespace tulle::offload {

namespace {

// A region of a task.
struct TaskRequest : Request {
  Device* device;
  omp::Task* task;
  void* block;
  Maps maps;  // that follow the record

  void fill(Device& on, const Region& region, omp::Task* of, MapItem* own_items, void (*when_ended)(Request*)) {
    function = region.function;
    thread_limit = region.thread_limit;
    ended = when_ended;
    started = failed = served = false;
    priority = priority_in(of->parent);
    device = &on;
    task = of;
    maps = {own_items, region.maps.count};
    memcpy(static_cast<void*>(own_items), region.maps.items, maps.count * sizeof(MapItem));
  }

  // False: there is no memory for it on the device.
  TULLE_MAY_SUSPEND bool begin() {
    arguments = block = device->allocate(argument_bytes(maps), kArgumentAlignment);
    if (prepare(*device, maps, block)) {
      device->start(this);
      return true;
    }
    if (block != nullptr) device->release(block);
    return false;
  }
};

// In the task's data; copies of what is firstprivate follow the items.
struct Launch : TaskRequest {
  Region region() const { return {function, thread_limit, maps}; }

  // The device's OS thread: nobody waits before this is done.
  TULLE_MAY_SUSPEND static void finish(Request* request) {
    auto* launch = static_cast<Launch*>(request);
    Device& device = *launch->device;
    if (launch->failed)
      run_again(device, launch->region());
    else
      end_maps(device, launch->maps);
    device.release(launch->block);
    omp::fulfill_event(launch->task);
  }
};

// Of a task whose data are the compiler's.
struct Offer : TaskRequest {
  Version on_host;

  // The device's OS thread.
  TULLE_MAY_SUSPEND static void finish(Request* request) {
    auto* offer = static_cast<Offer*>(request);
    Device& device = *offer->device;
    if (offer->failed)
      undo_maps(device, offer->maps);
    else
      end_maps(device, offer->maps);
    device.release(offer->block);
    if (offer->failed) {
      leave_region(device, offer->maps, kLost);
      offer->on_host.call(offer->on_host.argument);
    }
    omp::Task* task = offer->task;
    free(offer);
    omp::fulfill_event(task);
  }
};

}  // namespace

size_t launch_bytes(const Region& region) {
  return sizeof(Launch) + region.maps.count * sizeof(MapItem) + argument_bytes(region.maps);
}

void fill_launch(omp::Task* task, Device& device, const Region& region) {
  auto* launch = static_cast<Launch*>(task->data);
  auto* items = reinterpret_cast<MapItem*>(launch + 1);
  launch->fill(device, region, task, items, &Launch::finish);
  auto* captured = reinterpret_cast<void**>(items + region.maps.count);
  copy_arguments(captured, region.maps);
  for (size_t i = 0; i < region.maps.count; ++i)
    if (is_copied(items[i])) items[i].address = captured[i];
}

void launch(void* data) {
  auto* launch = static_cast<Launch*>(data);
  Device& device = *launch->device;
  if (!is_lost(device) && !lacks(device, launch->function)) {
    if (launch->begin()) return;
    fall_back(device, kNoMemory);
  }
  run_on_host(device, launch->region());
  omp::fulfill_event(launch->task);
}

bool offer_launch(Device& device, const Region& region, omp::Task* task, Version on_host) {
  if (is_lost(device) || lacks(device, region.function)) {
    leave_to_host(device, region.maps);
    return false;
  }
  auto* offer = static_cast<Offer*>(malloc(sizeof(Offer) + region.maps.count * sizeof(MapItem)));
  if (offer != nullptr) {
    offer->fill(device, region, task, reinterpret_cast<MapItem*>(offer + 1), &Offer::finish);
    offer->on_host = on_host;
    if (offer->begin()) return true;
    free(offer);
  }
  leave_region(device, region.maps, kNoMemory);
  return false;
}

}  // namespace tulle::offload
