// SPDX-License-Identifier: Apache-2.0
// Device memory routines (OpenMP 5.2 §18.8). What is asked of a device that there is not fails. The asynchronous forms are tasks that may run at once: they wait for what
// their dependences name and then do their work.
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "abi/api/entry.h"
#include "offload/device_memory.h"
#include "omp/task/depend_wait.h"
#include "omp/task/dependence_list.h"
#include "omp/task/task_wait.h"

using namespace tulle;

namespace {

// omp_depend_t of GCC 12: the address and the kind that a depobj construct put there.
struct DependObject {
  void* address;
  uintptr_t kind;  // 1 in, 2 out, 3 inout, 4 mutexinoutset, 5 inoutset
};
static_assert(sizeof(DependObject) == 16);

omp::DependenceKind kind_of(const DependObject& object) {
  switch (object.kind) {
    case 1: return omp::DependenceKind::in;
    case 4: return omp::DependenceKind::mutexinoutset;
    case 5: return omp::DependenceKind::inoutset;
    default: return omp::DependenceKind::out;
  }
}

TULLE_MAY_SUSPEND void wait_for(int count, const DependObject* objects) {
  if (count <= 0) return;
  omp::DependenceList list(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) list.add(objects[i].address, kind_of(objects[i]));
  omp::taskwait(omp::self_or_attach(), list.items(), list.count());
}

}  // namespace

TULLE_GNU(void*, omp_target_alloc, "OMP_4.5", size_t size, int device) {
  return offload::allocate(device, size);
}

TULLE_GNU(void, omp_target_free, "OMP_4.5", void* block, int device) { offload::release(device, block); }

TULLE_GNU(int, omp_target_is_present, "OMP_4.5", const void* address, int device) {
  return offload::is_present(device, address);
}

TULLE_GNU(int, omp_target_is_accessible, "OMP_5.1.1", const void* address, size_t size, int device) {
  return offload::is_accessible(device, address, size);
}

TULLE_GNU(void*, omp_get_mapped_ptr, "OMP_5.1.1", const void* address, int device) {
  return offload::mapped_address(device, address);
}

TULLE_GNU(int, omp_target_memcpy, "OMP_4.5", void* to, const void* from, size_t length,
          size_t to_offset, size_t from_offset, int to_device, int from_device) {
  bool copied = offload::copy_between(to_device, static_cast<char*>(to) + to_offset, from_device,
                                      static_cast<const char*>(from) + from_offset, length);
  return copied ? 0 : EINVAL;
}

TULLE_GNU(int, omp_target_memcpy_rect, "OMP_4.5", void* to, const void* from, size_t element,
          int dimensions, const size_t* volume, const size_t* to_offsets,
          const size_t* from_offsets, const size_t* to_shape, const size_t* from_shape,
          int to_device, int from_device) {
  if (to == nullptr && from == nullptr) return INT_MAX;  // asks how many dimensions there may be
  if (!offload::has_memory(to_device) || !offload::has_memory(from_device)) return EINVAL;
  struct Between {
    int to, from;
    static TULLE_MAY_SUSPEND void copy_row(const void* context, void* to, const void* from, size_t bytes) {
      const auto* between = static_cast<const Between*>(context);
      offload::copy_between(between->to, to, between->from, from, bytes);
    }
  };
  const Between between{to_device, from_device};
  omp::BoxCopy box = {element,    dimensions, volume,     to_offsets, from_offsets, to_shape,
                      from_shape, &Between::copy_row, &between};
  return omp::copy_box(to, from, box) ? 0 : EINVAL;
}

TULLE_GNU(int, omp_target_associate_ptr, "OMP_4.5", const void* host, const void* block, size_t size,
          size_t offset, int device) {
  return offload::associate(device, host, size, static_cast<const char*>(block) + offset) ? 0 : EINVAL;
}

TULLE_GNU(int, omp_target_disassociate_ptr, "OMP_4.5", const void* host, int device) {
  return offload::disassociate(device, host) ? 0 : EINVAL;
}

TULLE_GNU(void*, omp_target_memset, "GOMP_6.0.1", void* block, int value, size_t count,
          int device) {
  offload::fill(device, block, value, count);
  return block;
}

TULLE_GNU(int, omp_target_memcpy_async, "OMP_5.1.1", void* to, const void* from, size_t length,
          size_t to_offset, size_t from_offset, int to_device, int from_device, int count,
          DependObject* objects) {
  wait_for(count, objects);
  return api_omp_target_memcpy(to, from, length, to_offset, from_offset, to_device, from_device);
}

TULLE_GNU(int, omp_target_memcpy_rect_async, "OMP_5.1.1", void* to, const void* from,
          size_t element, int dimensions, const size_t* volume, const size_t* to_offsets,
          const size_t* from_offsets, const size_t* to_shape, const size_t* from_shape,
          int to_device, int from_device, int count, DependObject* objects) {
  if (to != nullptr || from != nullptr) wait_for(count, objects);
  return api_omp_target_memcpy_rect(to, from, element, dimensions, volume, to_offsets,
                                    from_offsets, to_shape, from_shape, to_device, from_device);
}

TULLE_GNU(void*, omp_target_memset_async, "GOMP_6.0.1", void* block, int value, size_t size,
          int device, int count, DependObject* objects) {
  wait_for(count, objects);
  return api_omp_target_memset(block, value, size, device);
}
