// SPDX-License-Identifier: Apache-2.0
// libtulle-stats: a tool for OMPT that sums up what a process's threads did, and writes it when the process ends, as
// one JSON file in the folder that TULLE_STATS names. `tulle stats` puts it under a program and reads the files.
#include <pthread.h>

#include <climits>
#include <cstdlib>
#include <optional>

#include "budget.h"
#include "callbacks.h"
#include "folder.h"
#include "process.h"
#include "record.h"
#include "thread.h"

namespace tulle::stats {

namespace {

std::optional<Began> began;  // W: start_tool, and a child of fork()
char folder[PATH_MAX];       // W: start_tool

// What the parent did is the parent's. Records of threads that the child does not have stay, and count for nothing.
void begin_in_child() {
  forget_totals();
  began.emplace();
  began->age = 0;
}

void write() { write_record(folder, *began); }

int initialize(omp::tool::Lookup lookup, int, omp::tool::Data*) {
  budget.begin(began->usable.usable, std::getenv("TULLE_STATS_COST"));
  register_callbacks(lookup);
  std::atexit(write);  // after the runtime has told of the end
  pthread_atfork(nullptr, nullptr, begin_in_child);
  return 1;
}

void finalize(omp::tool::Data*) { budget.end(); }

}  // namespace

}  // namespace tulle::stats

// Once: it may be loaded before the program and named as a tool too.
extern "C" __attribute__((visibility("default"))) tulle::omp::tool::StartResult* ompt_start_tool(unsigned, const char*) {
  static bool asked = false;
  if (asked) return nullptr;
  asked = true;
  if (!tulle::stats::find_folder("TULLE_STATS", tulle::stats::folder)) return nullptr;
  tulle::stats::began.emplace();
  static tulle::omp::tool::StartResult result = {tulle::stats::initialize, tulle::stats::finalize, {}};
  return &result;
}
