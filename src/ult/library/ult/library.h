// SPDX-License-Identifier: Apache-2.0
// What a port asks of another library, each time under the calling OS thread's own TLS block. TULLE_ULT chooses the
// folder that answers.
//
//   kName, kModule, kStack  What messages call it; how its file name begins; the stacks of its threads, in bytes.
//   kAdopts      The library can take the process's initial thread for one of its own.
//   kAdds        It makes OS threads while it goes on: by `add`, which the others do not have.
//   kCount       The library's own variable for how many OS threads it makes at the start, the one that starts it
//                among them; "" where it makes none then.
//   start        Begins the library: the calling OS thread is the library's from now on, its frames those of one of the
//                library's threads. Each of `others`, the other OS threads of the library, calls `main` once, on such a
//                thread, for good.
//   add          One more OS thread will call `main`; false: the system refuses.
//   name         Of the running thread of the library, once before it goes over for the first time.
//   go           The calling thread waits and `to`, which waits, goes on here at once. Returns when somebody
//                goes over to `from`, which from then on may happen that `to` has gone on.
//   begin        The same, with a new thread that calls run(argument), and never returns.
#pragma once

#include <cstdint>

#include "ult/library_name.h"

namespace tulle::ult::library {

// The library's own word for one of its threads.
struct Thread {
  alignas(8) uint64_t word = 0;
};

using Main = void();

// What a new thread of the library calls. It may lie in frames that go on meanwhile.
struct Call {
  void (*run)(void*);
  void* argument;
};

inline void call(void* given) {
  Call copy = *static_cast<Call*>(given);
  copy.run(copy.argument);
}

void start(Main* main, uint32_t others);
bool add();
void name(Thread& self);
void go(Thread& from, Thread& to);
void begin(Thread& from, Thread& made, void (*run)(void*), void* argument);

}  // namespace tulle::ult::library
