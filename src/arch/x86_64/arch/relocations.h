// SPDX-License-Identifier: Apache-2.0
// Relocations by which a module reaches what it imports.
#pragma once

#include <elf.h>

#include <cstdint>

namespace tulle::arch {

constexpr bool is_import(uint64_t type) { return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT; }

}  // namespace tulle::arch
