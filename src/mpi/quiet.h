// SPDX-License-Identifier: Apache-2.0
// Error handlers of MPICH, which it calls as soon as somebody asks after a request that failed, and those of
// MPI_COMM_WORLD whatever the request's communicator is. While this object asks, the handlers that it knows keep quiet,
// and who has waited calls the one that the plain call would have called, where that would have been called: by its own
// OpenMP thread. Known are those that the program makes, and the predefined ones that end it, for which others of
// the same effect stand that can keep quiet. Open MPI calls handlers where a request is ended, and so in its caller.
#pragma once

#include "library.h"

namespace tulle::mpi {

#ifdef OPEN_MPI

class Quiet {
 public:
  explicit Quiet(bool = true) {}
  MPI_Comm would_tell() const { return MPI_COMM_NULL; }
};
inline void keep_handlers_quiet() {}
inline int tell(MPI_Comm, int error) { return error; }

#else

// While it lives the calling OS thread's calls of MPI call no handler that is known.
class Quiet {
 public:
  explicit Quiet(bool wanted = true) : outer_(innermost_) { innermost_ = wanted ? this : nullptr; }
  ~Quiet() { innermost_ = outer_; }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

  // Whose handler would have been called; MPI_COMM_NULL: none.
  MPI_Comm would_tell() const { return comm_; }

  // In a handler: true if it is to keep quiet.
  static bool hears(MPI_Comm comm) {
    if (innermost_ == nullptr) return false;
    innermost_->comm_ = comm;
    return true;
  }

 private:
  Quiet* outer_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  static constinit thread_local Quiet* innermost_;
};

// Those that the communicators of the beginning have. Once, after initialisation.
void keep_handlers_quiet();

// What a call on `comm` does that ends with `error`, which a quiet call has found; the result is the error.
int tell(MPI_Comm comm, int error);

#endif

}  // namespace tulle::mpi
