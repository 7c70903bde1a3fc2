// SPDX-License-Identifier: Apache-2.0
// Calls every exported omp_* routine in every form and version, outside of all regions, and checks
// what it does. Prints each "symbol version" that it called; api_calls.py compares that with the
// export table. Usage: api_calls LIBRARY
#include "api_calls.h"

namespace {

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

// GCC 17's alone. Outside of all regions; in them: gomp_next.c.
void call_dims() {
  const char* node = "OMP_6.1";
  for (const char* count : {"omp_get_num_teams_dim", "omp_get_num_threads_dim"})
    for (int dim : {0, 1, 12, -1}) expect(call<int>(count, node, dim) == 1, count);
  for (const char* number : {"omp_get_team_num_dim", "omp_get_thread_num_dim"})
    for (int dim : {0, 1, 12, -1}) expect(call<int>(number, node, dim) == 0, number);
  expect(call<int>("omp_get_thread_limit_dim", node, 0) == INT_MAX, "thread limit");
  expect(call<int>("omp_get_thread_limit_dim", node, 1) == 1, "thread limit of another dimension");
  const int host = -1, none = 99;
  for (const char* most : {"omp_get_supported_teams_dim", "omp_get_supported_threads_dim"}) {
    expect(call<int>(most, node, host, 0) == INT_MAX && call<int>(most, node, host, 1) == 1, most);
    expect(call<int>(most, node, none, 0) == 0, "no such device");
  }
  for (const std::string dims : {"omp_get_supported_active_team_dims", "omp_get_supported_active_league_dims"})
    for (int native : {0, 1}) {
      expect(call<int>(dims, node, host, native) == 1 && call<int>(dims, node, none, native) == 0, dims);
      expect(call<int>(dims + "_", node, &host, &native) == 1 && call<int>(dims + "_", node, &none, &native) == 0, dims);
    }
  const int devices[] = {host, none, -5, -4, 0};  // the default one, none by definition, and the host's other number
  int distances[] = {7, 7, 7, 7, 7};
  call<void>("omp_get_device_distances", node, 5, devices, distances);
  const int wanted[] = {0, -1, 0, -1, 0};
  expect(std::memcmp(distances, wanted, sizeof wanted) == 0, "distances of devices");
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

void expect_schedule_of(const char* version, uint32_t kind, int chunk) {
  for (const char* suffix : {"", "_"}) {
    uint32_t got_kind = 0;
    int got_chunk = -1;
    call<void>(std::string("omp_get_schedule") + suffix, version, &got_kind, &got_chunk);
    expect(got_kind == kind && got_chunk == chunk, "schedule");
  }
}

void expect_schedule(uint32_t kind, int chunk) {
  expect_schedule_of("OMP_3.0", kind, chunk);
  expect_schedule_of("VERSION", kind, chunk);
  uint32_t got_kind = 0;
  int64_t got_chunk = -1;
  call<void>("omp_get_schedule_8_", "OMP_3.0", &got_kind, &got_chunk);
  expect(got_kind == kind && got_chunk == chunk, "schedule_8_");
}

void call_schedule() {
  constexpr uint32_t kMonotonic = 0x80000000u;
  // Where nobody has said anything each interface has its own runtime's default.
  expect_schedule_of("OMP_3.0", 2, 1);
  expect_schedule_of("VERSION", 1, 0);
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
  expect_schedule_of("OMP_3.0", 4, 1);
  expect_schedule_of("VERSION", 4, 1);
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

void call_runtime() {
  int32_t soft = 1, device = 0, zero = 0;
  int64_t wide = 0;
  for (const char* version : {"OMP_5.0", "VERSION"}) {
    expect(call<int>("omp_pause_resource", version, 1, 0) == 0, "soft pause");
    bool checks = version[0] == 'V';  // libgomp takes every kind for the same
    expect((call<int>("omp_pause_resource", version, 9, 0) != 0) == checks, "no such kind");
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
  expect(call<int>("omp_control_tool", "OMP_6.0", 1, 0, static_cast<void*>(nullptr)) == -2, "GCC 17's");
  expect(call<int>("omp_control_tool_", "OMP_6.0", &soft, &zero, static_cast<void*>(nullptr)) == -2, "Fortran");
  const int64_t long_one = 1, long_zero = 0;
  expect(call<int>("omp_control_tool_8_", "OMP_6.0", &long_one, &long_zero, static_cast<void*>(nullptr)) == -2, "Fortran");
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
  call_dims();
  call_control();
  call_schedule();
  call_locks();
  call_time();
  call_affinity();
  call_affinity_format();
  call_allocators();
  call_memory_spaces();
  call_device();
  call_llvm_devices();
  for (bool llvm : {false, true}) {
    call_device_memory(llvm);
    call_box_copies(llvm);
  }
  call_interop();
  call_runtime();
  return failures != 0;
}
