// SPDX-License-Identifier: Apache-2.0
#include "meeting.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

namespace {

bool begin_library(const char** why) {
  int given = 0;
  if (PMPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS) {
    *why = "MPI cannot be initialised";
    return false;
  }
  if (given < MPI_THREAD_SERIALIZED) *why = "this MPI does not give MPI_THREAD_SERIALIZED";
  return given >= MPI_THREAD_SERIALIZED;
}

bool meet_in_job(Meeting& meeting, const char** why) {
  int begun = 0;
  PMPI_Initialized(&begun);
  if (begun != 0) {
    *why = "MPI has been initialised already";
    return false;
  }
  if (!begin_library(why)) return false;
  PMPI_Comm_dup(MPI_COMM_WORLD, &meeting.comm);
  PMPI_Comm_rank(meeting.comm, &meeting.rank);
  PMPI_Comm_size(meeting.comm, &meeting.ranks);
  meeting.is_own = true;
  return true;
}

bool meet_host(Meeting& meeting, const char** why) {
  if (!begin_library(why)) return false;
  PMPI_Comm_get_parent(&meeting.comm);
  if (meeting.comm == MPI_COMM_NULL) {
    *why = "MPI does not know who has started this process";
    return false;
  }
  PMPI_Comm_rank(meeting.comm, &meeting.rank);
  meeting.rank += 1;
  PMPI_Comm_size(meeting.comm, &meeting.ranks);
  meeting.ranks += 1;
  meeting.is_own = true;
  return true;
}

bool library_serves(const char** why) {
  int begun = 0, ended = 0, level = MPI_THREAD_SINGLE;
  PMPI_Initialized(&begun);
  if (begun != 0) PMPI_Finalized(&ended);
  if (begun != 0 && ended == 0) PMPI_Query_thread(&level);
  *why = begun == 0   ? "the program asks for devices before it has initialised MPI"
         : ended != 0 ? "the program has left MPI"
                      : "the program's MPI does not give MPI_THREAD_MULTIPLE";
  return level >= MPI_THREAD_MULTIPLE;
}

// MPI_Finalize deletes what is kept with MPI_COMM_SELF before anything else (MPI 4.0, 11.2.4).
int hear_of_end(MPI_Comm, int, void*, void* leaving) {
  (*reinterpret_cast<void (**)()>(leaving))();
  return MPI_SUCCESS;
}

void hear_before_end(void (*leaving)()) {
  static void (*known)();
  known = leaving;
  int key = MPI_KEYVAL_INVALID;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, hear_of_end, &key, &known);
  PMPI_Comm_set_attr(MPI_COMM_SELF, key, &known);
  PMPI_Comm_free_keyval(&key);
}

// By its class: the code's own text may have several lines.
const char* words_for(int error) {
  static char line[MPI_MAX_ERROR_STRING + 64];
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0, kind = error;
  PMPI_Error_class(error, &kind);
  PMPI_Error_string(kind, text, &length);
  snprintf(line, sizeof line, "this MPI cannot start processes (MPI_Comm_spawn: %s)", text);
  return line;
}

bool start_processes(const tulle_remote_start& start, Meeting& meeting, const char** why) {
  if (!library_serves(why)) return false;
  MPI_Comm self = MPI_COMM_NULL;  // whose errors are ours
  PMPI_Comm_dup(MPI_COMM_SELF, &self);
  PMPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN);
  MPI_Info info = MPI_INFO_NULL;
  char folder[4096];
  PMPI_Info_create(&info);
  if (getcwd(folder, sizeof folder) != nullptr && strlen(folder) < MPI_MAX_INFO_VAL) PMPI_Info_set(info, "wdir", folder);
  int error = PMPI_Comm_spawn(start.command[0], const_cast<char**>(start.command + 1), start.processes, info, 0, self,
                              &meeting.comm, MPI_ERRCODES_IGNORE);
  PMPI_Info_free(&info);
  PMPI_Comm_free(&self);
  if (error != MPI_SUCCESS) {
    *why = words_for(error);
    return false;
  }
  meeting.ranks = 1 + start.processes;
  meeting.first = 1;
  hear_before_end(start.leaving);
  return true;
}

}  // namespace

bool meet(const tulle_remote_start& start, Meeting& meeting, const char** why) {
  switch (start.way) {
    case tulle_remote_started:
      return meet_in_job(meeting, why);
    case tulle_remote_starts:
      return start_processes(start, meeting, why);
    case tulle_remote_was_begun:
      return meet_host(meeting, why);
  }
  return false;
}

void leave(Meeting& meeting) {
  PMPI_Comm_free(&meeting.comm);
  if (meeting.is_own) PMPI_Finalize();
}
