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

// What `tulle NAME` does that watches by records: shows those of the folder `read` if that is named, and runs no program;
// else has run(folder) run it, shows what it left, and ends as it did. Records stay if `kept` names a folder.
struct Watching {
  const char* name;
  const std::vector<std::string>& program;
  const std::string& read;
  const std::string& kept;
};
int run_and_show(const Watching& watching, const std::function<int(const std::string& folder)>& run,
                 const std::function<void(const std::string& folder)>& show);

// As the program ended: an exit status, or the signal that killed it.
int end_with(int status);

// Says afterwards which runtime its regions ran on. Returns the program's exit status;
// ends as the program did if a signal killed it.
int run_and_report(const std::vector<std::string>& program, Variables variables);

}  // namespace tulle::tools
