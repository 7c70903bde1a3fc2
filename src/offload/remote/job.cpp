// SPDX-License-Identifier: Apache-2.0
#include "offload/remote/job.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <new>

#include "offload/remote/program.h"
#include "os/object_file.h"
#include "os/secure.h"
#include "os/thread.h"

namespace tulle::offload {

Become become_device = nullptr;

namespace {

// Says to programs that this one starts, which inherit mpirun's variables, that the rank is not theirs.
constexpr const char* kTaken = "_TULLE_RANK_OF";

// What each mpirun says.
struct Variables {
  const char* rank;
  const char* ranks;
  const char* module;
};
constexpr Variables kVariables[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "libtulle-devices-openmpi.so"},
                                    {"PMI_RANK", "PMI_SIZE", "libtulle-devices-mpich.so"}};

bool is_taken() {
  const char* process = getenv(kTaken);
  return process != nullptr && atoi(process) != os::process_id();
}

alignas(Line) char line_memory[sizeof(Line)];
std::atomic<Line*> the_line{nullptr};  // W: who makes the devices, or the program's begin

tulle_remote* open_transport(const char* file, const char*& why) {
  void* module = os::load_beside(file);
  if (module == nullptr) {
    why = "there is no module of Tulle for this MPI, or it cannot be loaded";
    return nullptr;
  }
  auto open = reinterpret_cast<tulle_remote_open>(dlsym(module, TULLE_REMOTE_OPEN));
  why = "the module for this MPI is of another version";
  return open != nullptr ? open(&why) : nullptr;
}

}  // namespace

Job job_in_environment() {
  for (const Variables& each : kVariables) {
    const char* rank = getenv(each.rank);
    const char* ranks = getenv(each.ranks);
    if (rank == nullptr || ranks == nullptr || is_taken()) continue;
    return {each.module, atoi(rank), atoi(ranks)};
  }
  return {};
}

const char* why_no_ranks() {
  if (the_line.load(std::memory_order_acquire) != nullptr) return nullptr;
  if (os::has_more_rights_than_caller()) return "its environment is a stranger's";
  Job job = job_in_environment();
  if (job.ranks < 2) return "mpirun has not started it with several ranks";
  if (job.ranks > Line::kMostPeers) return "these are more ranks than it can have";
  return program_uses_mpi() ? "the program uses MPI itself" : nullptr;
}

Line* open_line(const char*& why) {
  if (Line* known = the_line.load(std::memory_order_acquire)) return known;
  why = why_no_ranks();
  if (why != nullptr) return nullptr;
  tulle_remote* transport = open_transport(job_in_environment().module, why);
  if (transport == nullptr) return nullptr;
  char process[16];
  snprintf(process, sizeof process, "%d", os::process_id());
  setenv(kTaken, process, 1);
  omp::self_or_attach();
  auto* line = new (line_memory) Line(transport);
  if (!line->open()) {
    why = "there are no more pollers";
    return nullptr;
  }
  if (line->rank() != 0) serve_host(*line, become_device);
  the_line.store(line, std::memory_order_release);
  atexit(close_line);
  pthread_atfork(nullptr, nullptr, leave_line_in_child);
  return line;
}

void close_line() {
  Line* line = the_line.load(std::memory_order_acquire);
  if (line == nullptr) return;
  Line::Hold hold(*line);
  for (int rank = 1; rank < line->ranks(); ++rank) line->post(rank, {Packet::end, 0, 0, 0, 0});
  line->close();
}

void leave_line_in_child() {
  if (Line* line = the_line.load(std::memory_order_acquire)) line->leave();
}

}  // namespace tulle::offload
