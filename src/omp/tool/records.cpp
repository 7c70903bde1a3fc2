// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <new>

#include "omp/tool/record.h"
#include "os/report.h"

namespace tulle::omp::tool {

namespace {

template <class Record>
Record& make(Record*& record) {
  void* memory = malloc(sizeof(Record));
  if (memory == nullptr) os::fatal("no memory for what a tool keeps");
  record = new (memory) Record;
  return *record;
}

}  // namespace

OfThread& make_record(Thread* thread) { return make(thread->tool); }
OfTask& make_record(Task* task) { return make(task->tool); }
OfRegion& make_record(Team* team) { return make(team->tool); }

}  // namespace tulle::omp::tool
