// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "library.h"
#include "program.h"
#include "watched_run.h"

namespace tulle::tools {

int become(std::vector<std::string> program, const Variables& variables) {
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (std::string& argument : program) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  int error = errno;
  fmt::print(stderr, "tulle: {}: {}\n", program[0], std::strerror(error));
  return error == ENOENT ? kNotFound : kCannotRun;
}

std::vector<std::string> take_program_of(const CLI::App* command, std::vector<std::string>& words) {
  if (words.empty() || words[0] != command->get_name()) return {};
  auto takes_next_word = [&](const std::string& option) {
    const CLI::Option* known = command->get_option_no_throw(option);
    return known != nullptr && known->get_items_expected_max() > 0;
  };
  std::size_t at = 1;
  while (at < words.size() && words[at] != "--" && words[at].starts_with('-')) at += takes_next_word(words[at]) ? 2 : 1;
  if (at >= words.size()) return {};
  auto first = words.begin() + static_cast<std::ptrdiff_t>(at);
  std::vector<std::string> program(*first == "--" ? first + 1 : first, words.end());
  words.erase(first, words.end());
  return program;
}

Variables variables_for(const std::string& name, Variables variables) {
  Program program = look_at_program(name);
  if (!program.why.empty()) fmt::print(stderr, "tulle: {}\n", program.why);
  if (program.reach == Program::Reach::none) return variables;
  for (auto [variable, value] : runtime_variables(name)) {
    if (variable == "LD_PRELOAD" && program.reach == Program::Reach::with_asan_first) value = program.asan + " " + value;
    variables.emplace_back(variable, value);
  }
  return variables;
}

Variables variables_with_tool(const std::string& program, Variables settings, const std::string& tool) {
  const std::filesystem::path file = library_folder() / tool;
  if (!std::filesystem::exists(file)) throw Failure(fmt::format("{} is not there", file.string()));
  Variables variables = variables_for(program, std::move(settings));
  const char* others = std::getenv("OMP_TOOL_LIBRARIES");
  variables.emplace_back("OMP_TOOL_LIBRARIES", file.string() + (others != nullptr ? ':' + std::string(others) : ""));
  return variables;
}

Run::Run(CLI::App& app) : command_(app.add_subcommand("run", "Run a program on Tulle")), settings_(command_) {
  command_->add_flag("-v,--verbose", verbosity_,
                     "Show the control variables at start, and at the end which runtime was called; twice: all "
                     "variables, and debugging output");
  command_->add_flag("--print", print_, "Print the environment instead of running");
  command_->footer("tulle run [OPTIONS] [--] PROGRAM [ARGS...]\n");
}

Variables Run::settings() const {
  Variables variables = settings_.variables();
  if (verbosity_ > 0) variables.emplace_back("OMP_DISPLAY_ENV", verbosity_ > 1 ? "VERBOSE" : "TRUE");
  if (verbosity_ > 1) variables.emplace_back("OMP_DEBUG", "ENABLED");
  return variables;
}

int Run::operator()() const {
  if (print_) {
    Variables variables = runtime_variables(program_.empty() ? "" : program_[0]);
    for (const auto& setting : settings()) variables.push_back(setting);
    for (const auto& [name, value] : variables) fmt::print("export {}={}\n", name, quoted(value));
    return kDone;
  }
  if (program_.empty()) throw BadCommandLine("run: no program was named");
  Variables variables = variables_for(program_[0], settings());
  return verbosity_ > 0 ? run_and_report(program_, variables) : become(program_, variables);
}

}  // namespace tulle::tools
