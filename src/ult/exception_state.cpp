// SPDX-License-Identifier: Apache-2.0
#include "ult/exception_state.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>

#include <atomic>

#include "os/modules.h"

namespace tulle::ult {

namespace {

using GetGlobals = void* (*)();

std::atomic<GetGlobals> get_globals{nullptr};

ExceptionState* state_in_force() {
  GetGlobals get = get_globals.load(std::memory_order_relaxed);  // relaxed: code, never changes
  return get == nullptr ? nullptr : static_cast<ExceptionState*>(get());
}

// Of the C++ runtimes that agree on the layout, where one is loaded so that others do not see it. To ask for one by name
// that is not loaded searches every folder for it.
constexpr const char* kRuntimes[] = {"libstdc++", "libc++abi"};

int copy_path_of_runtime(dl_phdr_info* info, size_t, void* path) {
  if (!os::name_begins_with_any(info->dlpi_name, kRuntimes)) return 0;
  return snprintf(static_cast<char*>(path), PATH_MAX, "%s", info->dlpi_name) < PATH_MAX ? 1 : 0;
}

void* look_in_loaded_runtime() {
  char path[PATH_MAX];
  if (dl_iterate_phdr(copy_path_of_runtime, path) == 0) return nullptr;
  void* library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* found = dlsym(library, "__cxa_get_globals");
  dlclose(library);
  return found;
}

}  // namespace

void find_exception_state() {
  if (get_globals.load(std::memory_order_relaxed) != nullptr) return;
  void* found = dlsym(RTLD_DEFAULT, "__cxa_get_globals");
  if (found == nullptr) found = look_in_loaded_runtime();
  get_globals.store(reinterpret_cast<GetGlobals>(found), std::memory_order_relaxed);
}

bool exception_state_known() { return get_globals.load(std::memory_order_relaxed) != nullptr; }

void save_exception_state(ExceptionState& state) {
  ExceptionState* now = state_in_force();
  if (now == nullptr) return;
  state = *now;
  *now = ExceptionState{};
}

void restore_exception_state(const ExceptionState& state) {
  if (ExceptionState* now = state_in_force()) *now = state;
}

}  // namespace tulle::ult
