// SPDX-License-Identifier: Apache-2.0
// The C++ runtime's per-thread state: the stack of caught exceptions and the number of uncaught
// ones (Itanium C++ ABI §2.2.2, __cxa_eh_globals). ULTs share TLS blocks, those of one OpenMP thread
// its own, so it is saved at each suspension and restored at the resumption. libstdc++ and libc++abi
// agree on the layout.
#pragma once

namespace tulle::ult {

struct ExceptionState {
  void* caught = nullptr;
  unsigned uncaught = 0;
};

// Looks for a C++ runtime in the process; called again when modules have been loaded.
void find_exception_state();
bool exception_state_known();

// Moves the state of the TLS block in force into `state`, leaving the block's empty.
void save_exception_state(ExceptionState& state);
void restore_exception_state(const ExceptionState& state);

}  // namespace tulle::ult
