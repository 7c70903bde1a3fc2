// SPDX-License-Identifier: Apache-2.0
// Callbacks that tools register, and how dependably they are called.
#pragma once

#include "omp/tool/tools.h"

namespace tulle::ompt {

omp::tool::Answer set_callback(uint32_t tool, uint32_t event, omp::tool::Callback callback);
// Of Tulle's own events; 0: there is no such event.
int set_own_callback(uint32_t tool, uint32_t event, omp::tool::Callback callback);
int get_callback(uint32_t tool, uint32_t event, omp::tool::Callback* callback);

}  // namespace tulle::ompt
