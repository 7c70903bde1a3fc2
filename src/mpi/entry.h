// SPDX-License-Identifier: Apache-2.0
// The building blocks of the generated entries (generate.py), and of those that are written by hand.
#pragma once

#include "tulle/blocking.h"
#include "wait.h"

#define TULLE_MPI_ENTRY __attribute__((visibility("default")))

namespace tulle::mpi {

// A call that blocks: what waits behind the caller goes to another OS thread at once.
class Announced {
 public:
  Announced() : announced_(may_suspend()) {
    if (announced_) tulle_blocking_begin();
  }
  ~Announced() {
    if (announced_) tulle_blocking_end();
  }

 private:
  bool announced_;
};
struct Section {
  Announced announced;  // around the other: what is amid a library's call announces nothing
  Inside inside;
};

inline bool is_int(MPI_Count count) { return count == static_cast<int>(count); }

// A call on `comm`, whose handler has its errors, by its non-blocking form. Most messages have come, or are gone, when
// that has begun.
template <class Start>
int call_posted(Start start, MPI_Status* status, MPI_Comm comm) {
  bool quiet = comm != MPI_COMM_NULL;
  MPI_Request request;
  int error, flag = 0;
  {
    Inside inside;
    error = start(&request);
    if (error != MPI_SUCCESS) return error;
    Quiet handlers(quiet);
    error = real.Test(&request, &flag, status);
  }
  if (error == MPI_SUCCESS && flag == 0) error = finish(&request, status, quiet);
  return tell(comm, error);
}

// All ranks use the non-blocking form here, or none: the two do not match each other.
bool converts_collectives(MPI_Comm comm);

// There may be processes from now on that this one has agreed nothing with.
void meet_strangers();

// One is under way in this process. Says so, once, if there is another one of the same communicator.
class Collective {
 public:
  explicit Collective(MPI_Comm comm);
  ~Collective();

 private:
  int slot_;
};

// As omp_test_lock() does: each sixteenth time others have the core.
void tested_in_vain();

int own_Init(int* argc, char*** argv);
int own_Init_thread(int* argc, char*** argv, int required, int* provided);
int own_Finalize();
int own_Sendrecv(const void* sent, int sent_count, MPI_Datatype sent_type, int dest, int sent_tag, void* received,
                 int received_count, MPI_Datatype received_type, int source, int received_tag, MPI_Comm comm,
                 MPI_Status* status);
int own_Sendrecv_replace(void* data, int count, MPI_Datatype type, int dest, int sent_tag, int source,
                         int received_tag, MPI_Comm comm, MPI_Status* status);
int own_Comm_create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* handler);
int own_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler);
int own_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler);
int own_Wait(MPI_Request* request, MPI_Status* status);
int own_Waitall(int count, MPI_Request* requests, MPI_Status* statuses);
int own_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status);
int own_Waitsome(int count, MPI_Request* requests, int* done_count, int* indices, MPI_Status* statuses);
int own_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status);
int own_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status);
int own_Win_wait(MPI_Win window);

}  // namespace tulle::mpi
