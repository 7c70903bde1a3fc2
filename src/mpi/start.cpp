// SPDX-License-Identifier: Apache-2.0
// Initialisation: the level is raised, what all ranks do alike is agreed, and the poller is registered. Where
// that cannot be, the program hears one line and runs as it would without.
#include <stdlib.h>
#include <string.h>

#include "entry.h"

namespace tulle::mpi {

namespace {

bool all_convert = false;  // W: initialisation
// The process knows others than those that it agreed with (MPI_Comm_spawn and the like).
bool knows_strangers = false;

bool is_set(const char* variable, const char* value) {
  const char* given = getenv(variable);
  return given != nullptr && strcmp(given, value) == 0;
}

bool is_off() { return is_set("TULLE_MPI", "off"); }

bool wanted() {
  if (is_off()) return false;
  if (tulle_can_suspend != nullptr) return true;
  report("libtulle-mpi: this program's OpenMP runtime is not Tulle: blocking calls of MPI stay as they are");
  return false;
}

// Collectives are converted where several threads may call MPI, or the user says so.
int asks_for_collectives(int level) {
  if (is_set("TULLE_MPI_COLLECTIVES", "on")) return 1;
  if (is_set("TULLE_MPI_COLLECTIVES", "off")) return 0;
  return level >= MPI_THREAD_SERIALIZED;
}

bool has_parent() {
  MPI_Comm parent = MPI_COMM_NULL;
  real.Comm_get_parent(&parent);
  return parent != MPI_COMM_NULL;
}

void begin(int asked, int provided) {
  if (provided < MPI_THREAD_MULTIPLE) {
    report("this MPI does not give MPI_THREAD_MULTIPLE: its blocking calls stay as they are");
    return;
  }
  Inside inside;
  int mine = asks_for_collectives(asked), agreed = 0;
  real.Allreduce(&mine, &agreed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  all_convert = agreed != 0;
  knows_strangers = has_parent();
  if (!start_waiting()) {
    report("no more pollers: blocking calls of MPI stay as they are");
    return;
  }
  keep_handlers_quiet();
  tulle_expect_suspensions();
}

// Members that this process agreed with: those of its own world.
bool all_agreed(MPI_Group group) {
  MPI_Group world, strangers;
  int count = 0;
  real.Comm_group(MPI_COMM_WORLD, &world);
  real.Group_difference(group, world, &strangers);
  real.Group_size(strangers, &count);
  real.Group_free(&strangers);
  real.Group_free(&world);
  return count == 0;
}

bool is_of_world(MPI_Comm comm) {
  MPI_Group group;
  int between = 0;
  real.Comm_group(comm, &group);
  bool agreed = all_agreed(group);
  real.Group_free(&group);
  real.Comm_test_inter(comm, &between);
  if (!agreed || between == 0) return agreed;
  real.Comm_remote_group(comm, &group);
  agreed = all_agreed(group);
  real.Group_free(&group);
  return agreed;
}

}  // namespace

bool converts_collectives(MPI_Comm comm) {
  if (is_plain() || !all_convert) return false;
  if (!knows_strangers || comm == MPI_COMM_NULL) return true;
  Inside inside;
  return is_of_world(comm);
}

void meet_strangers() { knows_strangers = true; }

int own_Init_thread(int* argc, char*** argv, int required, int* provided) {
  if (!wanted()) return real.Init_thread(argc, argv, required, provided);
  int error;
  {
    Inside inside;
    error = real.Init_thread(argc, argv, MPI_THREAD_MULTIPLE, provided);
  }
  if (error == MPI_SUCCESS) begin(required, *provided);
  return error;
}

int own_Init(int* argc, char*** argv) {
  if (is_off()) return real.Init(argc, argv);
  int provided;
  return own_Init_thread(argc, argv, MPI_THREAD_SINGLE, &provided);
}

int own_Finalize() {
  stop_waiting();
  return real.Finalize();
}

}  // namespace tulle::mpi
