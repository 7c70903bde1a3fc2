// SPDX-License-Identifier: Apache-2.0
// Reads the description of a machine in a child process: libhwloc crashes on some files, loops on others,
// and writes to standard error.
#pragma once

#include <functional>
#include <string>

#include "tulle/introspect.h"

namespace tulle::tools {

// Hands each part to the function that it is given, and returns what described the machine; null: nothing was
// understood. tulle_each_machine_part() with a description.
using EachPart = std::function<const char*(void (*)(void*, const tulle_machine_part*), void*)>;

// Calls `each` in a child and `add` here, for each part; returns the source, empty if nothing was understood.
// Throws Failure if the child died.
std::string read_in_child(const std::string& description, const EachPart& each,
                          const std::function<void(const tulle_machine_part&)>& add);

}  // namespace tulle::tools
