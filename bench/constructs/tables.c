// SPDX-License-Identifier: Apache-2.0
// The cases of the construct benchmarks.
#include "tables.h"

const Case *const case_tables[] = {flat_cases, loop_cases, task_cases, nested_cases, 0};
