// SPDX-License-Identifier: Apache-2.0
// The machine as text, with remarks on its parts. Equal siblings are drawn once. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "library.h"

namespace tulle::tools {

// "0-3,8": the numbers in ascending order, runs joined.
std::string number_list(std::vector<std::int64_t> numbers);

// Lines that stand below a part. Parts of the same shape are drawn each for itself if their remarks
// differ.
using Remarks = std::map<const Part*, std::vector<std::string>>;

std::string draw(const Part& root, const Remarks& remarks = {});

}  // namespace tulle::tools
