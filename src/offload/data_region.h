// SPDX-License-Identifier: Apache-2.0
// target data regions whose end says nothing of what it ends: the latest one of the current task. Only where
// there are devices. Any thread.
#pragma once

#include "offload/maps.h"
#include "omp/thread/thread.h"

namespace tulle::offload {

// `device` null: the host's. The items are copied, with what begin_maps() made of them.
void open_data_region(omp::Thread* thread, Device* device, Maps maps);
TULLE_MAY_SUSPEND void close_data_region(omp::Thread* thread);

}  // namespace tulle::offload
