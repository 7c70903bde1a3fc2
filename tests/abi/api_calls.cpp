// SPDX-License-Identifier: Apache-2.0
// Calls every exported omp_* routine in every form and version, outside of all regions, and checks
// what it does. Prints each "symbol version" that it called; api_calls.py compares that with the
// export table. Usage: api_calls LIBRARY
#include <dlfcn.h>

#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

void* library;
int failures;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "failed: %s\n", what.c_str());
}

void* find(const std::string& name, const char* version) {
  void* address = dlvsym(library, name.c_str(), version);
  if (address == nullptr) {
    std::fprintf(stderr, "no %s@%s\n", name.c_str(), version);
    std::exit(1);
  }
  std::printf("%s %s\n", name.c_str(), version);
  return address;
}

template <class Result, class... Args>
Result call(const std::string& name, const char* version, Args... args) {
  return reinterpret_cast<Result (*)(Args...)>(find(name, version))(args...);
}

// A routine without arguments, in its four forms, that gives `wanted`.
void query(const std::string& name, const char* node, int wanted) {
  for (const char* suffix : {"", "_"})
    for (const char* version : {node, "VERSION"})
      expect(call<int>(name + suffix, version) == wanted, name + suffix + " is " +
                                                             std::to_string(wanted));
}

// A routine that sets an int, in all forms; `check` says whether it took.
template <class Check>
void setter(const std::string& name, const char* node, int value, Check check) {
  int32_t narrow = value;
  int64_t wide = value;
  for (const char* version : {node, "VERSION"}) {
    call<void>(name, version, value);
    expect(check(), name);
    call<void>(name + "_", version, &narrow);
    expect(check(), name + "_");
  }
  call<void>(name + "_8_", node, &wide);
  expect(check(), name + "_8_");
}

// A routine that sets an int which a query gives back.
void pair(const std::string& set, const std::string& get, const char* node, int value, int wanted) {
  setter(set, node, value, [&] { return call<int>(get, node) == wanted; });
  query(get, node, wanted);
}

// A routine of one int that gives an int, in all forms.
void function(const std::string& name, const char* node, int argument, int wanted) {
  int32_t narrow = argument;
  int64_t wide = argument;
  for (const char* version : {node, "VERSION"}) {
    expect(call<int>(name, version, argument) == wanted, name);
    expect(call<int>(name + "_", version, &narrow) == wanted, name + "_");
  }
  expect(call<int>(name + "_8_", node, &wide) == wanted, name + "_8_");
}

void call_team() {
  query("omp_get_thread_num", "OMP_1.0", 0);
  query("omp_get_num_threads", "OMP_1.0", 1);
  query("omp_in_parallel", "OMP_1.0", 0);
  query("omp_get_level", "OMP_3.0", 0);
  query("omp_get_active_level", "OMP_3.0", 0);
  query("omp_get_num_teams", "OMP_4.0", 1);
  query("omp_get_team_num", "OMP_4.0", 0);
  query("omp_in_final", "OMP_3.1", 0);
  query("omp_in_explicit_task", "OMP_5.2", 0);
  function("omp_get_ancestor_thread_num", "OMP_3.0", 0, 0);
  function("omp_get_ancestor_thread_num", "OMP_3.0", 1, -1);
  function("omp_get_team_size", "OMP_3.0", 0, 1);
  function("omp_get_team_size", "OMP_3.0", -1, -1);
  expect(call<int>("ompc_get_ancestor_thread_num", "VERSION", 0) == 0, "ompc ancestor");
  expect(call<int>("ompc_get_team_size", "VERSION", 0) == 1, "ompc team size");
}

void call_control() {
  int procs = call<int>("omp_get_num_procs", "OMP_1.0");
  expect(procs >= 1, "there is a processor");
  query("omp_get_num_procs", "OMP_1.0", procs);
  pair("omp_set_num_threads", "omp_get_max_threads", "OMP_1.0", 5, 5);
  pair("omp_set_num_threads", "omp_get_max_threads", "OMP_1.0", -3, 1);
  pair("omp_set_dynamic", "omp_get_dynamic", "OMP_1.0", 0, 0);
  pair("omp_set_dynamic", "omp_get_dynamic", "OMP_1.0", 7, 1);
  pair("omp_set_nested", "omp_get_nested", "OMP_1.0", 1, 1);
  query("omp_get_max_active_levels", "OMP_3.0", INT_MAX);
  pair("omp_set_nested", "omp_get_nested", "OMP_1.0", 0, 0);
  pair("omp_set_max_active_levels", "omp_get_max_active_levels", "OMP_3.0", 4, 4);
  pair("omp_set_max_active_levels", "omp_get_max_active_levels", "OMP_3.0", -1, 4);
  query("omp_get_supported_active_levels", "OMP_5.0.1", INT_MAX);
  query("omp_get_thread_limit", "OMP_3.0", INT_MAX);
  query("omp_get_cancellation", "OMP_4.0", 0);
  query("omp_get_max_task_priority", "OMP_4.5", 0);
  pair("omp_set_num_teams", "omp_get_max_teams", "OMP_5.1", 3, 3);
  pair("omp_set_teams_thread_limit", "omp_get_teams_thread_limit", "OMP_5.1", 6, 6);
  call<void>("ompc_set_num_threads", "VERSION", 9);
  query("omp_get_max_threads", "OMP_1.0", 9);
  call<void>("ompc_set_dynamic", "VERSION", 0);
  query("omp_get_dynamic", "OMP_1.0", 0);
  call<void>("ompc_set_max_active_levels", "VERSION", 1);
  call<void>("ompc_set_nested", "VERSION", 1);
  query("omp_get_nested", "OMP_1.0", 1);
}

void expect_schedule(uint32_t kind, int chunk) {
  for (const char* version : {"OMP_3.0", "VERSION"}) {
    for (const char* suffix : {"", "_"}) {
      uint32_t got_kind = 0;
      int got_chunk = -1;
      call<void>(std::string("omp_get_schedule") + suffix, version, &got_kind, &got_chunk);
      expect(got_kind == kind && got_chunk == chunk, "schedule");
    }
  }
  uint32_t got_kind = 0;
  int64_t got_chunk = -1;
  call<void>("omp_get_schedule_8_", "OMP_3.0", &got_kind, &got_chunk);
  expect(got_kind == kind && got_chunk == chunk, "schedule_8_");
}

void call_schedule() {
  constexpr uint32_t kMonotonic = 0x80000000u;
  expect_schedule(2, 1);
  call<void>("omp_set_schedule", "OMP_3.0", uint32_t{1}, 0);
  expect_schedule(1, 0);
  call<void>("omp_set_schedule", "VERSION", uint32_t{2} | kMonotonic, -4);
  expect_schedule(2 | kMonotonic, 1);
  uint32_t guided = 3;
  int32_t chunk = 8;
  int64_t wide_chunk = int64_t{1} << 40;
  call<void>("omp_set_schedule_", "OMP_3.0", &guided, &chunk);
  expect_schedule(3, 8);
  call<void>("omp_set_schedule_8_", "OMP_3.0", &guided, &wide_chunk);
  expect_schedule(3, INT_MAX);
  call<void>("omp_set_schedule", "OMP_3.0", uint32_t{77}, 5);
  expect_schedule(3, INT_MAX);
  uint32_t automatic = 4;
  call<void>("omp_set_schedule_", "VERSION", &automatic, &chunk);
  expect_schedule(4, 0);
  call<void>("ompc_set_schedule", "VERSION", uint32_t{1}, 2);
  expect_schedule(1, 2);
}

void call_locks() {
  for (const char* version : {"OMP_1.0", "OMP_3.0", "VERSION"}) {
    for (const std::string suffix : {"", "_"}) {
      struct {
        uint32_t lock, canary;
      } plain = {0xdeadbeef, 0xc0ffee};
      call<void>("omp_init_lock" + suffix, version, &plain.lock);
      expect(call<int>("omp_test_lock" + suffix, version, &plain.lock) == 1, "free lock");
      expect(call<int>("omp_test_lock" + suffix, version, &plain.lock) == 0, "held lock");
      call<void>("omp_unset_lock" + suffix, version, &plain.lock);
      call<void>("omp_set_lock" + suffix, version, &plain.lock);
      call<void>("omp_unset_lock" + suffix, version, &plain.lock);
      call<void>("omp_destroy_lock" + suffix, version, &plain.lock);
      expect(plain.canary == 0xc0ffee, "a lock has four bytes");
      struct {
        uint64_t lock, canary;
      } nest = {0xdeadbeef, 0xc0ffee};
      call<void>("omp_init_nest_lock" + suffix, version, &nest.lock);
      call<void>("omp_set_nest_lock" + suffix, version, &nest.lock);
      expect(call<int>("omp_test_nest_lock" + suffix, version, &nest.lock) == 2, "nest count");
      call<void>("omp_unset_nest_lock" + suffix, version, &nest.lock);
      call<void>("omp_unset_nest_lock" + suffix, version, &nest.lock);
      expect(call<int>("omp_test_nest_lock" + suffix, version, &nest.lock) == 1, "free nest lock");
      call<void>("omp_unset_nest_lock" + suffix, version, &nest.lock);
      call<void>("omp_destroy_nest_lock" + suffix, version, &nest.lock);
      expect(nest.canary == 0xc0ffee, "a nest lock has eight bytes");
    }
  }
  uint64_t lock = ~uint64_t{0};
  uint32_t hint = 2;
  call<void>("omp_init_nest_lock_with_hint", "VERSION", &lock, hint);
  expect(lock == 0, "nest lock with hint");
  call<void>("omp_init_nest_lock_with_hint_", "VERSION", &lock, &hint);
  call<void>("omp_init_lock_with_hint", "VERSION", &lock, hint);
  call<void>("omp_init_lock_with_hint_", "VERSION", &lock, &hint);
  expect(call<int>("omp_test_lock", "VERSION", &lock) == 1, "lock with hint");
}

void call_time() {
  for (const char* version : {"OMP_2.0", "VERSION"}) {
    for (const std::string suffix : {"", "_"}) {
      double before = call<double>("omp_get_wtime" + suffix, version);
      expect(call<double>("omp_get_wtime" + suffix, version) >= before, "time goes on");
      double tick = call<double>("omp_get_wtick" + suffix, version);
      expect(tick > 0 && tick < 1e-3, "tick");
    }
  }
}

void call_affinity() {
  query("omp_get_proc_bind", "OMP_4.0", 0);
  query("omp_get_num_places", "OMP_4.5", 0);
  query("omp_get_place_num", "OMP_4.5", -1);
  query("omp_get_partition_num_places", "OMP_4.5", 0);
  function("omp_get_place_num_procs", "OMP_4.5", 0, 0);
  int32_t zero = 0, ids = 5;
  int64_t wide_zero = 0, wide_ids = 5;
  for (const char* version : {"OMP_4.5", "VERSION"}) {
    call<void>("omp_get_place_proc_ids", version, 0, &ids);
    call<void>("omp_get_place_proc_ids_", version, &zero, &ids);
    call<void>("omp_get_partition_place_nums", version, &ids);
    call<void>("omp_get_partition_place_nums_", version, &ids);
  }
  call<void>("omp_get_place_proc_ids_8_", "OMP_4.5", &wide_zero, &wide_ids);
  call<void>("omp_get_partition_place_nums_8_", "OMP_4.5", &wide_ids);
  expect(ids == 5 && wide_ids == 5, "nothing is written where there are no places");
}

void call_affinity_format() {
  char text[8];
  for (const char* version : {"OMP_5.0", "VERSION"}) {
    call<void>("omp_set_affinity_format", version, "thread %n of %N");
    expect(call<size_t>("omp_get_affinity_format", version, text, sizeof text) == 15, "its length");
    expect(std::strcmp(text, "thread ") == 0, "cut off");
    call<void>("omp_set_affinity_format_", version, "<%n>  ", size_t{4});
    expect(call<size_t>("omp_get_affinity_format_", version, text, sizeof text) == 4, "length");
    expect(std::memcmp(text, "<%n>    ", sizeof text) == 0, "padded with blanks");
    expect(call<size_t>("omp_capture_affinity", version, text, sizeof text, "%T%n") == 2, "captured");
    expect(std::strcmp(text, "10") == 0, "one team, thread 0");
    expect(call<size_t>("omp_capture_affinity_", version, text, "%L%N", sizeof text, size_t{4}) == 2,
           "captured for Fortran");
    expect(std::memcmp(text, "01      ", sizeof text) == 0, "padded");
    call<void>("omp_display_affinity", version, static_cast<const char*>(nullptr));
    call<void>("omp_display_affinity_", version, "fortran %n", size_t{10});
  }
  call<void>("ompc_set_affinity_format", "VERSION", "x");
  expect(call<size_t>("ompc_get_affinity_format", "VERSION", text, sizeof text) == 1, "ompc get");
  expect(call<size_t>("ompc_capture_affinity", "VERSION", text, sizeof text, "") == 1, "ompc capture");
  call<void>("ompc_display_affinity", "VERSION", "%n");
}

struct Trait {
  int32_t key;
  uintptr_t value;
};

void expect_aligned(void* block, size_t alignment) {
  expect(block != nullptr && reinterpret_cast<uintptr_t>(block) % alignment == 0, "aligned block");
}

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

void call_device_memory() {
  auto* block = call<char*>("omp_target_alloc", "OMP_4.5", size_t{64}, 0);
  expect(block != nullptr, "memory of the host");
  expect(call<void*>("omp_target_alloc", "OMP_4.5", size_t{64}, 1) == nullptr, "of no device");
  void* there = call<void*>("omp_target_memset", "GOMP_6.0.1", static_cast<void*>(block), 7,
                            size_t{64}, 0);
  expect(there == block && block[63] == 7, "memset");
  call<void*>("omp_target_memset_async", "GOMP_6.0.1", static_cast<void*>(block), 9, size_t{8}, 0, 0,
              static_cast<void*>(nullptr));
  expect(block[7] == 9 && block[8] == 7, "memset_async");
  expect(call<int>("omp_target_is_present", "OMP_4.5", block, 0) == 1, "present");
  expect(call<int>("omp_target_is_accessible", "OMP_5.1.1", block, size_t{1}, 4) == 0, "accessible");
  expect(call<void*>("omp_get_mapped_ptr", "OMP_5.1.1", block, -1) == block, "mapped");
  char copy[64] = {};
  expect(call<int>("omp_target_memcpy", "OMP_4.5", copy, block, size_t{8}, size_t{2}, size_t{0}, 0,
                   0) == 0 && copy[2] == 9 && copy[1] == 0, "memcpy");
  expect(call<int>("omp_target_memcpy", "OMP_4.5", copy, block, size_t{8}, size_t{0}, size_t{0}, 0,
                   2) != 0, "memcpy from no device");
  expect(call<int>("omp_target_memcpy_async", "OMP_5.1.1", copy, block, size_t{8}, size_t{20},
                   size_t{0}, 0, 0, 0, static_cast<void*>(nullptr)) == 0 && copy[20] == 9,
         "memcpy_async");
  expect(call<int>("omp_target_associate_ptr", "OMP_4.5", copy, block, size_t{8}, size_t{0}, 0) != 0,
         "associate");
  expect(call<int>("omp_target_disassociate_ptr", "OMP_4.5", copy, 0) != 0, "disassociate");
  call<void>("omp_target_free", "OMP_4.5", block, 0);
}

void call_box_copies() {
  int from[4][5], to[3][4] = {};
  for (int i = 0; i < 20; ++i) from[i / 5][i % 5] = i;
  size_t volume[] = {2, 3}, to_offsets[] = {1, 0}, from_offsets[] = {2, 1}, to_shape[] = {3, 4},
         from_shape[] = {4, 5};
  auto copied = [&] { return to[1][0] == 11 && to[2][2] == 18 && to[0][0] == 0 && to[1][3] == 0; };
  expect(call<int>("omp_target_memcpy_rect", "OMP_4.5", &to, &from, sizeof(int), 2, volume,
                   to_offsets, from_offsets, to_shape, from_shape, 0, 0) == 0 && copied(), "a box");
  std::memset(to, 0, sizeof to);
  expect(call<int>("omp_target_memcpy_rect_async", "OMP_5.1.1", &to, &from, sizeof(int), 2, volume,
                   to_offsets, from_offsets, to_shape, from_shape, 0, 0, 0,
                   static_cast<void*>(nullptr)) == 0 && copied(), "a box, asynchronously");
  void* nothing = nullptr;
  expect(call<int>("omp_target_memcpy_rect", "OMP_4.5", nothing, nothing, size_t{1}, 1, volume,
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

void call_runtime() {
  int32_t soft = 1, device = 0, zero = 0;
  int64_t wide = 0;
  for (const char* version : {"OMP_5.0", "VERSION"}) {
    expect(call<int>("omp_pause_resource", version, 1, 0) == 0, "soft pause");
    expect(call<int>("omp_pause_resource", version, 9, 0) != 0, "no such kind");
    expect(call<int>("omp_pause_resource", version, 2, 5) != 0, "no such device");
    expect(call<int>("omp_pause_resource_", version, &soft, &device) == 0, "for Fortran");
    expect(call<int>("omp_pause_resource_all", version, 2) == 0, "hard pause");
    expect(call<int>("omp_pause_resource_all_", version, &soft) == 0, "for Fortran");
  }
  for (const char* version : {"OMP_5.1", "VERSION"}) {
    call<void>("omp_display_env", version, 0);
    call<void>("omp_display_env_", version, &zero);
  }
  call<void>("omp_display_env_8_", "OMP_5.1", &wide);
  expect(call<int>("omp_control_tool", "VERSION", 1, 0, static_cast<void*>(nullptr)) == -2, "tool");
  expect(call<int>("omp_control_tool_", "VERSION", &soft, &zero, static_cast<void*>(nullptr)) == -2,
         "tool for Fortran");
}

}  // namespace

int main(int, char** arguments) {
  library = dlopen(arguments[1], RTLD_NOW);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  call_team();
  call_control();
  call_schedule();
  call_locks();
  call_time();
  call_affinity();
  call_affinity_format();
  call_allocators();
  call_memory_spaces();
  call_device();
  call_device_memory();
  call_box_copies();
  call_interop();
  call_runtime();
  return failures != 0;
}
