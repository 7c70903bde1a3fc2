// SPDX-License-Identifier: Apache-2.0
// The cases of all kernels of the task suite.
#include "tables.h"

const Case *const case_tables[] = {
    alignment_cases, fft_cases,  fibonacci_cases, floorplan_cases, health_cases,
    knapsack_cases,  nqueens_cases, sort_cases, sparselu_cases, strassen_cases, 0,
};
