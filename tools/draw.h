// SPDX-License-Identifier: Apache-2.0
// The machine as text. Equal siblings are drawn once. Pure.
#pragma once

#include <string>
#include <vector>

#include "library.h"

namespace tulle::tools {

// "0-3,8": the numbers in ascending order, runs joined.
std::string number_list(std::vector<int> numbers);

std::string draw(const Part& root);

}  // namespace tulle::tools
