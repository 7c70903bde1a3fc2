// SPDX-License-Identifier: Apache-2.0
#include "offload/devices.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <new>

#include "offload/cluster.h"
#include "offload/faults.h"
#include "offload/globals.h"
#include "os/cpus.h"
#include "os/memory.h"
#include "os/report.h"
#include "sched/scheduler.h"
#include "sync/spinlock.h"

namespace tulle::offload {

namespace {

std::atomic<bool> made{false};
TULLE_HELD_AT_FORK sync::Spinlock making;
// W: under `making`, before `made`; the child of a fork.
Device* all_devices[omp::kMaxDevices];
int count = 0;

// The devices' OS threads are not in the child.
void child_after_fork() { count = 0; }

bool is_mandatory() { return omp::global_icv().target_offload.value == omp::TargetOffload::mandatory; }

const char* asked_for() {
  bool disabled = omp::global_icv().target_offload.value == omp::TargetOffload::disabled;
  return disabled ? nullptr : omp::device_settings.devices.value;
}

// What a list of devices means on this machine; null: it can be had.
const char* fault_in(std::string_view list, const os::UsableCpus& usable) {
  omp::DeviceItem item{};
  CpuSet taken;
  while (omp::next_device_item(list, item)) {
    if (item.kind == omp::DeviceKind::mpi) return "devices over MPI are not there yet";
    if (item.kind == omp::DeviceKind::process) return "devices that are processes are not there yet";
    for (int cpu = item.cpus.first(); cpu >= 0; cpu = item.cpus.next(cpu)) {
      if (!usable.allowed.contains(cpu)) return "it names a CPU that the process may not use";
      if (taken.contains(cpu)) return "it gives one CPU to two devices";
      taken.add(cpu);
    }
  }
  return taken.count() > usable.count ? "it asks for more devices' CPUs than the process may use" : nullptr;
}

// The initial task's on a device: each is a machine of its own.
omp::Icv icv_on(const Device& device) {
  omp::Icv icv = omp::initial_icv();
  icv.nthreads = static_cast<uint32_t>(device.cpus.count());
  icv.nthreads_inner_count = 0;
  icv.bind = omp::ProcBind::off;  // places are the host's
  icv.bind_inner_count = 0;
  icv.observed = false;
  return icv;
}

Device* make(const omp::DeviceItem& item) {
  void* memory = os::map_memory(sizeof(Device));
  if (memory == nullptr) return nullptr;
  auto* device = new (memory) Device;
  device->lock.init();
  device->number = count;
  snprintf(device->uid, sizeof device->uid, "TULLE_DEVICE_%d", count);
  device->kind = item.kind;
  device->cpus = item.cpus;
  device->icv = icv_on(*device);
  if (share_globals(*device) && start_cluster(*device)) return device;
  os::unmap_memory(memory, sizeof(Device));
  return nullptr;
}

void make_all_locked(const char* text) TULLE_UNDER(making) {
  os::UsableCpus usable = os::usable_cpus();
  if (const char* fault = fault_in(text, usable)) {
    os::report("TULLE_DEVICES=%s: %s; there are no devices", text, fault);
    return;
  }
  pthread_atfork(nullptr, nullptr, child_after_fork);
  sched::start_pool();  // its workers are not to inherit a device's CPUs
  std::string_view list = text;
  for (omp::DeviceItem item{}; omp::next_device_item(list, item);) {
    Device* device = make(item);
    if (device == nullptr) {
      os::report("no memory or OS thread for device %d; there are no more", count);
      return;
    }
    if (count == omp::kMaxDevices) return;
    all_devices[count++] = device;
  }
}

TULLE_COLD void make_all(const char* text) {
  omp::self_or_attach();  // the runtime is set up
  sync::Guard guard(making);
  // Relaxed: the lock orders it after the store of whoever made them.
  if (made.load(std::memory_order_relaxed)) return;
  make_all_locked(text);
  made.store(true, std::memory_order_release);  // pairs with device_count()
}

}  // namespace

int device_count() {
  const char* text = asked_for();
  if (TULLE_LIKELY(text == nullptr)) return 0;
  if (!made.load(std::memory_order_acquire)) make_all(text);
  return count;
}

Device* device(int number) {
  return number >= 0 && number < device_count() ? all_devices[number] : nullptr;
}

Device* current_device(const omp::Thread* thread) {
  while (thread->team->parent != nullptr) thread = thread->team->parent;
  for (int i = 0; i < device_count(); ++i)
    if (all_devices[i]->root.load(std::memory_order_acquire) == thread) return all_devices[i];
  return nullptr;
}

Device* device_for(omp::Thread* thread, int number) {
  int devices = device_count();
  if (TULLE_LIKELY(devices == 0)) {
    if (asked_for() != nullptr && is_mandatory() && number != omp::kInitialDevice)
      refuse("OMP_TARGET_OFFLOAD is mandatory, but there is no such device");
    omp::require_host(thread, number);
    return nullptr;
  }
  if (current_device(thread) != nullptr) return nullptr;  // where its region runs already
  if (number == omp::kDefaultDevice) number = omp::icv_of(thread).default_device;
  if (number >= 0 && number < devices) return all_devices[number];
  if (number != devices) omp::require_host(thread, number);
  return nullptr;
}

void fall_back(const Device& device, const char* why) {
  os::report("device %d: %s; %s", device.number, why,
             is_mandatory() ? "OMP_TARGET_OFFLOAD is mandatory" : "the host runs it");
  if (is_mandatory()) exit(EXIT_FAILURE);
}

}  // namespace tulle::offload
