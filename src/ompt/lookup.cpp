// SPDX-License-Identifier: Apache-2.0
// The functions that a tool finds by name. Their signatures do not say which tool asks, so each has its own.
#include <string_view>

#include "omp/tool/start.h"
#include "ompt/callbacks.h"
#include "ompt/inquiry.h"

namespace tulle::ompt {

namespace tool = omp::tool;

namespace {

struct Entry {
  std::string_view name;
  tool::Callback function;
};

template <class Function>
tool::Callback untyped(Function* function) {
  return reinterpret_cast<tool::Callback>(function);
}

// No range is known: the first one is empty, and there is no other.
int no_task_memory(void** address, size_t* size, int) {
  *address = nullptr;
  *size = 0;
  return 0;
}
int no_target_info(uint64_t*, uint64_t*, uint64_t*) { return 0; }
int num_devices() { return tool::count_devices != nullptr ? tool::count_devices() : 0; }

template <uint32_t number>
struct Functions {
  static int set(uint32_t event, tool::Callback callback) {
    return static_cast<int>(set_callback(number, event, callback));
  }
  static int set_own(uint32_t event, tool::Callback callback) { return set_own_callback(number, event, callback); }
  static int get(uint32_t event, tool::Callback* callback) { return get_callback(number, event, callback); }
  static Data* data() { return thread_data(number); }
  static int parallel(int level, Data** data, int* size) { return parallel_info(number, level, data, size); }
  static int task(int level, int* flags, Data** data, FrameRecord** frame, Data** region, int* thread_num) {
    return task_info(number, level, {flags, data, frame, region, thread_num});
  }
  static void finalize() { tool::finalize(number); }
  static void keep_no_thread_locals() { tool::tools[number].keeps_thread_locals = false; }

  static tool::Callback find(const char* name) {
    const Entry entries[] = {
        {"ompt_set_callback", untyped(&set)},
        {"ompt_get_callback", untyped(&get)},
        {"ompt_get_state", untyped(&state)},
        {"ompt_get_thread_data", untyped(&data)},
        {"ompt_get_parallel_info", untyped(&parallel)},
        {"ompt_get_task_info", untyped(&task)},
        {"ompt_get_task_memory", untyped(&no_task_memory)},
        {"ompt_get_unique_id", untyped(&unique_id)},
        {"ompt_enumerate_states", untyped(&enumerate_states)},
        {"ompt_enumerate_mutex_impls", untyped(&enumerate_mutex_impls)},
        {"ompt_get_num_procs", untyped(&num_procs)},
        {"ompt_get_num_places", untyped(&num_places)},
        {"ompt_get_place_proc_ids", untyped(&place_procs)},
        {"ompt_get_place_num", untyped(&place_num)},
        {"ompt_get_partition_place_nums", untyped(&partition_places)},
        {"ompt_get_proc_id", untyped(&proc_id)},
        {"ompt_get_target_info", untyped(&no_target_info)},
        {"ompt_get_num_devices", untyped(&num_devices)},
        {"ompt_finalize_tool", untyped(&finalize)},
        {"tulle_keep_no_thread_locals", untyped(&keep_no_thread_locals)},
        {"tulle_set_callback", untyped(&set_own)},
        {"tulle_work_chunk", untyped(&work_chunk)},
        {"tulle_team_spins", untyped(&team_spins)},
        {"tulle_worker", untyped(&worker)},
    };
    for (const Entry& entry : entries)
      if (entry.name == name) return entry.function;
    return nullptr;
  }
};

constexpr tool::Lookup lookups[tool::kTools] = {&Functions<0>::find, &Functions<1>::find, &Functions<2>::find,
                                                &Functions<3>::find};

__attribute__((constructor)) void offer_lookups() { tool::lookups = lookups; }

}  // namespace

}  // namespace tulle::ompt
