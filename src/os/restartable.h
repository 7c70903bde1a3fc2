// SPDX-License-Identifier: Apache-2.0
// Restartable sequences (rseq), which the C library registers for each OS thread, in its TLS block.
#pragma once

namespace tulle::os {

// The calling OS thread's TLS block will be in force on other OS threads: what the C library keeps there of
// its restartable sequences (its CPU) says from now on that there are none, and the kernel is asked instead.
void give_up_restartable_sequences();

}  // namespace tulle::os
