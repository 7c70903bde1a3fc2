// SPDX-License-Identifier: Apache-2.0
#include "quiet.h"

#ifndef OPEN_MPI

#include <stdlib.h>

#include <atomic>
#include <utility>

#include "entry.h"

namespace tulle::mpi {

constinit thread_local Quiet* Quiet::innermost_ = nullptr;

namespace {

using Function = MPI_Comm_errhandler_function*;

// A function of the program's for each; those beyond are never quiet. Handlers are made before others can know of
// them, and never taken back: a communicator may have one that the program has freed.
constexpr int kMost = 64;
std::atomic<Function> functions[kMost];

template <int kNumber>
void quiet_handler(MPI_Comm* comm, int* error, ...) {
  if (!Quiet::hears(*comm)) functions[kNumber].load(std::memory_order_relaxed)(comm, error);
}

template <int... kNumbers>
Function handler_of(int number, std::integer_sequence<int, kNumbers...>) {
  static constexpr Function kHandlers[] = {quiet_handler<kNumbers>...};
  return kHandlers[number];
}

Function quiet_form_of(Function function) {
  for (int i = 0; i < kMost; ++i) {
    Function seen = nullptr;
    if (functions[i].compare_exchange_strong(seen, function, std::memory_order_relaxed) || seen == function)
      return handler_of(i, std::make_integer_sequence<int, kMost>{});
  }
  return function;
}

// The two that end the process. MPICH calls them holding its lock, under which no communicator's handler can be
// changed, but one called: that of the process alone, which keeps the predefined one. (MPICH 4.0 cannot set the other.)
MPI_Comm fatal = MPI_COMM_NULL;

void end(MPI_Comm* comm, int* error, ...) {
  if (Quiet::hears(*comm)) return;
  real.Comm_call_errhandler(fatal, *error);
  abort();
}

struct Ending {
  MPI_Errhandler predefined;
  MPI_Errhandler quiet;
};
Ending endings[] = {{MPI_ERRORS_ARE_FATAL, MPI_ERRHANDLER_NULL}, {MPI_ERRORS_ABORT, MPI_ERRHANDLER_NULL}};

MPI_Errhandler quiet_form_of(MPI_Errhandler handler) {
  for (const Ending& ending : endings)
    if (handler == ending.predefined && ending.quiet != MPI_ERRHANDLER_NULL) return ending.quiet;
  return handler;
}

}  // namespace

void keep_handlers_quiet() {
  real.Comm_dup(MPI_COMM_SELF, &fatal);
  real.Comm_set_errhandler(fatal, MPI_ERRORS_ARE_FATAL);
  for (Ending& ending : endings) real.Comm_create_errhandler(end, &ending.quiet);
  for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    MPI_Errhandler handler;
    real.Comm_get_errhandler(comm, &handler);
    real.Comm_set_errhandler(comm, quiet_form_of(handler));
  }
}

int tell(MPI_Comm comm, int error) {
  if (error != MPI_SUCCESS && comm != MPI_COMM_NULL) real.Comm_call_errhandler(comm, error);
  return error;
}

int own_Comm_create_errhandler(Function function, MPI_Errhandler* handler) {
  return real.Comm_create_errhandler(quiet_form_of(function), handler);
}

int own_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  return real.Comm_set_errhandler(comm, quiet_form_of(handler));
}

int own_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler) {
  int error = real.Comm_get_errhandler(comm, handler);
  if (error != MPI_SUCCESS) return error;
  for (const Ending& ending : endings) {
    if (*handler != ending.quiet) continue;
    real.Errhandler_free(handler);  // the reference that was given with it
    *handler = ending.predefined;
  }
  return error;
}

}  // namespace tulle::mpi

#endif
