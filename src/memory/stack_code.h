// SPDX-License-Identifier: Apache-2.0
// Whether a module of the program runs code on stacks: trampolines of nested functions. Such modules say so in their
// program header PT_GNU_STACK, or have none. Once there is one it is so for good.
#pragma once

namespace tulle::memory {

bool modules_run_code_on_stacks();

// The same for signal handlers: false where another thread, or the one interrupted, is looking.
bool modules_run_code_on_stacks_if_free();

}  // namespace tulle::memory
