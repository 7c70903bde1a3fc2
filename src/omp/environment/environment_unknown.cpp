// SPDX-License-Identifier: Apache-2.0
#include "omp/environment/environment_unknown.h"

#include <string.h>

#include "omp/environment/environment.h"
#include "omp/icv/text_buffer.h"

namespace tulle::omp {
namespace {

constexpr std::string_view kPrefix = "TULLE_";
constexpr std::size_t kLongest = 48;

std::size_t least(std::size_t a, std::size_t b) { return a < b ? a : b; }

// Neither is longer than kLongest. Letters to insert, leave out or exchange (Levenshtein's distance), by rows of his table.
std::size_t distance(std::string_view a, std::string_view b) {
  std::size_t row[kLongest + 1];
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t exchanged = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
      diagonal = row[j];
      row[j] = least(exchanged, least(row[j], row[j - 1]) + 1);
    }
  }
  return row[b.size()];
}

std::string_view without_prefix(std::string_view name) {
  name.remove_prefix(name.find('_') + 1);
  return name;
}

// THREADS is the end of NUM_THREADS.
bool is_last_words(std::string_view words, std::string_view name) {
  return name.ends_with(words) && name.size() > words.size() && name[name.size() - words.size() - 1] == '_';
}

}  // namespace

std::string_view probable_variable(std::string_view name) {
  if (!name.starts_with(kPrefix)) return {};
  std::string_view words = without_prefix(name);
  if (words.empty() || words.size() > kLongest) return {};
  std::string_view nearest;
  std::size_t nearest_distance = (words.size() + 2) / 3 + 1;
  for (const Variable& variable : environment_variables()) {
    std::string_view known = variable.name;
    if (known == name) return {};
    std::size_t apart = is_last_words(words, without_prefix(known)) ? 1 : distance(words, without_prefix(known));
    bool ours = known.starts_with(kPrefix) && !nearest.starts_with(kPrefix);
    if (apart > nearest_distance || (apart == nearest_distance && !ours)) continue;
    if (apart == nearest_distance && nearest.empty()) continue;
    nearest = known;
    nearest_distance = apart;
  }
  return nearest;
}

void report_unknown_variables(const char* const* entries, void (*report)(const char* line)) {
  for (; entries != nullptr && *entries != nullptr; ++entries) {
    const char* end = strchr(*entries, '=');
    if (end == nullptr) continue;
    std::string_view name(*entries, static_cast<std::size_t>(end - *entries));
    std::string_view meant = probable_variable(name);
    if (meant.empty()) continue;
    char line[256];
    TextBuffer out(line, sizeof line);
    out.put(name);
    out.put(" is not known; ");
    out.put(meant);
    out.put(" is");
    report(line);
  }
}

}  // namespace tulle::omp
