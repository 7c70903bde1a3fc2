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

// A region of a task, in the task's data; its items follow, and then copies of what is firstprivate.
struct Launch : Request {
  Device* device;
  omp::Task* task;
  void* block;
  size_t count;
  MapItem items[];

  Region region() { return {function, thread_limit, {items, count}}; }

  // The device's OS thread: nobody waits before this is done.
  TULLE_MAY_SUSPEND static void finish(Request* request) {
    auto* launch = static_cast<Launch*>(request);
    Device& device = *launch->device;
    if (launch->failed)
      run_again(device, launch->region());
    else
      end_maps(device, launch->region().maps);
    device.release(launch->block);
    omp::fulfill_event(launch->task);
  }
};

// A region of a task whose data are the compiler's.
struct Offer : Request {
  Device* device;
  omp::Task* task;
  Version on_host;
  void* block;
  size_t count;
  MapItem items[];

  // The device's OS thread.
  TULLE_MAY_SUSPEND static void finish(Request* request) {
    auto* offer = static_cast<Offer*>(request);
    Device& device = *offer->device;
    Maps maps{offer->items, offer->count};
    if (offer->failed)
      undo_maps(device, maps);
    else
      end_maps(device, maps);
    device.release(offer->block);
    if (offer->failed) {
      leave_region(device, maps, kLost);
      offer->on_host.call(offer->on_host.argument);
    }
    omp::Task* task = offer->task;
    free(offer);
    omp::fulfill_event(task);
  }
};

Offer* make_offer(Device& device, const Region& region, omp::Task* task, Version on_host) {
  auto* offer = static_cast<Offer*>(malloc(sizeof(Offer) + region.maps.count * sizeof(MapItem)));
  if (offer == nullptr) return nullptr;
  offer->function = region.function;
  offer->thread_limit = region.thread_limit;
  offer->ended = &Offer::finish;
  offer->started = offer->failed = false;
  offer->priority = priority_in(task->parent);
  offer->device = &device;
  offer->task = task;
  offer->on_host = on_host;
  offer->count = region.maps.count;
  memcpy(static_cast<void*>(offer->items), region.maps.items, region.maps.count * sizeof(MapItem));
  offer->block = device.allocate(argument_bytes(region.maps), kArgumentAlignment);
  offer->arguments = offer->block;
  return offer;
}

}  // namespace

size_t launch_bytes(const Region& region) {
  return sizeof(Launch) + region.maps.count * sizeof(MapItem) + argument_bytes(region.maps);
}

void fill_launch(omp::Task* task, Device& device, const Region& region) {
  auto* launch = static_cast<Launch*>(task->data);
  launch->function = region.function;
  launch->thread_limit = region.thread_limit;
  launch->ended = &Launch::finish;
  launch->started = launch->failed = false;
  launch->priority = priority_in(task->parent);
  launch->device = &device;
  launch->task = task;
  launch->count = region.maps.count;
  memcpy(static_cast<void*>(launch->items), region.maps.items, region.maps.count * sizeof(MapItem));
  auto* captured = reinterpret_cast<void**>(launch->items + launch->count);
  copy_arguments(captured, region.maps);
  for (size_t i = 0; i < launch->count; ++i)
    if (is_copied(launch->items[i])) launch->items[i].address = captured[i];
}

void launch(void* data) {
  auto* launch = static_cast<Launch*>(data);
  Device& device = *launch->device;
  Maps maps = launch->region().maps;
  if (is_lost(device) || lacks(device, launch->function)) {
    run_on_host(device, launch->region());
    return omp::fulfill_event(launch->task);
  }
  launch->block = device.allocate(argument_bytes(maps), kArgumentAlignment);
  if (prepare(device, maps, launch->block)) {
    launch->arguments = launch->block;
    device.start(launch);
    return;
  }
  if (launch->block != nullptr) device.release(launch->block);
  fall_back(device, kNoMemory);
  run_on_host(device, launch->region());
  omp::fulfill_event(launch->task);
}

bool offer_launch(Device& device, const Region& region, omp::Task* task, Version on_host) {
  if (is_lost(device) || lacks(device, region.function)) {
    leave_to_host(device, region.maps);
    return false;
  }
  Offer* offer = make_offer(device, region, task, on_host);
  if (offer != nullptr && prepare(device, {offer->items, offer->count}, offer->block)) {
    device.start(offer);
    return true;
  }
  if (offer != nullptr && offer->block != nullptr) device.release(offer->block);
  free(offer);
  leave_region(device, region.maps, kNoMemory);
  return false;
}

}  // namespace tulle::offload
