// SPDX-License-Identifier: Apache-2.0
#include "omp/icv/environment_parse.h"

namespace tulle::omp {
namespace {

constexpr int32_t kIntMax = 0x7fffffff;

bool multiply(uint64_t a, uint64_t b, uint64_t& product) {
  return !__builtin_mul_overflow(a, b, &product);
}

// The factor that a unit letter stands for, 0 if it is none.
constexpr uint64_t power_of(uint64_t base, char letter) {
  uint64_t factor = 1;
  for (char unit : {'b', 'k', 'm', 'g', 't'}) {
    if (Scanner::lower(letter) == unit) return factor;
    factor *= base;
  }
  return 0;
}

bool is_endless(std::string_view word) {
  return Scanner::same_word(word, "infinite") || Scanner::same_word(word, "infinity");
}

bool proc_bind_word(std::string_view word, ProcBind& out) {
  constexpr Keyword<ProcBind> kPolicies[] = {{"primary", ProcBind::primary},
                                             {"master", ProcBind::primary},
                                             {"close", ProcBind::close},
                                             {"spread", ProcBind::spread}};
  return parse_keyword(word, kPolicies, out);
}

}  // namespace

bool parse_bool(std::string_view text, bool& out) {
  constexpr std::string_view kTrue[] = {"true", ".true.", "t", ".t.", "yes", "y", "on", "1", "enabled"};
  constexpr std::string_view kFalse[] = {"false", ".false.", "f",        ".f.", "no",
                                         "n",     "off",     "disabled", "0"};
  text = Scanner::trimmed(text);
  for (std::string_view word : kTrue)
    if (Scanner::same_word(text, word)) return out = true, true;
  for (std::string_view word : kFalse)
    if (Scanner::same_word(text, word)) return out = false, true;
  return false;
}

bool parse_int(std::string_view text, int32_t least, int32_t& out) {
  Scanner scanner(text);
  int64_t value = 0;
  if (!scanner.signed_number(value) || !scanner.at_end()) return false;
  if (value < least || value > kIntMax) return false;
  out = static_cast<int32_t>(value);
  return true;
}

bool parse_size(std::string_view text, uint64_t unit_if_none, size_t& out) {
  Scanner scanner(text);
  uint64_t value = 0;
  if (!scanner.number(value)) return false;
  uint64_t factor = unit_if_none;
  std::string_view unit = scanner.word();
  if (!unit.empty()) {
    factor = power_of(1024, unit.front());
    bool with_b = unit.size() == 2 && factor > 1 && Scanner::lower(unit[1]) == 'b';
    if (unit.size() != 1 && !with_b) return false;
  }
  if (factor == 0 || !scanner.at_end() || !multiply(value, factor, value)) return false;
  out = value;
  return true;
}

bool parse_duration_us(std::string_view text, uint64_t unit_if_none_us, uint64_t& out) {
  Scanner scanner(text);
  uint64_t value = 0;
  if (!scanner.number(value)) {
    if (!is_endless(scanner.word()) || !scanner.at_end()) return false;
    out = kEndless;
    return true;
  }
  uint64_t factor = unit_if_none_us;
  std::string_view unit = scanner.word();
  if (Scanner::same_word(unit, "us"))
    factor = 1;
  else if (Scanner::same_word(unit, "ms"))
    factor = 1000;
  else if (Scanner::same_word(unit, "s"))
    factor = 1000000;
  else if (!unit.empty())
    return false;
  if (!scanner.at_end() || !multiply(value, factor, value)) return false;
  // libomp counts in int milliseconds; INT_MAX is how scripts write "for ever".
  out = value >= uint64_t{kIntMax} * 1000 ? kEndless : value;
  return true;
}

bool parse_spin_count(std::string_view text, uint64_t& out) {
  Scanner scanner(text);
  uint64_t value = 0;
  if (!scanner.number(value)) {
    if (!is_endless(scanner.word()) || !scanner.at_end()) return false;
    out = kEndless;
    return true;
  }
  uint64_t factor = 1;
  std::string_view unit = scanner.word();
  if (!unit.empty()) {
    factor = power_of(1000, unit.front());
    if (unit.size() != 1 || factor <= 1) return false;
  }
  if (!scanner.at_end() || !multiply(value, factor, value)) return false;
  out = value;
  return true;
}

bool parse_num_threads(std::string_view text, NumThreadsList& out) {
  Scanner scanner(text);
  NumThreadsList list{};
  do {
    uint64_t value = 0;
    if (list.count == kMaxListLevels || !scanner.number(value)) return false;
    if (value == 0 || value > uint64_t{kIntMax}) return false;
    list.values[list.count++] = static_cast<uint32_t>(value);
  } while (scanner.accept(','));
  if (!scanner.at_end()) return false;
  out = list;
  return true;
}

bool parse_proc_bind(std::string_view text, ProcBindList& out) {
  ProcBindList list{};
  bool on = false;
  if (parse_bool(text, on)) {
    list.values[list.count++] = on ? ProcBind::on : ProcBind::off;
    out = list;
    return true;
  }
  Scanner scanner(text);
  do {
    if (list.count == kMaxListLevels) return false;
    if (!proc_bind_word(scanner.word(), list.values[list.count++])) return false;
  } while (scanner.accept(','));
  if (!scanner.at_end()) return false;
  out = list;
  return true;
}

bool parse_schedule(std::string_view text, RunSchedule& out) {
  constexpr Keyword<ScheduleKind> kKinds[] = {{"static", ScheduleKind::fixed},
                                              {"dynamic", ScheduleKind::dynamic},
                                              {"guided", ScheduleKind::guided},
                                              {"auto", ScheduleKind::automatic},
                                              {"trapezoidal", ScheduleKind::trapezoidal},
                                              {"static_steal", ScheduleKind::dynamic}};
  Scanner scanner(text);
  RunSchedule schedule{};
  std::string_view word = scanner.word();
  bool monotonic = Scanner::same_word(word, "monotonic");
  bool nonmonotonic = Scanner::same_word(word, "nonmonotonic");
  if (monotonic || nonmonotonic) {
    if (!scanner.accept(':')) return false;
    word = scanner.word();
  }
  if (!parse_keyword(word, kKinds, schedule.kind)) return false;
  schedule.monotonic = monotonic;
  if (scanner.accept(',')) {
    uint64_t chunk = 0;
    if (!scanner.number(chunk) || chunk > uint64_t{kIntMax}) return false;
    schedule.chunk = static_cast<int32_t>(chunk);
  }
  if (!scanner.at_end()) return false;
  if (schedule.kind != ScheduleKind::fixed && schedule.chunk == 0) schedule.chunk = 1;
  out = schedule;
  return true;
}

}  // namespace tulle::omp
