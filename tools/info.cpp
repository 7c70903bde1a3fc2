// SPDX-License-Identifier: Apache-2.0
#include "info.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "draw.h"
#include "placement.h"
#include "run.h"
#include "scratch_file.h"
#include "settings.h"

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

// The mask limits nothing that holds the whole machine.
std::string origin_of(const Control& control, const Cpus& cpus) {
  if (control.origin == "affinity mask") return limited_by(cpus);
  if (control.set_by.empty() || control.set_by == control.name) return control.origin;
  return control.origin + ": " + control.set_by;
}

void print_controls(const std::optional<std::vector<Control>>& controls, const Cpus& cpus) {
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
  for (const Control& control : *controls)
    fmt::print("  {:<{}}  {:<{}}  {}\n", control.name, name_width, control.value, value_width,
               origin_of(control, cpus));
}

void print_machine(const Machine& machine, const Remarks& remarks) {
  fmt::print("Machine (from {})\n", machine.source);
  std::string drawing = draw(machine.root, remarks);
  for (std::size_t at = 0, end; (end = drawing.find('\n', at)) != std::string::npos; at = end + 1)
    fmt::print("  {}\n", drawing.substr(at, end - at));
}

void print_devices(const Devices& devices) {
  if (!devices.fault.empty()) fmt::print("Devices: none ({})\n\n", devices.fault);
  if (devices.list.empty()) return;
  fmt::print("Devices\n");
  for (const Device& device : devices.list)
    fmt::print("  {}  {} of CPU{} {}\n", device.number, device.kind, device.cpus == 1 ? "" : "s", device.list);
  fmt::print("\n");
}

void print_text(const Library& library, const char* description) {
  Machine machine = library.machine(description);
  fmt::print("Tulle {}\n  {}\n\n", library.version(), library.file().string());
  print_machine(machine, {});
  if (description != nullptr) return;

  Cpus cpus = library.cpus();
  bool all = limited_by(cpus) == "machine";
  fmt::print("\nUsable CPUs: {} ({})\n", cpus.usable, all ? "all" : "limited by the " + limited_by(cpus));
  std::string online = cpus.online > 0 ? fmt::format("{} online, ", cpus.online) : "";
  fmt::print("  {}{} in the affinity mask, {}\n\n", online, cpus.allowed, quota_text(cpus));
  print_devices(library.devices());
  print_controls(library.controls(), cpus);
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

Json to_json(const std::optional<std::vector<Control>>& controls, const Cpus& cpus) {
  if (!controls) return nullptr;
  Json list = Json::array();
  for (const Control& control : *controls)
    list.push_back({{"name", control.name},
                    {"value", control.value},
                    {"origin", control.origin == "affinity mask" ? limited_by(cpus) : control.origin},
                    {"set_by", control.set_by.empty() ? Json() : Json(control.set_by)},
                    {"accepts", control.accepts},
                    {"meaning", control.meaning}});
  return list;
}

Json to_json(const Devices& devices) {
  Json list = Json::array();
  for (const Device& device : devices.list)
    list.push_back({{"number", device.number}, {"kind", device.kind}, {"cpus", device.list}});
  return list;
}

void print_json(const Library& library, const char* description) {
  Machine machine = library.machine(description);
  Json json = {{"version", library.version()},
               {"library", library.file().string()},
               {"machine", {{"source", machine.source}, {"tree", to_json(machine.root)}}}};
  if (description == nullptr) {
    Cpus cpus = library.cpus();
    json["cpus"] = to_json(cpus);
    json["devices"] = to_json(library.devices());
    json["controls"] = to_json(library.controls(), cpus);
  }
  fmt::print("{}\n", json.dump(2));
}

Json to_json(const std::vector<PlacedMember>& placement) {
  Json list = Json::array();
  for (const PlacedMember& placed : placement)
    list.push_back({{"level", placed.level}, {"team", placed.team}, {"member", placed.member},
                    {"leaf", placed.leaf}, {"cpu", placed.cpu}, {"count", placed.count}});
  return list;
}

// As a shell says it: 128 + number for a signal.
int exit_status_of(const std::vector<std::string>& program, const std::string& placement_file) {
  auto variables = runtime_variables(program[0]);
  variables.emplace_back("TULLE_PLACEMENT", placement_file);
  pid_t child = fork();
  if (child < 0) throw Failure(fmt::format("fork: {}", std::strerror(errno)));
  if (child == 0) _exit(become(program, variables));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw Failure(fmt::format("waitpid: {}", std::strerror(errno)));
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Info::Info(CLI::App& app)
    : command_(app.add_subcommand("info", "Show the machine and the settings as Tulle sees them")) {
  command_->add_flag("--json", json_, "Print JSON");
  command_->add_option("--topology", topology_,
                       "Draw another machine: hwloc's XML file or synthetic description");
  command_->add_flag("--placement", placement_,
                     "Run the program that follows, and draw where its teams went");
  command_->footer("tulle info [OPTIONS] [--placement PROGRAM [ARGS...]]\n");
}

void Info::take_program(std::vector<std::string>& words) {
  if (words.empty() || words[0] != "info") return;
  auto option = std::ranges::find(words, "--placement");
  if (option == words.end()) return;
  program_.assign(option + 1, words.end());
  if (!program_.empty() && program_[0] == "--") program_.erase(program_.begin());
  words.erase(option + 1, words.end());
}

int Info::show_placement(const Library& library, const char* description) const {
  if (program_.empty()) throw BadCommandLine("info --placement: no program was named");
  Machine machine = library.machine(description);
  ScratchFile file;
  int status = exit_status_of(program_, file.path());
  if (status == kNotFound || status == kCannotRun) return status;
  std::vector<PlacedMember> placement = read_placement(file.path());
  std::string kind = read_kind_of_members(file.path());
  if (json_) {
    Json json = {{"machine", {{"source", machine.source}, {"tree", to_json(machine.root)}}},
                 {"members", kind.empty() ? Json() : Json(kind)},
                 {"placement", to_json(placement)}};
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("Placement: {}\n", summary_of(machine.root, placement));
    if (!kind.empty()) fmt::print("Members: {}\n", kind);
    fmt::print("\n");
    print_machine(machine, remarks_on(machine.root, placement));
  }
  return status;
}

int Info::operator()() const {
  Library library;
  const char* description = topology_.empty() ? nullptr : topology_.c_str();
  if (placement_) return show_placement(library, description);
  if (json_)
    print_json(library, description);
  else
    print_text(library, description);
  return 0;
}

}  // namespace tulle::tools
