// SPDX-License-Identifier: Apache-2.0
// The two words that lie in thread-local storage elsewhere, of a simulated core.
#pragma once

#include <cstdint>

#include "arch/simulation.h"

namespace tulle::arch {

inline void* current_pointer() { return tulle_sim_words()->current; }
inline void set_current_pointer(void* value) { tulle_sim_words()->current = value; }

// No block is ever lent on simulated cores.
inline void* lent_pointer(uintptr_t) { return nullptr; }
inline void set_lent_pointer(void* value) { tulle_sim_words()->lent = value; }

}  // namespace tulle::arch
