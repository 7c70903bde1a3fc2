// SPDX-License-Identifier: Apache-2.0
// The tables of cases, each ended by an entry without name, that the files of this folder define.
#ifndef TULLE_BENCH_CONSTRUCTS_TABLES_H
#define TULLE_BENCH_CONSTRUCTS_TABLES_H

#include "measure.h"

extern const Case flat_cases[], loop_cases[], task_cases[], nested_cases[];

#endif
