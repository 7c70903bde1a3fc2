// SPDX-License-Identifier: Apache-2.0
// Where commands write pages.
#pragma once

#include <string>

namespace tulle::tools {

// To a file; - is standard output, nothing is standard error.
void write_text(const std::string& text, const std::string& file);

// Fails where that cannot be: before a program runs that is to be shown there.
void require_output(const std::string& file);

// As text of a page.
std::string html_escaped(const std::string& text);

}  // namespace tulle::tools
