// SPDX-License-Identifier: Apache-2.0
// libtulle-trace: a tool for OMPT that notes what a process's threads do, event by event, in a file of the folder that
// TULLE_TRACE names. `tulle trace` puts it under a program and reads the files. It needs libc alone.
#include <pthread.h>

#include "callbacks.h"
#include "file.h"
#include "thread.h"

namespace tulle::trace {

namespace {

// What the parent noted stays the parent's.
void begin_in_child() {
  open_file();
  forget_all_chunks();
}

int initialize(omp::tool::Lookup lookup, int, omp::tool::Data*) {
  register_callbacks(lookup);
  pthread_atfork(nullptr, nullptr, begin_in_child);
  return 1;
}

void finalize(omp::tool::Data*) { close_file(); }

}  // namespace

}  // namespace tulle::trace

// Once: it may be loaded before the program and named as a tool too.
extern "C" __attribute__((visibility("default"))) tulle::omp::tool::StartResult* ompt_start_tool(unsigned, const char*) {
  static bool asked = false;
  if (asked) return nullptr;
  asked = true;
  if (!tulle::trace::open_file()) return nullptr;
  static tulle::omp::tool::StartResult result = {tulle::trace::initialize, tulle::trace::finalize, {}};
  return &result;
}
