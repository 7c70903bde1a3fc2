// SPDX-License-Identifier: Apache-2.0
// aarch64: versions of the C library's symbols. Its first one here was 2.17.
#pragma once

// Of a symbol that came with that version or an earlier one than 2.17.
#define TULLE_OLD_GLIBC(version) "GLIBC_2.17"

// Attributes of a function for the version that was another processor's first: no program here asks for it.
#define TULLE_AT_OLDEST(name) unused
