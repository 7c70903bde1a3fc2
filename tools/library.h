// SPDX-License-Identifier: Apache-2.0
// Where the runtime lies that belongs to this command, and what it says of itself. One thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "status.h"

namespace tulle::tools {

// The folder of this command itself.
std::filesystem::path command_folder();

// The folder with libgomp.so.1 and the other names. Throws Failure if there is none.
std::filesystem::path library_folder();

struct Control {
  std::string name, value, origin, set_by, accepts, meaning;
};

struct Cpus {
  int online = 0, allowed = 0, usable = 0;
  double quota = 0;  // 0: unlimited
  int quota_version = 0;
  std::string quota_group;
};

struct Device {
  int number = 0, cpus = 0;
  std::string kind, list;
};

struct Devices {
  std::vector<Device> list;
  std::string fault;  // why there are none although they are asked for
};

struct Part {
  std::string kind;
  int cache_level = 0, number = 0, os_index = -1, cpus = 0, allowed = 0;
  std::vector<Part> inner;
};

struct Machine {
  std::string source;
  Part root;
};

// The runtime, opened in this process; it reads this process's environment and affinity mask.
class Library {
 public:
  Library();

  std::string version() const;
  std::filesystem::path file() const { return file_; }
  Cpus cpus() const;
  // Null: this machine. Throws BadCommandLine if the description is not understood.
  Machine machine(const char* description) const;
  Devices devices() const;
  // Nothing if this runtime does not tell.
  std::optional<std::vector<Control>> controls() const;

 private:
  template <class Function>
  Function* find(const char* name) const;
  template <class Function>
  Function* require(const char* name) const;
  std::string why_not_understood(const std::string& description) const;

  std::filesystem::path file_;
  void* handle_;
};

}  // namespace tulle::tools
