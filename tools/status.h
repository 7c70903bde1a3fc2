// SPDX-License-Identifier: Apache-2.0
// Exit statuses of the command, and the two kinds of failure behind them. `run` and `info --placement`
// become another program or run one: theirs are that program's, and beyond what programs use otherwise.
#pragma once

#include <stdexcept>

namespace tulle::tools {

enum Status {
  kDone = 0,
  kFailed = 1,          // asked for rightly, and could not be done
  kBadCommandLine = 2,  // words or values that are not understood
  // What `env` and `timeout` return when they fail themselves, cannot run, or do not find.
  kRunFailed = 125,
  kCannotRun = 126,
  kNotFound = 127,
};

// Something that the user can mend; the text is for standard error.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What was written on the command line.
struct BadCommandLine : Failure {
  using Failure::Failure;
};

}  // namespace tulle::tools
