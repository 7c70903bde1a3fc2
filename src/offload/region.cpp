// SPDX-License-Identifier: Apache-2.0
#include "offload/region.h"

#include <stdlib.h>
#include <string.h>

#include "offload/arguments.h"
#include "offload/awaited.h"
#include "offload/devices.h"
#include "offload/region_steps.h"
#include "omp/task/task_bare.h"
#include "os/report.h"

namespace tulle::offload {

namespace {

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

// From the first copy to the last the region is a child that the thread runs itself, as it were: no other task begins in
// its name meanwhile, which could change what the region works on a copy of (the thread's part of a reduction).
class Alone {
 public:
  Alone() : encountering_(omp::begin_bare(omp::self())) {}
  ~Alone() { omp::end_bare(omp::self(), encountering_); }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  omp::Task* encountering_;
};

TULLE_MAY_SUSPEND bool run_prepared(Device& device, const Region& region, void* block) {
  Awaited request(region.function, block, region.thread_limit);
  request.priority = priority_in(omp::self()->task());
  request.run_on(device);
  if (request.failed) return false;
  end_maps(device, region.maps);
  return true;
}

constexpr size_t kNear = 1024;  // bytes of a block on the stack

enum class Outcome : uint8_t { whole, no_memory, lost };

TULLE_MAY_SUSPEND Outcome map_and_run(Device& device, const Region& region) {
  Alone alone;
  alignas(kArgumentAlignment) char near[kNear];
  ArgumentBlock block(device, region.maps, near, sizeof near);
  if (!prepare(device, region.maps, block.memory())) return Outcome::no_memory;
  return run_prepared(device, region, block.memory()) ? Outcome::whole : Outcome::lost;
}

}  // namespace

bool prepare(Device& device, Maps maps, void* block) {
  if (block == nullptr || !begin_maps(device, maps, static_cast<void**>(block))) return false;
  copy_arguments(block, maps);
  return true;
}

bool is_lost(const Device& device) {
  if (!device.lost.load(std::memory_order_acquire)) return false;
  if (is_mandatory()) fall_back(device, kLost);
  return true;
}

bool lacks(Device& device, omp::RegionFunction function) {
  const auto* code = reinterpret_cast<const void*>(function);
  if (device.operations->has_code == nullptr || device.lost.load(std::memory_order_acquire)) return false;
  if (device.operations->has_code(device, code)) return false;
  tell_of_lack(device, code);
  return true;
}

void tell_of_lack(Device& device, const void* function) {
  if (device.lost.load(std::memory_order_acquire)) return;  // of which everybody has been told
  if (is_mandatory() || device.code.note_lack(function))
    fall_back(device, "it does not have the function of a target region");
}

void run_on_host(Device& device, const Region& region) {
  void* block = malloc(argument_bytes(region.maps));
  if (block == nullptr) os::fatal("out of memory for the data of a target region");
  for (size_t i = 0; i < region.maps.count; ++i) static_cast<void**>(block)[i] = region.maps.items[i].address;
  copy_arguments(block, region.maps);
  fetch_present(device, region.maps);
  omp::run_target(omp::self(), region.function, block, region.thread_limit);
  return_present(device, region.maps);
  free(block);
}

void run_again(Device& device, const Region& region) {
  fall_back(device, kLost);
  undo_maps(device, region.maps);
  run_on_host(device, region);
}

void leave_region(Device& device, Maps maps, const char* why) {
  fall_back(device, why);
  leave_to_host(device, maps);
}

void run_region(Device& device, const Region& region) {
  if (is_lost(device) || lacks(device, region.function)) return run_on_host(device, region);
  switch (map_and_run(device, region)) {
    case Outcome::whole:
      return;
    case Outcome::no_memory:
      fall_back(device, kNoMemory);
      return run_on_host(device, region);
    case Outcome::lost:
      return run_again(device, region);
  }
}

bool offer_region(Device& device, const Region& region) {
  if (is_lost(device) || lacks(device, region.function)) {
    leave_to_host(device, region.maps);
    return false;
  }
  switch (map_and_run(device, region)) {
    case Outcome::whole:
      return true;
    case Outcome::no_memory:
      leave_region(device, region.maps, kNoMemory);
      return false;
    case Outcome::lost:
      undo_maps(device, region.maps);
      leave_region(device, region.maps, kLost);
      return false;
  }
  return false;
}

}  // namespace tulle::offload
