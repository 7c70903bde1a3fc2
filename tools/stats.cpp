// SPDX-License-Identifier: Apache-2.0
#include "stats.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "library.h"
#include "run.h"
#include "scratch_file.h"
#include "stats_advice.h"
#include "stats_html.h"
#include "stats_json.h"
#include "stats_record.h"
#include "stats_text.h"
#include "watched_run.h"

namespace tulle::tools {
namespace {

constexpr const char* kFolderVariable = "TULLE_STATS";

std::filesystem::path tool() {
  const std::filesystem::path file = library_folder() / "libtulle-stats.so";
  if (!std::filesystem::exists(file)) throw Failure(fmt::format("{} is not there", file.string()));
  return file;
}

void write(const std::string& text, const std::string& file) {
  FILE* out = file.empty() ? stderr : file == "-" ? stdout : std::fopen(file.c_str(), "we");
  if (out == nullptr) throw Failure(fmt::format("{}: {}", file, std::strerror(errno)));
  const bool written = std::fputs(text.c_str(), out) >= 0 && std::fflush(out) == 0;
  if (out != stderr && out != stdout) std::fclose(out);
  if (!written) throw Failure(fmt::format("{}: {}", file, std::strerror(errno)));
}

}  // namespace

Stats::Stats(CLI::App& app)
    : command_(app.add_subcommand("stats", "Run a program, and say what its threads did with their time")),
      settings_(command_) {
  auto* json = command_->add_flag("--json", json_, "Print JSON");
  command_->add_flag("--html", html_, "Write a page for a browser, with plots (tulle-stats.html)")->excludes(json);
  command_->add_option("-o,--output", output_, "A file in place of standard error; - is standard output");
  command_->add_flag("--all", all_, "Watch all of it, whatever that costs");
  command_->add_option("--records", folder_, "Keep what each process wrote in this folder");
  command_->add_option("--read", read_, "Run nothing: show what is in such a folder");
  command_->footer("tulle stats [OPTIONS] [--] PROGRAM [ARGS...]\n"
                   "tulle stats [OPTIONS] [--] mpirun -n 2 tulle run -- PROGRAM [ARGS...]\n");
}

void Stats::take_program(std::vector<std::string>& words) { program_ = take_program_of(command_, words); }

Variables Stats::variables(const std::string& folder) const {
  setenv(kFolderVariable, folder.c_str(), 1);  // settings.h: for programs of MPI
  Variables variables = variables_for(program_[0], settings_.variables());
  if (all_) variables.emplace_back("TULLE_STATS_COST", "100");
  const char* others = std::getenv("OMP_TOOL_LIBRARIES");
  variables.emplace_back("OMP_TOOL_LIBRARIES", tool().string() + (others != nullptr ? ':' + std::string(others) : ""));
  return variables;
}

void Stats::show(const std::string& folder) const {
  const std::vector<ProcessRecord> records = read_records(folder);
  if (records.empty()) throw Failure("no process that called an OpenMP runtime came to its end");
  const std::vector<Advice> advice = advice_for(records);
  if (html_)
    write(stats_html(records, advice), output_.empty() ? "tulle-stats.html" : output_);
  else
    write(json_ ? stats_json(records, advice) : stats_text(records, advice), output_);
}

int Stats::operator()() const {
  if (!read_.empty()) {
    if (!program_.empty()) throw BadCommandLine("stats: --read runs no program");
    show(read_);
    return kDone;
  }
  if (program_.empty()) throw BadCommandLine("stats: no program was named");
  std::optional<ScratchFolder> scratch;
  if (folder_.empty()) scratch.emplace();
  if (!folder_.empty()) std::filesystem::create_directories(folder_);
  const std::string folder = scratch ? scratch->path() : std::filesystem::absolute(folder_).string();
  const int status = run_to_its_end(program_, variables(folder));
  try {
    show(folder);
  } catch (const Failure& problem) {
    fmt::print(stderr, "tulle: stats: {}\n", problem.what());
  }
  scratch.reset();
  return end_with(status);
}

}  // namespace tulle::tools
