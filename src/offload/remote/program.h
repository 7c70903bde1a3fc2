// SPDX-License-Identifier: Apache-2.0
// What the modules of the process import tells what kind of program it is. Any thread.
#pragma once

namespace tulle::offload {

bool program_uses_mpi();
bool program_uses_devices();

}  // namespace tulle::offload
