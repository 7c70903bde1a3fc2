// SPDX-License-Identifier: Apache-2.0
// The tulle command.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench.h"
#include "info.h"
#include "library.h"
#include "run.h"
#include "simulate.h"

int main(int argc, char** argv) {
  using namespace tulle::tools;
  CLI::App app("Runs OpenMP programs on user-level threads, with no rebuild.", "tulle");
  app.set_version_flag("--version", "tulle " TULLE_VERSION_STRING);
  app.require_subcommand(1);
  Run run(app);
  Info info(app);
  Bench bench(app);
  Simulate simulate(app);
  CLI::App* libdir =
      app.add_subcommand("libdir", "Print the folder that holds libgomp.so.1 and the other names");

  std::vector<std::string> words(argv + 1, argv + argc);
  run.take_program(words);
  info.take_program(words);
  std::ranges::reverse(words);  // as App::parse wants them
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    int status = app.exit(error);
    if (status == 0) return 0;
    return run.chosen() ? Run::kOwnFailure : 2;
  }
  try {
    if (run.chosen()) return run();
    if (info.chosen()) return info();
    if (bench.chosen()) return bench();
    if (simulate.chosen()) return simulate();
    if (libdir->parsed()) fmt::print("{}\n", library_folder().string());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tulle: {}\n", error.what());
    return run.chosen() ? Run::kOwnFailure : 1;
  }
}
