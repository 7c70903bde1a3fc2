// SPDX-License-Identifier: Apache-2.0
#include "offload/transfer.h"

#include <string.h>

#include "base/create.h"
#include "os/report.h"

namespace tulle::offload {

namespace {

bool lies_in(const Attachment* attachment, uintptr_t begin, size_t bytes) {
  return attachment->pointer >= begin && attachment->pointer + sizeof(void*) <= begin + bytes;
}

void*& host_pointer(const Attachment* attachment) { return *reinterpret_cast<void**>(attachment->pointer); }

// Copies out what lies between the attached pointers of the range.
void copy_out_between(Device& device, const Mapping& mapping, uintptr_t begin, uintptr_t end) {
  for (;;) {
    uintptr_t stop = end;
    for (const Attachment* each = mapping.attachments; each != nullptr; each = each->next)
      if (lies_in(each, begin, end - begin) && each->pointer < stop) stop = each->pointer;
    device.copy_from(reinterpret_cast<void*>(begin), mapping.at(begin), stop - begin);
    if (stop == end) return;
    begin = stop + sizeof(void*);
  }
}

Attachment* find_attachment(const Mapping* mapping, const void* address) {
  Attachment* attachment = mapping->attachments;
  while (attachment != nullptr && attachment->pointer != reinterpret_cast<uintptr_t>(address))
    attachment = attachment->next;
  return attachment;
}

// A variable that a cluster's code names directly is the host's own, and so is a pointer in it: then what it
// points to has to be the host's own as well.
bool is_shared(const Device& device, const Mapping* mapping) {
  return device.kind == omp::DeviceKind::cluster && mapping->at(mapping->begin) == reinterpret_cast<char*>(mapping->begin);
}

void share(Device& device, Mapping* mapping) {
  if (is_shared(device, mapping)) return;
  copy_out(device, *mapping, reinterpret_cast<void*>(mapping->begin), mapping->end - mapping->begin);
  mapping->device = reinterpret_cast<char*>(mapping->begin);
}

void attach_to(Device& device, Mapping* holder, const void* address, void* value, uint64_t count) {
  Attachment* attachment = find_attachment(holder, address);
  if (attachment == nullptr) {
    Attachment made{reinterpret_cast<uintptr_t>(address), value, count, holder->attachments};
    attachment = create<Attachment>(made);
    if (attachment == nullptr) os::fatal("no memory for a pointer that is attached on device %d", device.number);
    holder->attachments = attachment;
  }
  attachment->value = value;
  device.copy_to(holder->at(address), &value, sizeof value);
}

}  // namespace

void copy_in(Device& device, const Mapping& mapping, const void* address, size_t bytes) {
  auto begin = reinterpret_cast<uintptr_t>(address);
  device.copy_to(mapping.at(address), address, bytes);
  for (Attachment* each = mapping.attachments; each != nullptr; each = each->next)
    if (lies_in(each, begin, bytes)) device.copy_to(mapping.at(each->pointer), &each->value, sizeof each->value);
}

void copy_out(Device& device, const Mapping& mapping, const void* address, size_t bytes) {
  auto begin = reinterpret_cast<uintptr_t>(address);
  copy_out_between(device, mapping, begin, begin + bytes);
}

bool attach(Device& device, const void* address, size_t bias, uint64_t count) {
  Mapping* holder = device.table.find(address, sizeof(void*));
  if (holder == nullptr) return true;
  if (Attachment* known = find_attachment(holder, address); known != nullptr && count != kForEver) {
    if (known->count != kForEver) known->count += count;
    return true;
  }
  char* pointee = *static_cast<char* const*>(address);
  if (pointee == nullptr) return true;
  Mapping* target = device.table.find(pointee + bias, 0);
  if (target == nullptr) return false;
  if (is_shared(device, holder)) {
    share(device, target);
    return true;
  }
  attach_to(device, holder, address, target->at(pointee + bias) - bias, count);
  return true;
}

void bring_back(Device& device) {
  MappingTable& table = device.table;
  if (!table.host_is_newer || device.lost.load(std::memory_order_acquire)) return;
  table.host_is_newer = false;
  for (Mapping* mapping : table) {
    if (!mapping->host_is_newer) continue;
    mapping->host_is_newer = false;
    copy_in(device, *mapping, reinterpret_cast<void*>(mapping->begin), mapping->end - mapping->begin);
  }
}

void detach(Device& device, const void* address, bool for_good) {
  Mapping* holder = device.table.find(address, sizeof(void*));
  Attachment* attachment = holder != nullptr ? find_attachment(holder, address) : nullptr;
  if (attachment == nullptr || attachment->count == kForEver) return;
  if (--attachment->count != 0 && !for_good) return;
  device.copy_to(holder->at(address), &host_pointer(attachment), sizeof(void*));
  Attachment** at = &holder->attachments;
  while (*at != attachment) at = &(*at)->next;
  *at = attachment->next;
  destroy(attachment);
}

}  // namespace tulle::offload
