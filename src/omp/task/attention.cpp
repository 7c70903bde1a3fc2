// SPDX-License-Identifier: Apache-2.0
#include "omp/task/attention.h"

namespace tulle::omp {

constinit Attention attention;
void (*attend)() = nullptr;

}  // namespace tulle::omp
