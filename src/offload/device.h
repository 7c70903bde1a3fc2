// SPDX-License-Identifier: Apache-2.0
// A device: memory, in which the table keeps what is mapped, and somebody who runs regions one after the
// other. Made once, at the first need of one (devices.h), and never taken away.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cpu_set.h"
#include "offload/images.h"
#include "offload/mapping_table.h"
#include "omp/icv/device_list.h"
#include "omp/icv/icv.h"
#include "omp/sync/lock.h"
#include "omp/thread/team.h"

namespace tulle::offload {

struct Awaited;
struct Device;

inline constexpr int kPriorities = 4;

// A region for a device. Its maker keeps it until ended() has been called.
struct Request {
  omp::RegionFunction function;
  void* arguments;  // in the device's memory
  uint32_t thread_limit;
  // On the device's OS thread, which does not touch the request afterwards; on a rank, of one that is not `served`, by
  // whoever hears of its end.
  void (*ended)(Request* request);
  Request* next = nullptr;
  bool started = false;  // whoever made it has given it to the device
  bool failed = false;   // it has not run to its end; W: before ended()
  uint8_t priority = 0;  // below kPriorities; the highest first
  bool served = false;   // started on a rank: ended() may suspend
  uint32_t order = 0;    // started on a process: the number of the order
  void* code = nullptr;  // started on a rank: where the function is there
};

// What the kinds of devices do differently. Memory is any thread's; addresses given to copies are those that
// allocate() returned, or such in them, or a variable's that host and device know by the same address.
struct DeviceOperations {
  void* (*allocate)(Device& device, size_t bytes, size_t alignment);  // null: there is no memory
  void (*release)(Device& device, void* block);
  void (*copy_to)(Device& device, void* to, const void* from, size_t bytes);
  void (*copy_from)(Device& device, void* to, const void* from, size_t bytes);
  TULLE_MAY_SUSPEND void (*start)(Device& device, Request* request);
  // True: it has ended. False: its end is waited for by whoever wants that, and it is to be started unless it says that it is.
  TULLE_MAY_SUSPEND bool (*run_at_once)(Device& device, Awaited& request);
  // The host can read and write there by itself.
  bool (*is_near)(const Device& device, const void* address);
  // Where the device has what the host has there, a function or a variable, or what device code has by its name. Null:
  // it has none. No operation: at the same address.
  void* (*find)(Device& device, const void* host, bool by_name) = nullptr;
  // It has the host's function, by itself. No operation: as all of the process's code.
  TULLE_MAY_SUSPEND bool (*has_code)(Device& device, const void* function) = nullptr;
  // In a region of the device: runs all that wait and have a higher priority. No operation: they wait for its end.
  TULLE_MAY_SUSPEND void (*run_urgent)(Device& device) = nullptr;
};

struct Device {
  const DeviceOperations* operations = nullptr;
  int number = 0;
  char uid[24] = "";  // omp_get_uid_from_device()
  omp::DeviceKind kind = omp::DeviceKind::cluster;
  CpuSet cpus;
  omp::Icv icv{};  // of its regions' initial tasks
  omp::Lock lock;  // of the table, and of what its mappings hold on the device
  MappingTable table;  // under the lock
  DeviceCode code;
  void* own = nullptr;  // what its kind keeps
  std::atomic<bool> lost{false};  // it runs nothing any more; its memory is still there

  // The initial thread that runs its regions, which are inside of that one's; pairs with current_device().
  std::atomic<const omp::Thread*> root{nullptr};

  // Regions that wait to be run, the latest first. W: any thread; R: the device's.
  TULLE_PAIR_ALIGNED std::atomic<Request*> requests{nullptr};
  std::atomic<uint32_t> urgent{0};  // nonzero: one of a priority above 0 has come since the device looked last
  std::atomic<uint32_t> asleep{0};  // futex word: the device's OS thread sleeps

  void* allocate(size_t bytes, size_t alignment) { return operations->allocate(*this, bytes, alignment); }
  void release(void* block) { operations->release(*this, block); }
  void copy_to(void* to, const void* from, size_t bytes) { operations->copy_to(*this, to, from, bytes); }
  void copy_from(void* to, const void* from, size_t bytes) { operations->copy_from(*this, to, from, bytes); }
  TULLE_MAY_SUSPEND void start(Request* request) { operations->start(*this, request); }
  bool is_near(const void* address) const { return operations->is_near(*this, address); }
  bool has_own_addresses() const { return operations != nullptr && operations->find != nullptr; }
};

// Holds the table of a device.
class Holding {
 public:
  TULLE_MAY_SUSPEND explicit Holding(Device& device) : device_(device) { device_.lock.set(); }
  ~Holding() { device_.lock.unset(); }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

 private:
  Device& device_;
};

}  // namespace tulle::offload
