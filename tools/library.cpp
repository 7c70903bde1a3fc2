// SPDX-License-Identifier: Apache-2.0
#include "library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "described_machine.h"
#include "tulle/introspect.h"
#include "tulle/tulle.h"

namespace tulle::tools {
namespace {

constexpr const char* kRealName = "libgomp-tulle.so.1.0";
constexpr const char* kTopologyModule = "libtulle-topology.so";

std::string text(const char* value) { return value != nullptr ? value : ""; }

// Parts come outer before inner: the path to the latest one is enough to hang the next one.
struct TreeMaker {
  Part root;
  std::vector<Part*> path;

  void add(const tulle_machine_part& given) {
    Part part{given.kind, given.cache_level, given.number, given.os_index, given.cpus,
              given.allowed, {}};
    path.resize(static_cast<std::size_t>(given.depth));
    if (path.empty()) {
      root = std::move(part);
      path.push_back(&root);
    } else {
      std::vector<Part>& siblings = path.back()->inner;
      siblings.push_back(std::move(part));
      path.push_back(&siblings.back());
    }
  }
};

}  // namespace

std::filesystem::path command_folder() {
  std::error_code failed;
  std::filesystem::path command = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) throw Failure(fmt::format("where this command lies cannot be read from /proc: {}", failed.message()));
  return command.parent_path();
}

std::filesystem::path library_folder() {
  std::filesystem::path here = command_folder();
  for (const std::filesystem::path& folder :
       {here.parent_path() / TULLE_INSTALLED_LIBDIR, here.parent_path() / "lib"})
    if (std::filesystem::exists(folder / kRealName)) return folder;
  throw Failure(fmt::format("the runtime is not installed: no {} in {} or {}", kRealName,
                            (here.parent_path() / TULLE_INSTALLED_LIBDIR).string(),
                            (here.parent_path() / "lib").string()));
}

Library::Library() : file_(library_folder() / kRealName) {
  handle_ = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) throw Failure(dlerror());
}

template <class Function>
Function* Library::find(const char* name) const {
  return reinterpret_cast<Function*>(dlsym(handle_, name));
}

template <class Function>
Function* Library::require(const char* name) const {
  auto* function = find<Function>(name);
  if (function == nullptr)
    throw Failure(fmt::format("{} is of another version: it has no {}", file_.string(), name));
  return function;
}

std::string Library::version() const {
  return text(require<decltype(tulle_version)>("tulle_version")());
}

Cpus Library::cpus() const {
  Cpus cpus;
  auto* ask = require<decltype(tulle_ask_cpus)>("tulle_ask_cpus");
  ask(
      [](void* context, const tulle_cpus* given) {
        *static_cast<Cpus*>(context) = {given->online,        given->allowed,
                                        given->usable,        given->quota,
                                        given->quota_version, text(given->quota_group)};
      },
      &cpus);
  return cpus;
}

std::string Library::why_not_understood(const std::string& description) const {
  std::filesystem::path module = file_.parent_path() / kTopologyModule;
  if (!std::filesystem::exists(module))
    return fmt::format("machines can be described only where there is {}", module.string());
  if (std::filesystem::exists(description))
    return fmt::format("{}: not an XML file in which hwloc describes a machine", description);
  return fmt::format("{}: neither a file nor a description of a machine, which ends with its hardware threads, as in "
                     "\"numa:8 core:2 pu:1\"", description);
}

Machine Library::machine(const char* description) const {
  auto* each = require<decltype(tulle_each_machine_part)>("tulle_each_machine_part");
  TreeMaker maker;
  auto add = [](void* context, const tulle_machine_part* part) { static_cast<TreeMaker*>(context)->add(*part); };
  if (description == nullptr) {
    const char* source = each(nullptr, add, &maker);
    if (source == nullptr) throw Failure("the machine's shape cannot be read");
    return {source, std::move(maker.root)};
  }
  auto each_of_description = [=](auto* take, void* context) { return each(description, take, context); };
  std::string source = read_in_child(description, each_of_description,
                                     [&](const tulle_machine_part& part) { maker.add(part); });
  if (source.empty()) throw BadCommandLine(why_not_understood(description));
  return {source, std::move(maker.root)};
}

Devices Library::devices() const {
  Devices devices;
  auto* each = require<decltype(tulle_each_device)>("tulle_each_device");
  devices.fault = text(each(
      [](void* context, const tulle_device* given) {
        static_cast<Devices*>(context)->list.push_back(
            {given->number, given->cpus, text(given->kind), text(given->list)});
      },
      &devices));
  return devices;
}

std::optional<std::vector<Control>> Library::controls() const {
  auto* each = find<decltype(tulle_each_control)>("tulle_each_control");
  if (each == nullptr) return std::nullopt;
  std::vector<Control> controls;
  each(
      [](void* context, const tulle_control* given) {
        static_cast<std::vector<Control>*>(context)->push_back(
            {text(given->name), text(given->value), text(given->origin), text(given->set_by),
             text(given->accepts), text(given->meaning)});
      },
      &controls);
  return controls;
}

}  // namespace tulle::tools
