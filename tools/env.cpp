// SPDX-License-Identifier: Apache-2.0
#include "env.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "library.h"
#include "status.h"

namespace tulle::tools {
namespace {

std::string escaped(const std::string& text, std::string_view special, const char* mark) {
  std::string out;
  for (char c : text) {
    if (special.find(c) != std::string_view::npos) out += mark;
    out += c;
  }
  return out;
}

bool is_list(const std::string& variable) { return variable.starts_with("LD_"); }
char separator_of(const std::string& variable) { return variable == "LD_PRELOAD" ? ' ' : ':'; }

// What is set already stays behind ours.
void print_shell(const Variables& variables) {
  for (const auto& [name, value] : variables) {
    fmt::print("export {}={}", name, quoted(value));
    if (is_list(name)) fmt::print("\"${{{0}:+{1}${0}}}\"", name, separator_of(name));
    fmt::print("\n");
  }
}

void print_jupyter(const Variables& variables) {
  nlohmann::ordered_json env;
  for (const auto& [name, value] : variables) env[name] = value;
  fmt::print("{}\n", nlohmann::ordered_json{{"env", env}}.dump(2));
}

void print_systemd(const Variables& variables) {
  fmt::print("[Service]\n");
  for (const auto& [name, value] : variables)
    fmt::print("Environment=\"{}={}\"\n", name, escaped(escaped(value, "%", "%"), "\"\\", "\\"));
}

void print_docker(const Variables& variables) {
  std::string prefix = command_folder().parent_path().string();
  fmt::print("# beside the Dockerfile: cp -a {0} tulle\nCOPY tulle {0}\n", prefix);
  for (const auto& [name, value] : variables) fmt::print("ENV {}=\"{}\"\n", name, escaped(value, "\"\\$", "\\"));
}

void print_github(const Variables& variables) {
  for (const auto& [name, value] : variables) fmt::print("echo {} >> \"$GITHUB_ENV\"\n", quoted(name + "=" + value));
}

// The variables are for the program, not for srun itself. --export splits its list at commas.
void print_slurm(const Variables& variables) {
  std::string words;
  for (const auto& [name, value] : variables) words += " " + quoted(name + "=" + value);
  fmt::print("srun --export=ALL env{} ./program\n", words);
}

void print_module(const Variables& variables) {
  std::string prefix = command_folder().parent_path().string();
  auto text = [](const std::string& value) { return "\"" + escaped(value, "\"\\", "\\") + "\""; };
  fmt::print("help([[Puts Tulle, an OpenMP runtime on user-level threads, under programs that are built already.]])\n");
  fmt::print("conflict(\"tulle\")\n");
  fmt::print("prepend_path(\"PATH\", {})\n", text(prefix + "/bin"));
  fmt::print("prepend_path(\"MANPATH\", {})\n", text(prefix + "/share/man"));
  for (const auto& [name, value] : variables) {
    if (is_list(name))
      fmt::print("prepend_path(\"{}\", {}, \":\")\n", name, text(value));
    else
      fmt::print("setenv(\"{}\", {})\n", name, text(value));
  }
}

struct Surroundings {
  const char* name;
  void (*print)(const Variables& variables);
};

constexpr Surroundings kAll[] = {
    {"shell", print_shell},   {"jupyter", print_jupyter}, {"systemd", print_systemd}, {"docker", print_docker},
    {"github", print_github}, {"slurm", print_slurm},     {"module", print_module},
};

}  // namespace

Env::Env(CLI::App& app)
    : command_(app.add_subcommand("env", "Print the lines to copy, for everything that a shell or service starts")),
      settings_(command_) {
  command_->add_option("--for", surroundings_,
                       "shell, jupyter (a part of kernel.json), systemd (of a unit), docker (of a Dockerfile), "
                       "github (a step's commands), slurm (of a batch script) or module (Lmod)")
      ->option_text("WHERE")->capture_default_str();
}

int Env::operator()() const {
  Variables variables = runtime_variables_alone();
  for (const auto& setting : settings_.variables()) variables.push_back(setting);
  std::string names;
  for (const Surroundings& known : kAll) {
    if (surroundings_ == known.name) return known.print(variables), kDone;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
  }
  throw BadCommandLine(fmt::format("env: --for {}: there are {}", surroundings_, names));
}

}  // namespace tulle::tools
