// SPDX-License-Identifier: Apache-2.0
// Marks the definitions of the extension API (include/tulle/). They do not include the headers that
// declare them for programs where those declare weak references.
#pragma once

#define TULLE_EXTENSION extern "C" __attribute__((visibility("default")))
