// SPDX-License-Identifier: Apache-2.0
// What tools may ask (OpenMP 5.2 §19.6). `tool` says whose data is meant. Any thread, in callbacks and in signal
// handlers too: nothing here allocates or waits, and in the middle of a switch of threads there is no answer.
#pragma once

#include "omp/tool/record.h"

namespace tulle::ompt {

using omp::tool::Data;
using omp::tool::FrameRecord;

enum Known : int { kNone = 0, kUnavailable = 1, kAvailable = 2 };

Data* thread_data(uint32_t tool);
int state(uint64_t* wait_id);
int parallel_info(uint32_t tool, int level, Data** data, int* size);
struct TaskQuestion {
  int* flags;
  Data** data;
  FrameRecord** frame;
  Data** parallel;
  int* thread_num;
};
int task_info(uint32_t tool, int level, const TaskQuestion& asked);
uint64_t unique_id();
// Tulle's own: of the loop that the calling thread has begun, how many iterations it gives out at once (0: no fixed
// number); and whether members of its team have been seen to spin on each other.
uint64_t work_chunk();
int team_spins();
// And the number of the worker that runs the calling thread; UINT32_MAX in the middle of a switch.
uint32_t worker();

int enumerate_states(int current, int* next, const char** name);
int enumerate_mutex_impls(int current, int* next, const char** name);

int num_procs();
int num_places();
int place_procs(int place, int room, int* ids);
int place_num();
int partition_places(int room, int* numbers);
int proc_id();

}  // namespace tulle::ompt
