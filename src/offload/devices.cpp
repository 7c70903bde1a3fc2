// SPDX-License-Identifier: Apache-2.0
#include "offload/devices.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <new>

#include "arch/cpu.h"
#include "offload/cluster.h"
#include "offload/device_plan.h"
#include "offload/globals.h"
#include "offload/process.h"
#include "offload/remote/job.h"
#include "offload/remote/rank_device.h"
#include "offload/root.h"
#include "omp/task/attention.h"
#include "omp/tool/start.h"
#include "os/cpus.h"
#include "os/futex.h"
#include "os/report.h"
#include "sched/pool.h"
#include "sched/publish.h"

namespace tulle::offload {

namespace {

// No lock: processes are forked meanwhile. Code for devices may ask for them when it is loaded.
enum State : uint32_t { kUnknown, kBeingMade, kMade };
std::atomic<uint32_t> state{kUnknown};  // futex word
std::atomic<pthread_t> maker{};          // W: who makes them
// W: who makes them, before kMade; the child of a fork.
Device* all_devices[omp::kMaxDevices];
int count = 0;

// The devices' OS threads are not in the child.
void child_after_fork() {
  count = 0;
  omp::attention.wanted.store(0, std::memory_order_relaxed);
}

// What the program gives back from then on stays, for regions may still run.
std::atomic<bool> at_end{false};
void note_end() { at_end.store(true, std::memory_order_relaxed); }

// The process of a device knows of all that were to be made, and ends none of them.
bool is_device = false;
void child_that_is_device() {
  is_device = true;
  omp::tool::leave_to_parent();
  while (all_devices[count] != nullptr) ++count;
  state.store(kMade, std::memory_order_release);
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

// What the rank has is asked for when it answers; the others begin with what there is. Null: the device has started.
TULLE_MAY_SUSPEND const char* start(Device& device, int rank, int ranks, int devices) {
  constexpr const char* kNothingFor = "there is no memory, process or OS thread for it";
  bool started = false;
  if (device.kind == omp::DeviceKind::mpi) {
    const char* why = nullptr;
    Line* line = open_line(ranks, why);
    if (line == nullptr) return why;
    started = start_rank(device, *line, rank, devices) && share_globals(device) && load_images(device);
  } else {
    started = share_globals(device) && load_images(device) &&
              (device.kind == omp::DeviceKind::cluster ? start_cluster(device) : start_process(device, child_that_is_device));
  }
  return started ? nullptr : kNothingFor;
}

Device* new_device(int number, omp::DeviceKind kind, const CpuSet& cpus) {
  void* memory = aligned_alloc(alignof(Device), sizeof(Device));  // leak checkers look there for what it refers to
  if (memory == nullptr) return nullptr;
  auto* device = new (memory) Device;
  device->lock.init();
  device->number = number;
  snprintf(device->uid, sizeof device->uid, "TULLE_DEVICE_%d", number);
  device->kind = kind;
  device->cpus = cpus;
  device->icv = icv_on(*device);
  all_devices[number] = device;
  return device;
}

// Processes are to find all of them.
size_t describe(const Array<PlannedDevice>& plan) {
  size_t described = 0;
  for (const PlannedDevice& planned : plan) {
    if (new_device(static_cast<int>(described), planned.kind, planned.cpus) == nullptr) break;
    ++described;
  }
  return described;
}

int ranks_in(const Array<PlannedDevice>& plan) {
  int ranks = 0;
  for (const PlannedDevice& planned : plan) ranks = std::max(ranks, planned.rank);
  return ranks;
}

TULLE_MAY_SUSPEND void start_all(const Array<PlannedDevice>& plan) {
  const size_t described = describe(plan), wanted = plan.size();
  const int ranks = ranks_in(plan);
  for (const PlannedDevice& planned : plan) {
    auto number = static_cast<size_t>(count);
    const char* why = number < described ? start(*all_devices[number], planned.rank, ranks, static_cast<int>(wanted))
                                         : "there is no memory for it";
    if (why == nullptr) {
      ++count;
      continue;
    }
    os::report("device %d: %s; there are no more", count, why);
    for (; number < described; ++number) all_devices[number] = nullptr;
    return;
  }
}

// This process is a rank, and the device of that number: it knows itself, and that there are others.
TULLE_MAY_SUSPEND Device* become(int number, int devices) {
  os::UsableCpus usable = os::usable_cpus();
  for (count = 0; count < devices; ++count)
    if (new_device(count, omp::DeviceKind::mpi, usable.allowed) == nullptr) return nullptr;
  Device* device = all_devices[number];
  device->icv.nthreads = static_cast<uint32_t>(usable.count);
  become_root(*device);
  state.store(kMade, std::memory_order_release);
  return load_images(*device) ? device : nullptr;
}

__attribute__((constructor)) void offer_to_become() { become_device = become; }

// The process's, whatever the calling thread has been bound to since.
CpuSet cpus_at_begin;
__attribute__((constructor)) void remember_cpus() {
  if (getenv("TULLE_DEVICES") != nullptr) os::affinity_mask(0, cpus_at_begin);
}
os::UsableCpus cpus_of_process() {
  os::UsableCpus usable = os::usable_cpus();
  usable.allowed |= cpus_at_begin;
  usable.count = std::min(usable.allowed.count(), usable.quota.cpus());
  return usable;
}

TULLE_MAY_SUSPEND void make_all(const char* text) {
  Array<PlannedDevice> plan;
  if (const char* fault = plan_devices(text, cpus_of_process(), plan)) {
    bool is_told = fault == why_no_ranks() && job_in_environment().rank != 0;  // by the first rank
    if (!is_told) os::report("TULLE_DEVICES=%s: %s; there are no devices", text, fault);
    return;
  }
  pthread_atfork(nullptr, nullptr, child_after_fork);
  atexit(note_end);
  // Workers and monitor are not to inherit a device's CPUs.
  sched::start_pool();
  sched::arm_monitor();
  start_all(plan);
}

// The maker itself, which loads code that asks, knows of those that it has made.
void await_maker() {
  if (maker.load(std::memory_order_relaxed) == pthread_self()) return;
  while (state.load(std::memory_order_acquire) != kMade) os::futex_wait(state, kBeingMade);
}

TULLE_MAY_SUSPEND TULLE_COLD void make_once(const char* text) {
  omp::self_or_attach();  // the runtime is set up
  uint32_t unknown = kUnknown;
  if (state.compare_exchange_strong(unknown, kBeingMade, std::memory_order_acq_rel)) {
    maker.store(pthread_self(), std::memory_order_relaxed);
    make_all(text);
    state.store(kMade, std::memory_order_release);  // pairs with device_count()
    os::futex_wake(state, INT32_MAX);
    return;
  }
  if (unknown == kBeingMade) await_maker();
}

__attribute__((constructor)) void tell_tools() { omp::tool::count_devices = device_count; }

[[noreturn]] TULLE_COLD void refuse_host(const char* why) {
  os::report("%s", why);
  exit(EXIT_FAILURE);
}

// Of a number that is no device's, where offloading is mandatory: it names the host, which does not stand in for another.
bool is_host_by_right(int number, int devices, HostAlone host_alone) {
  if (devices != 0) return number == omp::kInitialDevice || number == devices;
  if (host_alone == HostAlone::is_none) return false;
  return number == omp::kInitialDevice || (number == 0 && devices_asked_for() == nullptr);
}

// At the end of the process its devices' processes end too.
__attribute__((destructor)) void end_all() {
  for (int i = 0; !is_device && i < count; ++i)
    if (all_devices[i]->kind == omp::DeviceKind::process) end_process(*all_devices[i]);
}

}  // namespace

const char* devices_asked_for() {
  bool disabled = omp::global_icv().target_offload.value == omp::TargetOffload::disabled;
  return disabled ? nullptr : omp::device_settings.devices.value;
}

bool is_mandatory() { return omp::global_icv().target_offload.value == omp::TargetOffload::mandatory; }

int device_count() {
  const char* text = devices_asked_for();
  if (TULLE_LIKELY(text == nullptr)) return 0;
  if (state.load(std::memory_order_acquire) != kMade) make_once(text);
  return count;
}

int known_device_count() {
  if (at_end.load(std::memory_order_relaxed)) return 0;
  if (state.load(std::memory_order_acquire) == kBeingMade) await_maker();
  return state.load(std::memory_order_acquire) == kUnknown ? 0 : count;
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

Device* device_for(omp::Thread* thread, int number, HostAlone host_alone) {
  const int devices = device_count();
  if (devices != 0 && current_device(thread) != nullptr) return nullptr;  // where its region runs already
  if (number == omp::kDefaultDevice) number = omp::icv_of(thread).default_device;
  if (number >= 0 && number < devices) return all_devices[number];
  if (TULLE_UNLIKELY(number == omp::kInvalidDevice)) refuse_host("a target construct met omp_invalid_device");
  if (TULLE_UNLIKELY(is_mandatory()) && !is_host_by_right(number, devices, host_alone))
    refuse_host("OMP_TARGET_OFFLOAD is mandatory, but there is no such device");
  return nullptr;
}

void fall_back(const Device& device, const char* why) {
  os::report("device %d: %s; %s", device.number, why,
             is_mandatory() ? "OMP_TARGET_OFFLOAD is mandatory" : "the host runs it");
  if (is_mandatory()) exit(EXIT_FAILURE);
}

}  // namespace tulle::offload
