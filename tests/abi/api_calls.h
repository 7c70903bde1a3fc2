// SPDX-License-Identifier: Apache-2.0
// How api_calls finds a routine by name and version, calls it and judges what it gives.
#pragma once

#include <dlfcn.h>

#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

inline constexpr const char* kLlvm = "VERS1.0";  // the node of LLVM's offloading library

inline void* library;
inline int failures;

inline void expect(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "failed: %s\n", what.c_str());
}

inline void* find(const std::string& name, const char* version) {
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
inline void query(const std::string& name, const char* node, int wanted) {
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
inline void pair(const std::string& set, const std::string& get, const char* node, int value, int wanted) {
  setter(set, node, value, [&] { return call<int>(get, node) == wanted; });
  query(get, node, wanted);
}

// A routine of one int that gives an int, in all forms.
inline void function(const std::string& name, const char* node, int argument, int wanted) {
  int32_t narrow = argument;
  int64_t wide = argument;
  for (const char* version : {node, "VERSION"}) {
    expect(call<int>(name, version, argument) == wanted, name);
    expect(call<int>(name + "_", version, &narrow) == wanted, name + "_");
  }
  expect(call<int>(name + "_8_", node, &wide) == wanted, name + "_8_");
}

// The parts of other files.
void call_allocators();
void call_memory_spaces();
void call_device();
void call_llvm_devices();
void call_device_memory(bool llvm);
void call_box_copies(bool llvm);
void call_interop();
