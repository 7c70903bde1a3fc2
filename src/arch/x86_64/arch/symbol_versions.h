// SPDX-License-Identifier: Apache-2.0
// x86-64: versions of the C library's symbols. Its first one here was 2.2.5.
#pragma once

// Of a symbol that came with that version or an earlier one than 2.17.
#define TULLE_OLD_GLIBC(version) "GLIBC_" version

// Attributes of a function for the first version.
#define TULLE_AT_OLDEST(name) symver(#name "@GLIBC_2.2.5")
