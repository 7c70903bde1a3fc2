// SPDX-License-Identifier: Apache-2.0
// Runs a program as a child, which gets the signals that the command gets.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "settings.h"

namespace tulle::tools {

// Returns how it ended, as wait() tells it.
int run_to_its_end(const std::vector<std::string>& program, const Variables& variables);

// Calls look() a few times a second until then, and asked() after each SIGUSR1, which the program does not get.
int run_and_look(const std::vector<std::string>& program, const Variables& variables, const std::function<void()>& look,
                 const std::function<void()>& asked);

// As the program ended: an exit status, or the signal that killed it.
int end_with(int status);

// Says afterwards which runtime its regions ran on. Returns the program's exit status;
// ends as the program did if a signal killed it.
int run_and_report(const std::vector<std::string>& program, Variables variables);

}  // namespace tulle::tools
