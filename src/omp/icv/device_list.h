// SPDX-License-Identifier: Apache-2.0
// TULLE_DEVICES: which devices there shall be. What the list means on this machine, whether its CPUs are
// usable say, is found when the devices are made (offload/devices.h). Pure: any thread.
#pragma once

#include <string_view>

#include "base/cpu_set.h"
#include "omp/icv/environment_words.h"
#include "omp/icv/icv.h"

namespace tulle::omp {

// How a thread waits for a region on a device.
enum class TargetWait : uint8_t { block_no_os, block_os, no_block };
template <>
inline constexpr WordList<3> kWordsOf<TargetWait>{"BLOCK_NO_OS", "BLOCK_OS", "NO_BLOCK"};

// What the environment says of devices; set with the global control variables, which a reader asks for first.
struct DeviceSettings {
  Setting<const char*> devices;  // TULLE_DEVICES as given; null: none
  Setting<TargetWait> wait;
};
extern DeviceSettings device_settings;

enum class DeviceKind : uint8_t {
  cluster,  // some of this process's CPUs
  process,  // a process of its own, forked from this one
  mpi,      // ranks of an MPI program
};

inline constexpr uint32_t kMaxDevices = 256;

// One item of the list.
struct DeviceItem {
  DeviceKind kind;
  uint32_t count;  // devices of the kind; a cluster is one; 0: as many as there are
  CpuSet cpus;     // of a cluster
};

// Takes the next item from the front of `text`, with the semicolon behind it. False: it is none.
bool next_device_item(std::string_view& text, DeviceItem& item);

// The whole text is a list of items.
bool is_device_list(std::string_view text);

}  // namespace tulle::omp
