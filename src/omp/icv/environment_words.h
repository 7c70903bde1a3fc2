// SPDX-License-Identifier: Apache-2.0
// The words of settings that are enumerations, one for each enumerator in the order of their values.
// The printer writes them; the parser accepts them in any case, except where a setting has a grammar
// of its own (environment_parse.h, environment_values.h). Pure: any thread.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "omp/icv/icv.h"
#include "omp/icv/scanner.h"
#include "omp/icv/text_buffer.h"

namespace tulle::omp {

template <class Enumeration>
inline constexpr std::array<std::string_view, 0> kWordsOf{};

template <std::size_t N>
using WordList = const std::array<std::string_view, N>;

template <>
inline constexpr WordList<5> kWordsOf<ProcBind>{"FALSE", "TRUE", "PRIMARY", "CLOSE",
                                                  "SPREAD"};
template <>
inline constexpr WordList<3> kWordsOf<WaitPolicy>{"BOUNDED", "ACTIVE", "PASSIVE"};
template <>
inline constexpr WordList<3> kWordsOf<TargetOffload>{"DEFAULT", "MANDATORY", "DISABLED"};
template <>
inline constexpr WordList<3> kWordsOf<DisplayEnv>{"FALSE", "TRUE", "VERBOSE"};
template <>
inline constexpr WordList<2> kWordsOf<ToolUse>{"ENABLED", "DISABLED"};
template <>
inline constexpr WordList<3> kWordsOf<TlsMode>{"AUTO", "WHOLE", "BARE"};
template <>
inline constexpr WordList<3> kWordsOf<LargeBarrier>{"AUTO", "TREE", "COUNTER"};
template <>
inline constexpr WordList<3> kWordsOf<TaskCreation>{"ADAPTIVE", "BREADTH_FIRST", "WORK_FIRST"};
template <>
inline constexpr WordList<2> kWordsOf<TaskQueues>{"PARTITIONED", "GLOBAL"};
template <>
inline constexpr WordList<3> kWordsOf<TaskDistribution>{"OWN", "ROUND_ROBIN", "ADAPTIVE"};
template <>
inline constexpr WordList<4> kWordsOf<TaskCutoff>{"ADAPTIVE", "YIELD", "WORK_FIRST", "NONE"};

template <class Enumeration>
concept HasWords = !kWordsOf<Enumeration>.empty();

// The whole text is one of the words; if not, `out` stays as it is.
template <HasWords Enumeration>
constexpr bool parse_word(std::string_view text, Enumeration& out) {
  Scanner scanner(text);
  std::string_view word = scanner.word();
  if (!scanner.at_end()) return false;
  for (std::size_t i = 0; i < kWordsOf<Enumeration>.size(); ++i) {
    if (!Scanner::same_word(word, kWordsOf<Enumeration>[i])) continue;
    out = static_cast<Enumeration>(i);
    return true;
  }
  return false;
}

template <HasWords Enumeration>
void print_value(TextBuffer& out, Enumeration value) {
  out.put(kWordsOf<Enumeration>[static_cast<std::size_t>(value)]);
}

}  // namespace tulle::omp
