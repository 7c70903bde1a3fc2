// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <new>

#include "omp/tool/record.h"
#include "os/report.h"

namespace tulle::omp::tool {

namespace {

template <class Record>
Record& made(Record*& record) {
  if (TULLE_LIKELY(record != nullptr)) return *record;
  void* memory = malloc(sizeof(Record));
  if (memory == nullptr) os::fatal("no memory for what a tool keeps");
  record = new (memory) Record;
  return *record;
}

}  // namespace

OfThread& of(Thread* thread) { return made(thread->tool); }
OfTask& of(Task* task) { return made(task->tool); }
OfRegion& of(Team* team) { return made(team->tool); }

}  // namespace tulle::omp::tool
