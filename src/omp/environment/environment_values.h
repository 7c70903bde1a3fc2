// SPDX-License-Identifier: Apache-2.0
// Values of the environment that are keywords or text. As environment_parse.h: the whole text in,
// validity out, `out` untouched if invalid. Text that is kept is copied once and lives on.
#pragma once

#include <string_view>

#include "omp/icv/icv.h"

namespace tulle::omp {

inline constexpr const char* kStandardPolicy = "DEFAULT";

bool parse_nested(std::string_view text, int32_t& levels);
bool parse_unsigned(std::string_view text, uint32_t& out);
bool parse_wait_policy(std::string_view text, WaitPolicy& out);
bool parse_display_env(std::string_view text, DisplayEnv& out);
bool parse_tool_use(std::string_view text, ToolUse& out);
bool parse_policy(std::string_view text, const char*& out);

// A predefined allocator, or a memory space with or without traits, which makes an allocator.
bool parse_allocator(std::string_view text, uintptr_t& handle);

bool assign_kmp_library(std::string_view text, const char* name, GlobalIcv& icv);

bool parse_task_graph(std::string_view text, const char*& out);
bool keep_text(std::string_view text, const char*& out);

// Syntax only; what they mean on this machine is found when places are first needed.
bool check_places(std::string_view text, const char*& out);
bool check_cpu_affinity(std::string_view text, const char*& out);
bool check_kmp_affinity(std::string_view text, const char*& out);
bool check_hw_subset(std::string_view text, const char*& out);

}  // namespace tulle::omp
