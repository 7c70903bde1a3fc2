// SPDX-License-Identifier: Apache-2.0
// interleaved.c with threads of Argobots for its fibers.
#include "argobots.h"
#include "interleaved.c"
