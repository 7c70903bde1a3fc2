// SPDX-License-Identifier: Apache-2.0
#include "info.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "draw.h"
#include "library.h"

namespace tulle::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string quota_text(const Cpus& cpus) {
  if (cpus.quota == 0) return "no cgroup quota";
  return fmt::format("cgroup v{} quota of {:.2f} CPUs in {}", cpus.quota_version, cpus.quota,
                     cpus.quota_group);
}

std::string limited_by(const Cpus& cpus) {
  if (cpus.quota > 0 && cpus.usable < cpus.allowed) return "cgroup quota";
  if (cpus.allowed < cpus.online) return "affinity mask";
  return "machine";
}

void print_controls(const std::optional<std::vector<Control>>& controls) {
  if (!controls) {
    fmt::print("Control variables: this build of the runtime does not report them\n");
    return;
  }
  fmt::print("Control variables\n");
  std::size_t name_width = 0, value_width = 0;
  for (const Control& control : *controls) {
    name_width = std::max(name_width, control.name.size());
    value_width = std::max(value_width, std::min<std::size_t>(control.value.size(), 36));
  }
  for (const Control& control : *controls) {
    std::string origin = control.origin;
    if (!control.set_by.empty() && control.set_by != control.name)
      origin += ": " + control.set_by;
    fmt::print("  {:<{}}  {:<{}}  {}\n", control.name, name_width, control.value, value_width,
               origin);
  }
}

void print_text(const Library& library, const char* description) {
  Machine machine = library.machine(description);
  fmt::print("Tulle {}\n  {}\n\n", library.version(), library.file().string());
  fmt::print("Machine (from {})\n", machine.source);
  std::string drawing = draw(machine.root);
  for (std::size_t at = 0, end; (end = drawing.find('\n', at)) != std::string::npos; at = end + 1)
    fmt::print("  {}\n", drawing.substr(at, end - at));
  if (description != nullptr) return;

  Cpus cpus = library.cpus();
  fmt::print("\nUsable CPUs: {} (limited by the {})\n", cpus.usable, limited_by(cpus));
  fmt::print("  {} online, {} in the affinity mask, {}\n\n", cpus.online, cpus.allowed,
             quota_text(cpus));
  print_controls(library.controls());
}

Json to_json(const Part& part) {
  Json json = {{"kind", part.kind}, {"number", part.number}, {"os_index", part.os_index},
               {"cpus", part.cpus}, {"allowed", part.allowed}};
  if (part.cache_level > 0) json["cache_level"] = part.cache_level;
  for (const Part& inner : part.inner) json["inner"].push_back(to_json(inner));
  return json;
}

Json to_json(const Cpus& cpus) {
  Json quota;
  if (cpus.quota > 0)
    quota = {{"cpus", cpus.quota}, {"version", cpus.quota_version}, {"group", cpus.quota_group}};
  return {{"usable", cpus.usable},
          {"limited_by", limited_by(cpus)},
          {"online", cpus.online},
          {"allowed", cpus.allowed},
          {"quota", quota}};
}

Json to_json(const std::optional<std::vector<Control>>& controls) {
  if (!controls) return nullptr;
  Json list = Json::array();
  for (const Control& control : *controls)
    list.push_back({{"name", control.name},
                    {"value", control.value},
                    {"origin", control.origin},
                    {"set_by", control.set_by.empty() ? Json() : Json(control.set_by)},
                    {"accepts", control.accepts},
                    {"meaning", control.meaning}});
  return list;
}

void print_json(const Library& library, const char* description) {
  Machine machine = library.machine(description);
  Json json = {{"version", library.version()},
               {"library", library.file().string()},
               {"machine", {{"source", machine.source}, {"tree", to_json(machine.root)}}}};
  if (description == nullptr) {
    json["cpus"] = to_json(library.cpus());
    json["controls"] = to_json(library.controls());
  }
  fmt::print("{}\n", json.dump(2));
}

}  // namespace

Info::Info(CLI::App& app)
    : command_(app.add_subcommand("info", "Show the machine and the settings as Tulle sees them")) {
  command_->add_flag("--json", json_, "Print JSON");
  command_->add_option("--topology", topology_,
                       "Draw another machine: hwloc's XML file or synthetic description");
}

int Info::operator()() const {
  Library library;
  const char* description = topology_.empty() ? nullptr : topology_.c_str();
  if (json_)
    print_json(library, description);
  else
    print_text(library, description);
  return 0;
}

}  // namespace tulle::tools
