// SPDX-License-Identifier: Apache-2.0
#include "constructs.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "library.h"

namespace tulle::tools {
namespace {

using nlohmann::ordered_json;

constexpr const char* kConstructs[] = {"barrier", "region", "fork", "join", "reduction", "additions",
                                      "dynamic", "monotonic", "guided"};
constexpr const char* kProtocols[] = {"tulle", "libgomp", "flags", "hyper", "dist", "tree"};
constexpr const char* kBounds[] = {"low", "middle", "high"};

std::filesystem::path machines() { return command_folder().parent_path() / TULLE_INSTALLED_DATADIR / "machines"; }

std::string machine_names() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(machines(), none)) names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string machine_file(const std::string& name) {
  if (name.empty()) throw BadCommandLine("--construct needs --machine; there are " + machine_names());
  if (name.find('/') != std::string::npos) return name;
  auto file = machines() / (name + ".json");
  if (!std::filesystem::exists(file))
    throw BadCommandLine(fmt::format("{}: no such machine; there are {}, or the path of a file", name, machine_names()));
  return file;
}

std::string everything_from(int pipe) {
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t got; (got = read(pipe, part.data(), part.size())) > 0;) text.append(part.data(), static_cast<size_t>(got));
  close(pipe);
  return text;
}

// What the program prints; it says itself on standard error what is wrong.
std::string output_of(std::vector<std::string> words) {
  int ends[2];
  if (pipe(ends) != 0) throw Failure(std::string("pipe: ") + std::strerror(errno));
  pid_t child = fork();
  if (child < 0) throw Failure(std::string("fork: ") + std::strerror(errno));
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  std::string text = everything_from(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw Failure("the model has failed");
  return text;
}

// Fork and join are the parts of a region.
ordered_json times_of(const std::string& program, const ConstructQuestion& question, const std::string& file,
                      int threads, const char* protocol) {
  bool part = question.construct == "fork" || question.construct == "join";
  ordered_json times;
  for (const char* bound : kBounds) {
    std::string text = output_of({program, file, part ? "region" : question.construct, protocol,
                                  std::to_string(threads), bound});
    ordered_json printed = ordered_json::parse(text);
    times[bound] = printed.at(part ? question.construct : "ns");
    if (std::strcmp(bound, "middle") == 0) times["lines"] = printed.at("lines");
  }
  return times;
}

void show(const ordered_json& answer) {
  fmt::print("{} of {} threads on {}, in the model: us, and the range of what is not known\n",
             answer["construct"].get<std::string>(), answer["threads"].get<int>(),
             answer["machine"].get<std::string>());
  for (const auto& [protocol, times] : answer["times"].items())
    fmt::print("  {:8} {:9.2f}   {:.2f} to {:.2f}\n", protocol, times["middle"].get<double>() / 1000,
               times["low"].get<double>() / 1000, times["high"].get<double>() / 1000);
  fmt::print("\nNothing of this was measured: docs/scale.md says how far the model can be trusted.\n");
}

}  // namespace

int show_construct(const ConstructQuestion& question) {
  if (std::ranges::find(kConstructs, question.construct) == std::end(kConstructs))
    throw BadCommandLine(fmt::format("{}: no such construct; there are {}", question.construct,
                                     fmt::join(kConstructs, " ")));
  std::string file = machine_file(question.machine);
  auto program = library_folder() / "tulle-coherence";
  if (!std::filesystem::exists(program)) throw Failure("the model is not built: no " + program.string());
  ordered_json machine = ordered_json::parse(std::ifstream(file), nullptr, false);
  if (!machine.is_object() || !machine["cores"].is_number_integer() || !machine["name"].is_string())
    throw Failure(file + ": not a description of a machine");
  ordered_json answer = {{"construct", question.construct}, {"machine", machine["name"]}, {"source", machine["source"]}};
  int threads = question.threads != 0 ? question.threads : machine["cores"].get<int>();
  answer["threads"] = threads;
  for (const char* protocol : kProtocols) answer["times"][protocol] = times_of(program, question, file, threads, protocol);
  if (question.json)
    fmt::print("{}\n", answer.dump(2));
  else
    show(answer);
  return kDone;
}

}  // namespace tulle::tools
