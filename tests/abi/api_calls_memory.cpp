// SPDX-License-Identifier: Apache-2.0
// The part of api_calls about memory, devices and interoperability.
#include "api_calls.h"

#include <cstddef>

namespace {

struct Trait {
  int32_t key;
  uintptr_t value;
};

void expect_aligned(void* block, size_t alignment) {
  expect(block != nullptr && reinterpret_cast<uintptr_t>(block) % alignment == 0, "aligned block");
}

}  // namespace

void call_allocators() {
  Trait trait = {2, 256};  // omp_atk_alignment
  int32_t one = 1;
  int64_t wide_one = 1;
  uintptr_t space = 0;
  for (const char* version : {"OMP_5.0.1", "VERSION"}) {
    auto handle = call<uintptr_t>("omp_init_allocator", version, space, 1, &trait);
    void* block = call<void*>("omp_alloc", version, size_t{100}, handle);
    expect_aligned(block, 256);
    call<void>("omp_free", version, block, handle);
    call<void>("omp_set_default_allocator", version, handle);
    for (const char* suffix : {"", "_"})
      expect(call<uintptr_t>(std::string("omp_get_default_allocator") + suffix, version) == handle,
             "default allocator");
    uintptr_t plain = 1;
    call<void>("omp_set_default_allocator_", version, &plain);
    call<void>("omp_destroy_allocator", version, handle);
    handle = call<uintptr_t>("omp_init_allocator_", version, &space, &one, &trait);
    call<void>("omp_destroy_allocator_", version, &handle);
  }
  auto handle = call<uintptr_t>("omp_init_allocator_8_", "OMP_5.0.1", &space, &wide_one, &trait);
  for (const char* version : {"OMP_5.0.2", "VERSION"}) {
    void* block = call<void*>("omp_aligned_alloc", version, size_t{64}, size_t{10}, uintptr_t{0});
    expect_aligned(block, 64);
    block = call<void*>("omp_realloc", version, block, size_t{5000}, handle, uintptr_t{0});
    expect_aligned(block, 256);
    call<void>("omp_free", "OMP_5.0.1", block, uintptr_t{0});
    block = call<void*>("omp_alloc", "OMP_5.0.1", size_t{3}, uintptr_t{0});
    expect_aligned(block, alignof(std::max_align_t));
    call<void>("omp_free", "OMP_5.0.1", block, uintptr_t{0});
    auto* numbers = call<int*>("omp_calloc", version, size_t{10}, sizeof(int), uintptr_t{0});
    expect(numbers != nullptr && numbers[9] == 0, "zeroed");
    call<void>("omp_free", "OMP_5.0.1", static_cast<void*>(numbers), uintptr_t{0});
    block = call<void*>("omp_aligned_calloc", version, size_t{128}, size_t{3}, size_t{4}, handle);
    expect_aligned(block, 256);
    call<void>("omp_free", "OMP_5.0.1", block, uintptr_t{0});
    block = call<void*>("omp_aligned_alloc", version, size_t{3}, size_t{10}, uintptr_t{0});
    expect(block == nullptr, "an alignment of 3");
  }
  call<void>("omp_destroy_allocator", "OMP_5.0.1", handle);
}

void call_memory_spaces() {
  int host = 0, other = 3;
  uintptr_t space = 1;
  auto spaces = [&](const char* name, int* device) {
    return call<uintptr_t>(name, "VERSION", 1, device, space);
  };
  auto of_one = [&](const char* name, int device) {
    return call<uintptr_t>(name, "VERSION", device, space);
  };
  expect(spaces("omp_get_devices_memspace", &host) == space, "space of the host");
  expect(spaces("omp_get_devices_memspace", &other) == 0, "space of no device");
  expect(spaces("omp_get_devices_and_host_memspace", &host) == space, "host and host");
  expect(of_one("omp_get_device_memspace", 3) == 0, "no such device");
  expect(of_one("omp_get_device_and_host_memspace", 0) == space, "device and host");
  expect(call<uintptr_t>("omp_get_devices_all_memspace", "VERSION", space) == space, "all");
  for (uintptr_t handle : {spaces("omp_get_devices_allocator", &host),
                           spaces("omp_get_devices_and_host_allocator", &host),
                           of_one("omp_get_device_allocator", 0),
                           of_one("omp_get_device_and_host_allocator", 0),
                           call<uintptr_t>("omp_get_devices_all_allocator", "VERSION", space)}) {
    expect(handle != 0, "allocator of the host");
    call<void>("omp_destroy_allocator", "VERSION", handle);
  }
  expect(call<int>("omp_get_memspace_num_resources", "VERSION", space) == 1, "one resource");
  int resource = 0;
  expect(call<uintptr_t>("omp_get_submemspace", "VERSION", space, 1, &resource) == space, "part");
  const char* names[] = {"omp_null_allocator",     "omp_default_mem_alloc", "omp_large_cap_mem_alloc",
                         "omp_const_mem_alloc",    "omp_high_bw_mem_alloc", "omp_low_lat_mem_alloc",
                         "omp_cgroup_mem_alloc",   "omp_pteam_mem_alloc",   "omp_thread_mem_alloc"};
  for (uintptr_t i = 0; i < 9; ++i)
    expect(*static_cast<uintptr_t*>(find(names[i], "VERSION")) == i, names[i]);
  const char* space_names[] = {"omp_large_cap_mem_space", "omp_const_mem_space",
                               "omp_high_bw_mem_space", "omp_low_lat_mem_space"};
  for (uintptr_t i = 0; i < 4; ++i)
    expect(*static_cast<uintptr_t*>(find(space_names[i], "VERSION")) == i + 1, space_names[i]);
  expect(*static_cast<uintptr_t*>(find("omp_default_mem_space", "VERSION")) == 99, "default space");
}

void call_device() {
  query("omp_get_default_device", "OMP_4.0", 0);
  query("omp_get_num_devices", "OMP_4.0", 0);
  query("omp_is_initial_device", "OMP_4.0", 1);
  query("omp_get_initial_device", "OMP_4.5", 0);
  query("omp_get_device_num", "OMP_5.0.2", 0);
  setter("omp_set_default_device", "OMP_4.0", 2,
         [] { return call<int>("omp_get_default_device", "OMP_4.0") == 2; });
  const char* uid = call<const char*>("omp_get_uid_from_device", "GOMP_6.0", 0);
  expect(uid != nullptr, "the host has a name");
  expect(call<const char*>("omp_get_uid_from_device", "VERSION", 5) == nullptr, "no device 5");
  expect(call<int>("omp_get_device_from_uid", "GOMP_6.0", uid) == 0, "its number");
  expect(call<int>("omp_get_device_from_uid", "GOMP_6.0", "?") == -4, "GCC's omp_invalid_device");
  expect(call<int>("omp_get_device_from_uid", "VERSION", "?") == -2, "clang's omp_invalid_device");
  expect(call<int>("omp_get_device_from_uid_", "GOMP_6.0", uid, std::strlen(uid)) == 0, "Fortran");
  const char* text = nullptr;
  size_t length = 0;
  call<void>("omp_get_uid_from_device_", "GOMP_6.0", &text, &length, int32_t{-1});
  expect(text == uid && length == std::strlen(uid), "uid for Fortran");
  call<void>("omp_get_uid_from_device_8_", "GOMP_6.0", &text, &length, int64_t{9});
  expect(text == nullptr && length == 0, "uid of no device for Fortran");
}

void call_llvm_devices() {
  expect(call<int>("omp_get_num_devices", kLlvm) == 0, "no devices");
  expect(call<int>("omp_get_initial_device", kLlvm) == 0, "the host's number");
  expect(call<int>("omp_get_device_num", kLlvm) == 0, "on the host");
  const char* uid = call<const char*>("omp_get_uid_from_device", kLlvm, 0);
  expect(uid != nullptr && call<int>("omp_get_device_from_uid", kLlvm, uid) == 0, "the host's name");
  expect(call<int>("omp_get_device_from_uid", kLlvm, "?") == -2, "omp_invalid_device");
  void* none = nullptr;
  int32_t result = 0;
  call<intptr_t>("omp_get_interop_int", kLlvm, none, -5, &result);
  expect(result == -1, "omp_irc_empty");
  call<void*>("omp_get_interop_ptr", kLlvm, none, -50, &result);
  expect(result == -2, "omp_irc_out_of_range");
  expect(call<const char*>("omp_get_interop_str", kLlvm, none, -4, &result) == nullptr, "str");
  expect(std::strcmp(call<const char*>("omp_get_interop_name", kLlvm, none, -4), "vendor_name") == 0, "name");
  call<const char*>("omp_get_interop_type_desc", kLlvm, none, -4);
}

// llvm: as programs find it that are linked to LLVM's offloading library.
void call_device_memory(bool llvm) {
  auto in = [=](const char* node) { return llvm ? kLlvm : node; };
  auto* block = call<char*>("omp_target_alloc", in("OMP_4.5"), size_t{64}, 0);
  expect(block != nullptr, "memory of the host");
  expect(call<void*>("omp_target_alloc", in("OMP_4.5"), size_t{64}, 1) == nullptr, "of no device");
  void* there = call<void*>("omp_target_memset", in("GOMP_6.0.1"), static_cast<void*>(block), 7,
                            size_t{64}, 0);
  expect(there == block && block[63] == 7, "memset");
  call<void*>("omp_target_memset_async", in("GOMP_6.0.1"), static_cast<void*>(block), 9, size_t{8}, 0, 0,
              static_cast<void*>(nullptr));
  expect(block[7] == 9 && block[8] == 7, "memset_async");
  expect(call<int>("omp_target_is_present", in("OMP_4.5"), block, 0) == 1, "present");
  expect(call<int>("omp_target_is_accessible", in("OMP_5.1.1"), block, size_t{1}, 4) == 0, "accessible");
  expect(call<void*>("omp_get_mapped_ptr", in("OMP_5.1.1"), block, -1) == block, "mapped");
  char copy[64] = {};
  expect(call<int>("omp_target_memcpy", in("OMP_4.5"), copy, block, size_t{8}, size_t{2}, size_t{0}, 0,
                   0) == 0 && copy[2] == 9 && copy[1] == 0, "memcpy");
  expect(call<int>("omp_target_memcpy", in("OMP_4.5"), copy, block, size_t{8}, size_t{0}, size_t{0}, 0,
                   2) != 0, "memcpy from no device");
  expect(call<int>("omp_target_memcpy_async", in("OMP_5.1.1"), copy, block, size_t{8}, size_t{20},
                   size_t{0}, 0, 0, 0, static_cast<void*>(nullptr)) == 0 && copy[20] == 9,
         "memcpy_async");
  expect(call<int>("omp_target_associate_ptr", in("OMP_4.5"), copy, block, size_t{8}, size_t{0}, 0) != 0,
         "associate");
  expect(call<int>("omp_target_disassociate_ptr", in("OMP_4.5"), copy, 0) != 0, "disassociate");
  call<void>("omp_target_free", in("OMP_4.5"), block, 0);
}

void call_box_copies(bool llvm) {
  auto in = [=](const char* node) { return llvm ? kLlvm : node; };
  int from[4][5], to[3][4] = {};
  for (int i = 0; i < 20; ++i) from[i / 5][i % 5] = i;
  size_t volume[] = {2, 3}, to_offsets[] = {1, 0}, from_offsets[] = {2, 1}, to_shape[] = {3, 4},
         from_shape[] = {4, 5};
  auto copied = [&] { return to[1][0] == 11 && to[2][2] == 18 && to[0][0] == 0 && to[1][3] == 0; };
  expect(call<int>("omp_target_memcpy_rect", in("OMP_4.5"), &to, &from, sizeof(int), 2, volume,
                   to_offsets, from_offsets, to_shape, from_shape, 0, 0) == 0 && copied(), "a box");
  std::memset(to, 0, sizeof to);
  expect(call<int>("omp_target_memcpy_rect_async", in("OMP_5.1.1"), &to, &from, sizeof(int), 2, volume,
                   to_offsets, from_offsets, to_shape, from_shape, 0, 0, 0,
                   static_cast<void*>(nullptr)) == 0 && copied(), "a box, asynchronously");
  void* nothing = nullptr;
  expect(call<int>("omp_target_memcpy_rect", in("OMP_4.5"), nothing, nothing, size_t{1}, 1, volume,
                   to_offsets, from_offsets, to_shape, from_shape, 0, 0) == INT_MAX, "dimensions");
}

void call_interop() {
  void* none = nullptr;
  int32_t result = 0;
  for (const char* version : {"GOMP_5.1.3", "VERSION"}) {
    expect(call<int>("omp_get_num_interop_properties", version, none) == 0, "no properties");
    call<intptr_t>("omp_get_interop_int", version, none, -5, &result);
    expect(result == -1, "omp_irc_empty");
    call<void*>("omp_get_interop_ptr", version, none, -50, &result);
    expect(result == -2, "omp_irc_out_of_range");
    expect(call<const char*>("omp_get_interop_str", version, none, -4, &result) == nullptr, "str");
    expect(std::strcmp(call<const char*>("omp_get_interop_name", version, none, -4),
                       "vendor_name") == 0, "name");
    call<const char*>("omp_get_interop_type_desc", version, none, -4);
    expect(call<const char*>("omp_get_interop_rc_desc", version, none, int32_t{-1}) != nullptr, "rc");
  }
  const char* text = "?";
  size_t length = 9;
  call<void>("omp_get_interop_str_", "GOMP_5.1.3", &text, &length, none, -4, &result);
  expect(text == nullptr && length == 0, "str for gfortran");
  call<void>("omp_get_interop_name_", "GOMP_5.1.3", &text, &length, none, -1);
  expect(length == 5, "fr_id");
  call<void>("omp_get_interop_type_desc_", "GOMP_5.1.3", &text, &length, none, -1);
  call<void>("omp_get_interop_rc_desc_", "GOMP_5.1.3", &text, &length, none, int32_t{0});
  expect(text != nullptr && std::strcmp(text, "success") == 0, "rc for gfortran");
  call<int>("omp_get_num_interop_properties_", "VERSION", none);
  call<intptr_t>("omp_get_interop_int_", "VERSION", none, -5, &result);
  call<void*>("omp_get_interop_ptr_", "VERSION", none, -7, &result);
  call<const char*>("omp_get_interop_str_", "VERSION", none, -4, &result);
  call<const char*>("omp_get_interop_name_", "VERSION", none, -4);
  call<const char*>("omp_get_interop_type_desc_", "VERSION", none, -4);
  call<const char*>("omp_get_interop_rc_desc_", "VERSION", none, int32_t{0});
}
