// SPDX-License-Identifier: Apache-2.0
// Waiting in MPI without a core. What an OpenMP thread or task waits for stands in a list that one poller at a
// time goes through. It asks by calls that change nothing: when a request is complete, the caller goes on and makes the
// call that blocks, which does not any more. So data, status, errors and handles are what the library makes of them,
// in the caller's own frames.
#pragma once

#include <stdint.h>

#include "library.h"
#include "quiet.h"
#include "tulle/suspend.h"

namespace tulle::mpi {

// In the frame of the caller. Owner: the caller, then the poller until it resumes it.
struct Awaited {
  explicit Awaited(bool (*ask)(Awaited*)) : has_come(ask) {}
  bool (*has_come)(Awaited*);  // true also where only an error can be told
  Awaited* next = nullptr;
  tulle_suspension suspension = {};
};

// All of these requests, or any of them that is active, are complete.
struct AllComplete : Awaited {
  AllComplete(int count, const MPI_Request* requests);
  int left;
  const MPI_Request* requests;
};
struct AnyComplete : Awaited {
  AnyComplete(int count, const MPI_Request* requests);
  int count;
  const MPI_Request* requests;
};

// Returns once it has come. In a region: may_suspend().
void wait_for(Awaited& awaited);

// The result of `test`, which sets `done` or returns an error, once it does.
template <class Test>
struct Tested : Awaited {
  explicit Tested(Test what)
      : Awaited([](Awaited* awaited) {
          auto* self = static_cast<Tested*>(awaited);
          Quiet quiet;
          self->error = self->test(self->done);
          self->would_tell = quiet.would_tell();
          return self->done || self->error != MPI_SUCCESS;
        }),
        test(what) {}
  Test test;
  bool done = false;
  int error = MPI_SUCCESS;
  MPI_Comm would_tell = MPI_COMM_NULL;
};

// The error of the test that said something.
template <class Test>
int wait_by(Test test) {
  Tested<Test> tested(test);
  wait_for(tested);
  return tell(tested.would_tell, tested.error);
}

// A complete request stays as it is.
bool is_complete(MPI_Request request);

// Blocks until the request is complete, in a region without the core, and ends it; quiet: handlers are not called.
int finish(MPI_Request* request, MPI_Status* status, bool quiet);

// From now on, until the library is finalised, calls may suspend.
bool start_waiting();
void stop_waiting();

// A part of the library runs on this OS thread: what it calls of its own interface is the library's affair. Open MPI
// calls sched_yield() where it has nothing to do: another member that ran here then would pass for the library itself, and
// its calls stay plain.
class Inside {
 public:
  Inside() {
    if (depth_++ == 0 && tulle_inside_begin != nullptr) tulle_inside_begin();
  }
  ~Inside() {
    if (--depth_ == 0 && tulle_inside_begin != nullptr) tulle_inside_end();
  }
  static bool holds() { return depth_ != 0; }

 private:
  static constinit thread_local int depth_;
};

template <class Value>
Value at(const char* record, long bytes) {
  return *reinterpret_cast<const Value*>(record + bytes);
}

extern bool active;  // W: initialisation and finalisation

// The call is the library's own, or nothing here has a say.
inline bool is_plain() { return !active || Inside::holds(); }
inline bool may_suspend() { return !is_plain() && tulle_can_suspend(); }

// A call that blocks suspends. Alone in its region it stays what it is.
inline bool suspends() { return !is_plain() && tulle_can_suspend() == 1; }

// What tulle_where_outside() says, at hand. Word 0: nothing may be concluded: before initialisation, or with a tool
// between, which hears of each call. W: initialisation.
extern __attribute__((visibility("hidden"))) tulle_outside outside;

// At the cost of a few loads; false says nothing.
inline bool is_outside() {
  long word = outside.word;
  if (__builtin_expect(word == 0, 0)) return false;
  const char* record = at<const char*>(static_cast<const char*>(__builtin_thread_pointer()), word);
  if (record == nullptr) return *outside.guests == 0;
  if (reinterpret_cast<intptr_t>(record) < 0) return false;
  return at<uint32_t>(at<const char*>(record, outside.team), outside.level) == 0;
}

}  // namespace tulle::mpi
