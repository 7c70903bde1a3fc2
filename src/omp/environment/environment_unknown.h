// SPDX-License-Identifier: Apache-2.0
// Variables that look like ours and are none: a misspelt setting would be taken for one that has no effect.
// Pure: any thread.
#pragma once

#include <string_view>

namespace tulle::omp {

// The variable that a name beginning with TULLE_ was probably meant to be, of ours or under another
// prefix; empty if it is one, begins otherwise or resembles none.
std::string_view probable_variable(std::string_view name);

// One line for each such name in `entries`, which are "NAME=value" and end with null.
void report_unknown_variables(const char* const* entries, void (*report)(const char* line));

}  // namespace tulle::omp
