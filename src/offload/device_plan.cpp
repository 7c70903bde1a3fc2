// SPDX-License-Identifier: Apache-2.0
#include "offload/device_plan.h"

#include "offload/remote/job.h"

namespace tulle::offload {

namespace {

constexpr const char* kTooMany = "it asks for more devices than the process has CPUs for";

class Planner {
 public:
  Planner(const os::UsableCpus& usable, Array<PlannedDevice>& plan)
      : allowed_(usable.allowed), left_(usable.allowed), room_(usable.count), plan_(plan) {}

  // Null: it can be had.
  const char* add(const omp::DeviceItem& item) {
    if (item.kind == omp::DeviceKind::mpi) return add_ranks(item.count);
    if (item.count > omp::kMaxDevices - plan_.size()) return kTooMany;
    for (uint32_t i = 0; i < item.count; ++i) plan_.push({item.kind, item.cpus, 0});
    if (item.kind == omp::DeviceKind::process) processes_ += static_cast<int>(item.count);
    for (int cpu = item.cpus.first(); cpu >= 0; cpu = item.cpus.next(cpu)) {
      if (!allowed_.contains(cpu)) return "it names a CPU that the process may not use";
      if (!left_.contains(cpu)) return "it gives one CPU to two devices";
      left_.remove(cpu);
      --room_;
    }
    return room_ < processes_ ? kTooMany : nullptr;
  }

  // When all items are known.
  void deal_out() {
    for (PlannedDevice& device : plan_)
      if (device.kind == omp::DeviceKind::process) device.cpus = take_share();
  }

 private:
  // 0: all that are left.
  const char* add_ranks(uint32_t wanted) {
    if (const char* why = why_no_ranks()) return why;
    uint32_t left = most_ranks() - ranks_;
    if (wanted == 0 && starts_ranks()) return "a program that uses MPI itself has to say how many, as in mpi:2";
    if (wanted == 0) wanted = left;
    if (wanted == 0 || wanted > left) return "it asks for more devices than mpirun has started ranks beside the first";
    if (wanted > omp::kMaxDevices - plan_.size()) return kTooMany;
    for (; wanted != 0; --wanted) plan_.push({omp::DeviceKind::mpi, {}, static_cast<int>(++ranks_)});
    return nullptr;
  }

  CpuSet take_share() {
    CpuSet share;
    for (int n = room_ / processes_; n > 0; --n, --room_) {
      share.add(left_.first());
      left_.remove(left_.first());
    }
    --processes_;
    return share;
  }

  CpuSet allowed_;
  CpuSet left_;        // for processes
  int room_;           // how many of them the quota leaves
  uint32_t ranks_ = 0;
  int processes_ = 0;  // that have no share yet
  Array<PlannedDevice>& plan_;
};

}  // namespace

const char* plan_devices(const char* text, const os::UsableCpus& usable, Array<PlannedDevice>& plan) {
  Planner planner(usable, plan);
  std::string_view list = text;
  const char* fault = nullptr;
  for (omp::DeviceItem item{}; fault == nullptr && omp::next_device_item(list, item);) fault = planner.add(item);
  if (fault == nullptr && plan.short_of_memory()) fault = "there is no memory to plan them";
  if (fault != nullptr)
    plan.clear();
  else
    planner.deal_out();
  return fault;
}

}  // namespace tulle::offload
