// SPDX-License-Identifier: Apache-2.0
// The tulle command.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench.h"
#include "doctor.h"
#include "env.h"
#include "graph.h"
#include "info.h"
#include "library.h"
#include "run.h"
#include "simulate.h"
#include "stats.h"
#include "status.h"
#include "trace.h"

namespace tulle::tools {
namespace {

struct Command {
  CLI::App app{"Runs OpenMP programs on user-level threads, with no rebuild.", "tulle"};
  Run run{app};
  Env env{app};
  Info info{app};
  Bench bench{app};
  Simulate simulate{app};
  Graph graph{app};
  Stats stats{app};
  Trace trace{app};
  Doctor doctor{app};
  CLI::App* libdir =
      app.add_subcommand("libdir", "Print the folder that holds libgomp.so.1 and the other names");

  Command() {
    app.set_version_flag("--version", "tulle " TULLE_VERSION_STRING);
    app.require_subcommand(1);
    app.footer("tulle COMMAND --help says more; man tulle, too.\n");
  }

  bool runs_a_program() const { return run.chosen() || stats.chosen() || trace.chosen() || info.runs_a_program(); }
  int status_of_bad_command_line() const { return runs_a_program() ? kRunFailed : kBadCommandLine; }

  void expect_a_command(const std::vector<std::string>& words) const {
    if (!words.empty() && app.get_option_no_throw(words[0]) != nullptr) return;
    std::string names;
    for (const CLI::App* known : app.get_subcommands({})) {
      if (!words.empty() && words[0] == known->get_name()) return;
      names += " " + known->get_name();
    }
    throw BadCommandLine(words.empty() ? "no command; there are" + names + " (tulle --help)"
                                       : fmt::format("{}: no such command; there are{} (tulle --help)", words[0], names));
  }

  // Returns false, with a status, if there is nothing more to do.
  bool parse(std::vector<std::string> words, int& status);
  int call() const;
};

bool Command::parse(std::vector<std::string> words, int& status) {
  expect_a_command(words);
  run.take_program(words);
  stats.take_program(words);
  trace.take_program(words);
  info.take_program(words);
  std::ranges::reverse(words);  // as App::parse wants them
  try {
    app.parse(words);
    return true;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success))
      throw BadCommandLine(error.what());
    status = app.exit(error);  // --help or --version
    return false;
  }
}

int Command::call() const {
  if (run.chosen()) return run();
  if (env.chosen()) return env();
  if (info.chosen()) return info();
  if (bench.chosen()) return bench();
  if (simulate.chosen()) return simulate();
  if (graph.chosen()) return graph();
  if (stats.chosen()) return stats();
  if (trace.chosen()) return trace();
  if (doctor.chosen()) return doctor();
  if (libdir->parsed()) fmt::print("{}\n", library_folder().string());
  return kDone;
}

int run_command(std::vector<std::string> words) {
  Command command;
  try {
    int status = kDone;
    return command.parse(std::move(words), status) ? command.call() : status;
  } catch (const BadCommandLine& error) {
    fmt::print(stderr, "tulle: {}\n", error.what());
    return command.status_of_bad_command_line();
  } catch (const std::exception& error) {
    fmt::print(stderr, "tulle: {}\n", error.what());
    return command.runs_a_program() ? kRunFailed : kFailed;
  }
}

}  // namespace
}  // namespace tulle::tools

int main(int argc, char** argv) {
  return tulle::tools::run_command(std::vector<std::string>(argv + 1, argv + argc));
}
