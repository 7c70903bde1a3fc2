// SPDX-License-Identifier: Apache-2.0
// Runs a program as a child and says afterwards which runtime its regions ran on.
#pragma once

#include <string>
#include <vector>

#include "settings.h"

namespace tulle::tools {

// Returns the program's exit status; ends as the program did if a signal killed it.
int run_and_report(const std::vector<std::string>& program, Variables variables);

}  // namespace tulle::tools
