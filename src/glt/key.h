// SPDX-License-Identifier: Apache-2.0
// Values that work units have under keys. W, R: the unit itself.
#pragma once

#include "glt/unit.h"

namespace tulle::glt {

// The values of a unit that ends are destroyed, and the OpenMP runtime forgets it.
TULLE_COLD void end_values(Unit* unit);

// The same as OpenMP's guest (glt/guests.cpp).
void end_guest(Unit* unit);
// Tells the OpenMP runtime of the process, if there is one, that work units may enter regions.
void register_guests();

}  // namespace tulle::glt
