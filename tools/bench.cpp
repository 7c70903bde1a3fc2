// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "library.h"

namespace tulle::tools {
namespace {

std::filesystem::path harness() {
  auto script = command_folder().parent_path() / TULLE_INSTALLED_DATADIR / "bench" / "run.py";
  if (!std::filesystem::exists(script))
    throw Failure("the benchmarks are not installed: no " + script.string());
  return script;
}

}  // namespace

// The harness has more options than this command should know of; all words behind `bench` are its.
Bench::Bench(CLI::App& app)
    : command_(app.add_subcommand("bench", "Measure this runtime beside its peers")) {
  command_->prefix_command();
  command_->set_help_flag();
}

int Bench::operator()() const {
  std::vector<std::string> words = {"python3", harness().string(), "--as-tulle-bench", "--tulle",
                                    library_folder().string()};
  for (const std::string& word : command_->remaining()) words.push_back(word);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  throw Failure(std::string("python3: ") + std::strerror(errno));
}

}  // namespace tulle::tools
