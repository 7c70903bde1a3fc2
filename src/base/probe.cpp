// SPDX-License-Identifier: Apache-2.0
#include "base/probe.h"

// Initialised data: whoever attaches counts up in the file's pages.
__attribute__((section(".probes"))) std::uint16_t tulle_probe_watchers = 0;
