// SPDX-License-Identifier: Apache-2.0
// The map clauses of one construct as a list, whatever compiler wrote it, and what becomes of them at the
// begin and at the end of the construct (OpenMP 5.2 §5.8). Whoever calls does not hold the device's lock.
#pragma once

#include <cstddef>
#include <cstdint>

#include "offload/device.h"

namespace tulle::offload {

enum class Action : uint8_t {
  map,              // a range
  section,          // a range that may have no bytes, or not be there: then the address stays the host's
  structure,        // the range around the `size` items that follow, each of which is a part of it
  descriptor,       // a range with pointers in it that follow as items
  pointer,          // a pointer that is mapped, to data that are
  set_pointer,      // a pointer in mapped data, for as long as they are mapped
  attach,           // a pointer in mapped data, `size` bytes before mapped data
  detach,
  detach_for_good,
  attach_new,       // for as long as they are mapped, if the pointer or the data, `size` bytes behind, are new
  copy,             // firstprivate
  value,            // the address itself is what the region gets
  use,              // the device's address, which there must be
  use_if_present,
  argument,         // the region gets the address that is `size` bytes before the device's address
};

enum MapFlags : uint8_t {
  kTo = 1,
  kFrom = 2,
  kAlways = 4,
  kPresent = 8,   // it has to be there
  kImplicit = 16, // it may be there in part
  kForget = 32,   // delete: whatever holds it
  kHeld = 64,     // by this construct, since its begin
  kMember = 128,  // a part of a range that comes before it in the list, and holds it
};

struct MapItem {
  Action action;
  uint8_t flags;
  uint32_t alignment;  // attach_new: bytes of the pointer, which may be the first of a descriptor
  void* address;
  size_t size;  // bytes; of a structure: items; of a pointer or an argument: the bias
};

// Bytes that an item maps.
inline size_t bytes_of(const MapItem& item) { return item.action == Action::pointer ? sizeof(void*) : item.size; }
// Not where an optional argument is absent.
inline bool is_range(const MapItem& item) {
  bool maps = item.action == Action::map || item.action == Action::section || item.action == Action::descriptor ||
              item.action == Action::pointer;
  return maps && item.address != nullptr;
}

// What a construct maps. The region's view of each item goes to `seen`, where there is one.
struct Maps {
  MapItem* items;
  size_t count;
};

// The begin of target, target data and target enter data. False: the device has no memory for it, and all is
// as before.
TULLE_MAY_SUSPEND bool begin_maps(Device& device, Maps maps, void** seen);

// The end of what begin_maps() began; or nothing comes back, as if it had not begun.
TULLE_MAY_SUSPEND void end_maps(Device& device, Maps maps);
TULLE_MAY_SUSPEND void undo_maps(Device& device, Maps maps);

// target exit data, and target update.
TULLE_MAY_SUSPEND void exit_maps(Device& device, Maps maps);
TULLE_MAY_SUSPEND void update_maps(Device& device, Maps maps);

// A region runs on the host after all: what the device has of its data comes over first, and goes back at
// its end.
TULLE_MAY_SUSPEND void fetch_present(Device& device, Maps maps);
TULLE_MAY_SUSPEND void return_present(Device& device, Maps maps);

// The same where nobody says when the region has ended: what the host has is taken for the newer from now on,
// and goes back when the device is used again.
TULLE_MAY_SUSPEND void leave_to_host(Device& device, Maps maps);

}  // namespace tulle::offload
