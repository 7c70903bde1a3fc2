// SPDX-License-Identifier: Apache-2.0
#include "offload/remote/job.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <array>
#include <new>

#include "offload/remote/program.h"
#include "offload/remote/start_command.h"
#include "os/child.h"
#include "os/modules.h"
#include "os/object_file.h"
#include "os/secure.h"
#include "os/thread.h"

namespace tulle::offload {

Become become_device = nullptr;

namespace {

// Says to programs that this one starts, which inherit mpirun's variables, that the rank is not theirs.
constexpr const char* kTaken = "_TULLE_RANK_OF";

constexpr const char* kOpenMpi = "libtulle-devices-openmpi.so";
constexpr const char* kMpich = "libtulle-devices-mpich.so";

// What each mpirun says.
struct Variables {
  const char* rank;
  const char* ranks;
  const char* module;
};
constexpr Variables kVariables[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", kOpenMpi},
                                    {"PMI_RANK", "PMI_SIZE", kMpich}};

bool is_taken() {
  const char* process = getenv(kTaken);
  return process != nullptr && atoi(process) != os::process_id();
}

// The module for the MPI that the process has loaded, by the names that MPIs' libraries have.
const char* module_of_program() {
  const char* module = nullptr;
  auto look = [](dl_phdr_info* info, size_t, void* found) {
    auto& known = *static_cast<const char**>(found);
    if (os::name_begins_with_any(info->dlpi_name, std::to_array({"libmpi.so.40"}))) known = kOpenMpi;
    if (os::name_begins_with_any(info->dlpi_name, std::to_array({"libmpi.so.12", "libmpich.so.12"}))) known = kMpich;
    return known != nullptr ? 1 : 0;
  };
  dl_iterate_phdr(look, &module);
  return module;
}

alignas(Line) char line_memory[sizeof(Line)];
std::atomic<Line*> the_line{nullptr};  // W: who makes the devices, or the program's begin

// All ranks are told.
void close_line(Line::Close how) {
  Line* line = the_line.load(std::memory_order_acquire);
  if (line == nullptr) return;
  Line::Hold hold(*line);
  if (line->is_open())
    for (int rank = 1; rank < line->ranks(); ++rank) line->post(rank, {Packet::end, 0, 0, 0, 0});
  line->close(how);
}

void close_at_exit() { close_line(Line::Close::process_ends); }

// A rank that serves calls what MPI wants to be called at the end, which is younger than this, and nothing of the program's.
bool serves = false;
void end_serving() {
  if (serves) os::leave_child();
}

void leave_line_in_child() {
  if (Line* line = the_line.load(std::memory_order_acquire)) line->leave();
}

tulle_remote* load_transport(const char* file, const tulle_remote_start& start, const char*& why) {
  void* module = file != nullptr ? os::load_beside(file) : nullptr;
  if (module == nullptr) {
    why = "there is no module of Tulle for this MPI, or it cannot be loaded";
    return nullptr;
  }
  auto open = reinterpret_cast<tulle_remote_open>(dlsym(module, TULLE_REMOTE_OPEN));
  why = "the module for this MPI is of another version";
  return open != nullptr ? open(&start, &why) : nullptr;
}

tulle_remote* open_transport(int started, const char*& why) {
  tulle_remote_start start{};
  if (starts_ranks()) {
    StartCommand command;
    why = command.why_none();
    if (why != nullptr) return nullptr;
    start = {tulle_remote_starts, started, command.words(), [] { close_line(Line::Close::line_ends); }};
    return load_transport(module_of_program(), start, why);
  }
  start.way = was_started_as_device() ? tulle_remote_was_begun : tulle_remote_started;
  return load_transport(was_started_as_device() ? module_of_program() : job_in_environment().module, start, why);
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

bool starts_ranks() { return program_uses_mpi() && !was_started_as_device(); }

const char* why_no_ranks() {
  if (the_line.load(std::memory_order_acquire) != nullptr) return nullptr;
  if (os::has_more_rights_than_caller()) return "its environment is a stranger's";
  if (program_uses_mpi()) return nullptr;
  Job job = job_in_environment();
  if (job.ranks < 2) return "mpirun has not started it with several ranks";
  return job.ranks > Line::kMostPeers ? "these are more ranks than it can have" : nullptr;
}

uint32_t most_ranks() {
  return static_cast<uint32_t>((starts_ranks() ? Line::kMostPeers : job_in_environment().ranks) - 1);
}

Line* open_line(int started, const char*& why) {
  if (Line* known = the_line.load(std::memory_order_acquire)) return known;
  why = why_no_ranks();
  if (why != nullptr) return nullptr;
  omp::self_or_attach();
  atexit(end_serving);
  tulle_remote* transport = open_transport(started, why);
  if (transport == nullptr) return nullptr;
  char process[16];
  snprintf(process, sizeof process, "%d", os::process_id());
  setenv(kTaken, process, 1);
  auto* line = new (line_memory) Line(transport);
  if (!line->open()) {
    why = "there are no more pollers";
    return nullptr;
  }
  serves = line->rank() != 0;
  if (serves) serve_host(*line, become_device);
  the_line.store(line, std::memory_order_release);
  atexit(close_at_exit);
  pthread_atfork(nullptr, nullptr, leave_line_in_child);
  return line;
}

}  // namespace tulle::offload
