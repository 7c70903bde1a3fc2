// SPDX-License-Identifier: Apache-2.0
// The common part of GCC's entry points. The files of this folder translate calls of GCC-built code
// (shapes observed in GCC 12's output, later additions in GCC 16's library and GCC 17's sources) into those of omp/;
// they keep no state. Versions of the symbols: gomp.map.
#pragma once

#define TULLE_GOMP extern "C" __attribute__((visibility("default")))
