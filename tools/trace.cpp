// SPDX-License-Identifier: Apache-2.0
#include "trace.h"

#include <fmt/format.h>

#include <cstdlib>

#include "output.h"
#include "run.h"
#include "standstill.h"
#include "status.h"
#include "trace_clip.h"
#include "trace_html.h"
#include "trace_lanes.h"
#include "trace_otf2.h"
#include "trace_perfetto.h"
#include "trace_record.h"
#include "trace_svg.h"
#include "watched_run.h"

namespace tulle::tools {

// What a picture can be written as.
struct TraceForm {
  const char* flag;
  const char* help;
  const char* output;  // where no other is named
  void (*write)(const Picture& picture, const std::string& output);
  void (*require)(const std::string& output) = require_output;  // else the program is not run
  bool once = false;                                            // what is there is not written over
};

namespace {

constexpr const char* kFolderVariable = "TULLE_TRACE";

template <std::string (*text_of)(const Picture&)>
void write_as_text(const Picture& picture, const std::string& output) {
  write_text(text_of(picture), output);
}

constexpr TraceForm kPage{"", "", "tulle-trace.html", write_as_text<trace_html>};
constexpr TraceForm kForms[] = {
    {"--svg", "Write one picture in place of the page (tulle-trace.svg)", "tulle-trace.svg", write_as_text<trace_svg>},
    {"--perfetto", "Write JSON for ui.perfetto.dev (tulle-trace.json)", "tulle-trace.json",
     write_as_text<trace_perfetto>},
    {"--otf2", "Write an OTF2 archive, in a new folder (tulle-trace-otf2)", "tulle-trace-otf2", write_otf2, require_otf2,
     true},
};

void report_gaps(const Picture& picture) {
  for (const ProcessTrace& process : picture.processes)
    if (process.cut_off)
      fmt::print(stderr, "tulle: trace: process {} had more events than there was room for (--size)\n", process.pid);
}

}  // namespace

Trace::Trace(CLI::App& app)
    : command_(app.add_subcommand("trace", "Run a program, and draw what its threads did, moment by moment")),
      settings_(command_),
      form_(&kPage) {
  std::vector<CLI::Option*> flags;
  for (const TraceForm& form : kForms) {
    CLI::Option* flag = command_->add_flag_callback(form.flag, [this, &form] { form_ = &form; }, form.help);
    for (CLI::Option* other : flags) flag->excludes(other);
    flags.push_back(flag);
  }
  command_->add_option("-o,--output", output_, "The file to write (tulle-trace.html); - is standard output");
  command_->add_option("--size", mib_, "Room for the events of each process, in MiB (256; 16 bytes each)")
      ->check(CLI::Range(1u, 65536u));
  command_->add_option("--last", last_, "Keep and show the last seconds only: what is older makes room")
      ->check(CLI::Range(1e-3, 1e6));
  command_->add_option("--standstill", standstill_, "Write what there is when nothing has happened for so many seconds")
      ->check(CLI::Range(0.1, 1e6));
  command_->add_option("--records", folder_, "Keep what each process wrote in this folder");
  command_->add_option("--read", read_, "Run nothing: show what is in such a folder, of processes that go on too");
  command_->footer("tulle trace [OPTIONS] [--] PROGRAM [ARGS...]\n"
                   "tulle trace [OPTIONS] [--] mpirun -n 2 tulle run -- PROGRAM [ARGS...]\n");
}

void Trace::take_program(std::vector<std::string>& words) { program_ = take_program_of(command_, words); }

Variables Trace::variables(const std::string& folder) const {
  setenv(kFolderVariable, folder.c_str(), 1);  // settings.h: for programs of MPI
  if (last_ > 0) setenv("TULLE_TRACE_RING", "1", 1);
  if (mib_ != 0) setenv("TULLE_TRACE_MIB", std::to_string(mib_).c_str(), 1);
  return variables_with_tool(program_[0], settings_.variables(), "libtulle-trace.so");
}

void Trace::show(const std::string& folder, const std::string& output) const {
  Picture picture = picture_of(read_traces(folder));
  if (picture.events == 0) throw Failure("no process called an OpenMP runtime that told of it");
  report_gaps(picture);
  if (last_ > 0) keep_last(picture, static_cast<std::int64_t>(last_ * 1e9));
  form_->write(picture, output);
}

std::string Trace::output() const { return output_.empty() ? form_->output : output_; }

void Trace::show_meanwhile(const std::string& folder, const std::string& why, int number) const {
  const std::string to = form_->once ? fmt::format("{}.{}", output(), number) : output();
  try {
    show(folder, to);
    fmt::print(stderr, "tulle: trace: {}; {} shows it\n", why, to);
  } catch (const Failure& problem) {
    fmt::print(stderr, "tulle: trace: {}; {}\n", why, problem.what());
  }
}

int Trace::run(const std::string& folder) const {
  Standstill standstill(folder, standstill_);
  int shown = 0;
  const auto look = [&] {
    if (standstill_ > 0 && standstill.has_come())
      show_meanwhile(folder, fmt::format("nothing has happened for {} s", standstill_), ++shown);
  };
  const auto asked = [&] { show_meanwhile(folder, "what there is was asked for", ++shown); };
  return run_and_look(program_, variables(folder), look, asked);
}

int Trace::operator()() const {
  form_->require(output());
  return run_and_show({"trace", program_, read_, folder_}, [this](const std::string& folder) { return run(folder); },
                      [this](const std::string& folder) { show(folder, output()); });
}

}  // namespace tulle::tools
