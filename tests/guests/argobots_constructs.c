// SPDX-License-Identifier: Apache-2.0
// constructs.c with threads of Argobots for its fibers.
#include "argobots.h"
#include "constructs.c"
