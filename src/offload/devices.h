// SPDX-License-Identifier: Apache-2.0
// The devices of the process, as TULLE_DEVICES asks for them. They are made when a construct or a routine first
// needs to know of them. Without TULLE_DEVICES there are none, and the host alone is asked.
#pragma once

#include "offload/device.h"
#include "omp/target/target_host.h"

namespace tulle::offload {

// The list; null: none are asked for, or OMP_TARGET_OFFLOAD forbids them.
const char* devices_asked_for();

// How many there are; the host has this number.
int device_count();

// How many have been made by now, without making any. At the end of the process: none.
int known_device_count();

// Null: there is none of that number.
Device* device(int number);

// What the host is to OMP_TARGET_OFFLOAD=mandatory where there are no devices: to GCC's runtime the device of number 0,
// to LLVM's none, by whichever number it is named.
enum class HostAlone : uint8_t { is_device, is_none };

// What a construct runs on that names `number` (target_host.h); null: the host. Where the host may not stand
// in for what was named the process ends with a message.
Device* device_for(omp::Thread* thread, int number, HostAlone host_alone);

// The device that the current task runs on; null: the host.
Device* current_device(const omp::Thread* thread);

// OMP_TARGET_OFFLOAD says that the host may not stand in.
bool is_mandatory();

// A construct cannot be had on its device, for the reason `why`: says so in one line, or, where the host may not
// stand in, ends the process with it.
void fall_back(const Device& device, const char* why);

}  // namespace tulle::offload
