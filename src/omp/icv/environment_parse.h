// SPDX-License-Identifier: Apache-2.0
// The grammar of the environment variables, value by value (OpenMP 5.2 §21, and the manuals of
// libgomp and libomp for theirs). Each function takes the whole text, returns whether it is valid,
// and leaves `out` alone if it is not. Pure: any thread.
#pragma once

#include <string_view>

#include "omp/icv/icv.h"
#include "omp/icv/scanner.h"

namespace tulle::omp {

template <class T>
struct Keyword {
  std::string_view word;
  T value;
};

template <class T, std::size_t N>
constexpr bool parse_keyword(std::string_view text, const Keyword<T> (&keywords)[N], T& out) {
  Scanner scanner(text);
  std::string_view word = scanner.word();
  if (word.empty() || !scanner.at_end()) return false;
  for (const Keyword<T>& keyword : keywords) {
    if (!Scanner::same_word(word, keyword.word)) continue;
    out = keyword.value;
    return true;
  }
  return false;
}

// TRUE and FALSE, and what libomp adds: 1/0, yes/no, on/off, enabled/disabled, .T./.F. and kin.
bool parse_bool(std::string_view text, bool& out);

bool parse_int(std::string_view text, int32_t least, int32_t& out);

// A number of bytes with an optional unit B, K, M, G, T (a trailing B after the letter is allowed).
bool parse_size(std::string_view text, uint64_t unit_if_none, size_t& out);

// A time with an optional unit us, ms, s, or "infinite".
bool parse_duration_us(std::string_view text, uint64_t unit_if_none_us, uint64_t& out);

// A count with an optional factor k, M, G, T (powers of ten), or "infinite", "infinity".
bool parse_spin_count(std::string_view text, uint64_t& out);

bool parse_num_threads(std::string_view text, NumThreadsList& out);
bool parse_proc_bind(std::string_view text, ProcBindList& out);
bool parse_schedule(std::string_view text, RunSchedule& out);

}  // namespace tulle::omp
