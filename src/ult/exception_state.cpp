// SPDX-License-Identifier: Apache-2.0
#include "ult/exception_state.h"

#include <dlfcn.h>

#include <atomic>

namespace tulle::ult {

namespace {

using GetGlobals = void* (*)();

std::atomic<GetGlobals> get_globals{nullptr};

ExceptionState* state_in_force() {
  GetGlobals get = get_globals.load(std::memory_order_relaxed);  // relaxed: code, never changes
  return get == nullptr ? nullptr : static_cast<ExceptionState*>(get());
}

}  // namespace

void find_exception_state() {
  if (get_globals.load(std::memory_order_relaxed) != nullptr) return;
  void* found = dlsym(RTLD_DEFAULT, "__cxa_get_globals");
  for (const char* name : {"libstdc++.so.6", "libc++abi.so.1"}) {
    if (found != nullptr) break;
    if (void* library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD)) {
      found = dlsym(library, "__cxa_get_globals");
      dlclose(library);
    }
  }
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
