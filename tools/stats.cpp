// SPDX-License-Identifier: Apache-2.0
#include "stats.h"

#include <fmt/format.h>

#include <cstdlib>

#include "output.h"
#include "run.h"
#include "stats_advice.h"
#include "stats_html.h"
#include "stats_json.h"
#include "stats_record.h"
#include "stats_text.h"
#include "status.h"
#include "watched_run.h"

namespace tulle::tools {
namespace {

constexpr const char* kFolderVariable = "TULLE_STATS";

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
  Variables variables = variables_with_tool(program_[0], settings_.variables(), "libtulle-stats.so");
  if (all_) variables.emplace_back("TULLE_STATS_COST", "100");
  return variables;
}

void Stats::show(const std::string& folder) const {
  const std::vector<ProcessRecord> records = read_records(folder);
  if (records.empty()) throw Failure("no process that called an OpenMP runtime came to its end");
  const std::vector<Advice> advice = advice_for(records);
  if (html_)
    write_text(stats_html(records, advice), output());
  else
    write_text(json_ ? stats_json(records, advice) : stats_text(records, advice), output());
}

std::string Stats::output() const { return html_ && output_.empty() ? "tulle-stats.html" : output_; }

int Stats::operator()() const {
  require_output(output());
  return run_and_show({"stats", program_, read_, folder_},
                      [this](const std::string& folder) { return run_to_its_end(program_, variables(folder)); },
                      [this](const std::string& folder) { show(folder); });
}

}  // namespace tulle::tools
