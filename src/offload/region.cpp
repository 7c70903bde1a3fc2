// SPDX-License-Identifier: Apache-2.0
#include "offload/region.h"

#include <stdlib.h>
#include <string.h>

#include "offload/arguments.h"
#include "offload/devices.h"
#include "omp/task/task.h"
#include "os/clock.h"
#include "os/futex.h"
#include "os/report.h"
#include "sched/wait.h"

namespace tulle::offload {

namespace {

constexpr const char* kNoMemory = "no memory for what a target region maps";
constexpr const char* kLost = "it is lost with a target region";

// Where a region's block is: on the stack of who waits for the region, if it is small and the device shares the
// process, or in the device's memory.
class ArgumentBlock {
 public:
  ArgumentBlock(Device& device, Maps maps, void* near, size_t room) : device_(device) {
    size_t bytes = argument_bytes(maps);
    is_near_ = bytes <= room && device.kind == omp::DeviceKind::cluster;
    memory_ = is_near_ ? near : device.allocate(bytes, kArgumentAlignment);
  }
  ~ArgumentBlock() {
    if (!is_near_ && memory_ != nullptr) device_.release(memory_);
  }
  ArgumentBlock(const ArgumentBlock&) = delete;
  ArgumentBlock& operator=(const ArgumentBlock&) = delete;

  void* memory() const { return memory_; }

 private:
  Device& device_;
  bool is_near_;
  void* memory_;
};

// All that is mapped is there and the block filled. False: there is no memory, and nothing is.
TULLE_MAY_SUSPEND bool prepare(Device& device, Maps maps, void* block) {
  if (block == nullptr || !begin_maps(device, maps, static_cast<void**>(block))) return false;
  copy_arguments(block, maps);
  return true;
}

TULLE_MAY_SUSPEND void run_on_host(Device& device, const Region& region) {
  void* block = malloc(argument_bytes(region.maps));
  if (block == nullptr) os::fatal("out of memory for the data of a target region");
  for (size_t i = 0; i < region.maps.count; ++i) static_cast<void**>(block)[i] = region.maps.items[i].address;
  copy_arguments(block, region.maps);
  fetch_present(device, region.maps);
  omp::run_target(omp::self(), region.function, block, region.thread_limit);
  return_present(device, region.maps);
  free(block);
}

// The device is lost with the region half done: what was mapped for it alone is still here as it was before.
TULLE_MAY_SUSPEND void run_again(Device& device, const Region& region) {
  fall_back(device, kLost);
  undo_maps(device, region.maps);
  run_on_host(device, region);
}

// One that is lost runs nothing, and everybody has been told.
TULLE_MAY_SUSPEND bool run_without(Device& device, const Region& region) {
  if (!device.lost.load(std::memory_order_acquire)) return false;
  if (is_mandatory()) fall_back(device, kLost);
  run_on_host(device, region);
  return true;
}

// Somebody waits for the end of a region.
struct Awaited : Request {
  explicit Awaited(const Region& region, void* arguments)
      : Request{region.function, arguments, region.thread_limit, &tell} {}

  sched::Event event;                 // for one whose ULT suspends
  std::atomic<uint32_t> happened{0};  // for others; a futex word

  static omp::TargetWait way() { return omp::device_settings.wait.value; }

  static void tell(Request* request) {
    auto* awaited = static_cast<Awaited*>(request);
    if (way() == omp::TargetWait::block_no_os) return awaited->event.signal();
    awaited->happened.store(1, std::memory_order_release);
    if (way() == omp::TargetWait::block_os) os::futex_wake(awaited->happened, 1);
  }

  TULLE_MAY_SUSPEND void run_on(Device& device) {
    if (device.operations->run_at_once(device, this)) return;
    if (!started) device.start(this);
    wait();
  }

  bool has_happened() const { return happened.load(std::memory_order_acquire) != 0; }

  void poll() const {
    constexpr uint32_t kBetweenYields = 1000;
    for (uint32_t i = 1; !has_happened(); ++i) {
      arch::pause();
      if (i % kBetweenYields == 0) os::yield_core();
    }
  }

  TULLE_MAY_SUSPEND void wait() {
    switch (way()) {
      case omp::TargetWait::block_no_os:
        return sched::wait(event, [this] { return event.happened(); });
      case omp::TargetWait::block_os:
        while (!has_happened()) os::futex_wait(happened, 0);
        return;
      case omp::TargetWait::no_block:
        return poll();
    }
  }
};

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

}  // namespace

void run_region(Device& device, const Region& region) {
  if (run_without(device, region)) return;
  alignas(kArgumentAlignment) char small[1024];
  ArgumentBlock block(device, region.maps, small, sizeof small);
  if (!prepare(device, region.maps, block.memory())) {
    fall_back(device, kNoMemory);
    run_on_host(device, region);
    return;
  }
  Awaited request(region, block.memory());
  request.run_on(device);
  if (request.failed)
    run_again(device, region);
  else
    end_maps(device, region.maps);
}

size_t launch_bytes(const Region& region) {
  return sizeof(Launch) + region.maps.count * sizeof(MapItem) + argument_bytes(region.maps);
}

void fill_launch(omp::Task* task, Device& device, const Region& region) {
  auto* launch = static_cast<Launch*>(task->data);
  launch->function = region.function;
  launch->thread_limit = region.thread_limit;
  launch->ended = &Launch::finish;
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
  if (run_without(device, launch->region())) return omp::fulfill_event(launch->task);
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

}  // namespace tulle::offload
