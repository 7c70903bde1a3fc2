// SPDX-License-Identifier: Apache-2.0
#include "offload/device_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/create.h"
#include "offload/devices.h"

namespace tulle::offload {

namespace {

constexpr size_t kAlignment = 64;

template <class Act>
TULLE_MAY_SUSPEND auto with_table_of(Device& device, Act act) {
  omp::self_or_attach();
  Holding holding(device);
  return act(device.table);
}

}  // namespace

bool is_host(int number) { return number == omp::kInitialDevice || number == device_count(); }
bool has_memory(int number) { return is_host(number) || device(number) != nullptr; }

void* allocate(int number, size_t bytes) {
  if (is_host(number)) return malloc(bytes);
  Device* known = device(number);
  return known != nullptr && bytes != 0 ? known->allocate(bytes, kAlignment) : nullptr;
}

void release(int number, void* block) {
  if (block == nullptr) return;
  if (is_host(number)) return free(block);
  if (Device* known = device(number)) known->release(block);
}

namespace {

// From one device to another, each of which speaks with the host alone.
TULLE_MAY_SUSPEND bool copy_across(Device& to_device, void* to, Device& from_device, const void* from, size_t bytes) {
  if (from_device.is_near(from) && to_device.is_near(to)) {
    memmove(to, from, bytes);
    return true;
  }
  constexpr size_t kPart = size_t{1} << 22;
  void* part = malloc(bytes < kPart ? bytes : kPart);
  if (part == nullptr) return bytes == 0;
  for (size_t done = 0; done < bytes; done += kPart) {
    size_t length = bytes - done < kPart ? bytes - done : kPart;
    from_device.copy_from(part, static_cast<const char*>(from) + done, length);
    to_device.copy_to(static_cast<char*>(to) + done, part, length);
  }
  free(part);
  return true;
}

}  // namespace

bool copy_between(int to_number, void* to, int from_number, const void* from, size_t bytes) {
  if (!has_memory(to_number) || !has_memory(from_number)) return false;
  Device* to_device = device(to_number);
  Device* from_device = device(from_number);
  if (to_device == nullptr && from_device == nullptr) {
    memmove(to, from, bytes);
    return true;
  }
  omp::self_or_attach();
  if (to_device != nullptr && from_device != nullptr) return copy_across(*to_device, to, *from_device, from, bytes);
  if (from_device != nullptr)
    from_device->copy_from(to, from, bytes);
  else
    to_device->copy_to(to, from, bytes);
  return true;
}

void fill(int number, void* block, int value, size_t bytes) {
  if (!has_memory(number)) return;
  Device* known = device(number);
  if (known == nullptr || known->is_near(block)) {
    memset(block, value, bytes);
    return;
  }
  omp::self_or_attach();
  char part[2048];
  memset(part, value, bytes < sizeof part ? bytes : sizeof part);
  for (size_t done = 0; done < bytes; done += sizeof part)
    known->copy_to(static_cast<char*>(block) + done, part, bytes - done < sizeof part ? bytes - done : sizeof part);
}

bool is_present(int number, const void* address) {
  return is_host(number) || mapped_address(number, address) != nullptr;
}

// All of the process's memory is a cluster's too.
bool is_accessible(int number, const void*, size_t) {
  if (is_host(number)) return true;
  const Device* known = device(number);
  return known != nullptr && known->kind == omp::DeviceKind::cluster;
}

void* mapped_address(int number, const void* address) {
  if (is_host(number)) return const_cast<void*>(address);
  Device* known = device(number);
  if (known == nullptr) return nullptr;
  return with_table_of(*known, [&](MappingTable& table) -> void* {
    const Mapping* mapping = table.find(address, 1);
    return mapping != nullptr && mapping->is_held() ? mapping->at(address) : nullptr;
  });
}

bool associate(int number, const void* host, size_t bytes, const void* counterpart) {
  Device* known = device(number);
  if (known == nullptr || bytes == 0) return false;
  return with_table_of(*known, [&](MappingTable& table) {
    if (const Mapping* mapping = table.find(host, bytes))
      return mapping->associated && mapping->at(host) == counterpart;
    if (table.find_any(host, bytes) != nullptr) return false;
    Mapping* mapping = table.insert(host, bytes, const_cast<void*>(counterpart), nullptr, kForEver);
    if (mapping != nullptr) mapping->associated = true;
    return mapping != nullptr;
  });
}

bool disassociate(int number, const void* host) {
  Device* known = device(number);
  if (known == nullptr) return false;
  return with_table_of(*known, [&](MappingTable& table) {
    Mapping* mapping = table.find(host, 1);
    if (mapping == nullptr || !mapping->associated || mapping->begin != reinterpret_cast<uintptr_t>(host))
      return false;
    table.erase(mapping);
    return true;
  });
}

}  // namespace tulle::offload
