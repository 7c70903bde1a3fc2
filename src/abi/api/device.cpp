// SPDX-License-Identifier: Apache-2.0
// Device routines (OpenMP 5.2 §18.7, 6.0 §24). The host has the number behind those of the devices.
#include <cstring>
#include <string_view>

#include "abi/api/entry.h"
#include "offload/device_memory.h"
#include "offload/devices.h"

using namespace tulle;

namespace {

// As GCC 16's and clang 22's omp.h number it.
constexpr int kInvalidDeviceGnu = -4;
constexpr int kInvalidDeviceLlvm = -2;

constexpr const char* kHostUid = "OMP_INITIAL_DEVICE";  // libgomp's

int device_of_uid(std::string_view uid) {
  int devices = offload::device_count();
  if (uid == kHostUid) return devices;
  for (int i = 0; i < devices; ++i)
    if (uid == offload::device(i)->uid) return i;
  return kInvalidDeviceGnu;
}

// That the current task runs on; null: the host.
offload::Device* current_device() {
  omp::Thread* thread = omp::self();
  return thread != nullptr ? offload::current_device(thread) : nullptr;
}

}  // namespace

TULLE_C(void, omp_set_default_device, "OMP_4.0", int device) {
  if (device >= 0 || device == -1) api::changeable_icv()->default_device = device;
}
TULLE_ONE_INT(void, omp_set_default_device, "OMP_4.0");

TULLE_QUERY(int32_t, omp_get_default_device, "OMP_4.0") {
  return api::read_icv([](const omp::Icv& icv) { return icv.default_device; });
}

TULLE_QUERY(int32_t, omp_get_num_devices, "OMP_4.0") { return offload::device_count(); }
TULLE_QUERY(int32_t, omp_is_initial_device, "OMP_4.0") { return current_device() == nullptr; }
TULLE_QUERY(int32_t, omp_get_initial_device, "OMP_4.5") { return offload::device_count(); }
TULLE_QUERY(int32_t, omp_get_device_num, "OMP_5.0.2") {
  const offload::Device* device = current_device();
  return device != nullptr ? device->number : offload::device_count();
}

TULLE_GNU(int, omp_get_device_from_uid, "GOMP_6.0", const char* uid) {
  return uid != nullptr ? device_of_uid(uid) : kInvalidDeviceGnu;
}
TULLE_GNU(int, omp_get_device_from_uid_, "GOMP_6.0", const char* uid, std::size_t length) {
  return device_of_uid({uid, length});
}
TULLE_EXPORT(symver("omp_get_device_from_uid@VERSION"))
int api_omp_get_device_from_uid_llvm(const char* uid) {
  int device = api_omp_get_device_from_uid(uid);
  return device == kInvalidDeviceGnu ? kInvalidDeviceLlvm : device;
}

TULLE_EXPORT(TULLE_SYMBOL(omp_get_uid_from_device, "GOMP_6.0"))
const char* api_omp_get_uid_from_device(int device) {
  if (offload::is_host(device)) return kHostUid;
  const offload::Device* known = offload::device(device);
  return known != nullptr ? known->uid : nullptr;
}
TULLE_GNU(void, omp_get_uid_from_device_, "GOMP_6.0", const char** uid, std::size_t* length,
          int32_t device) {
  *uid = api_omp_get_uid_from_device(device);
  *length = *uid != nullptr ? std::strlen(*uid) : 0;
}
TULLE_GNU(void, omp_get_uid_from_device_8_, "GOMP_6.0", const char** uid, std::size_t* length,
          int64_t device) {
  api_omp_get_uid_from_device_(uid, length, api::to_int(device));
}
