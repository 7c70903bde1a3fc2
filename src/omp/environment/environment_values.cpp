// SPDX-License-Identifier: Apache-2.0
#include "omp/environment/environment_values.h"

#include <string.h>

#include "omp/environment/allocator_names.h"
#include "omp/icv/environment_parse.h"
#include "omp/icv/environment_words.h"
#include "omp/places/kmp_affinity.h"
#include "omp/places/places_parse.h"
#include "sched/policy_choice.h"

namespace tulle::omp {
namespace {

// Traits as OpenMP 5.2 §6.2 names them, with the numbers of GCC 12's omp.h.
constexpr Keyword<int32_t> kTraitKeys[] = {
    {"sync_hint", 1}, {"alignment", 2}, {"access", 3}, {"pool_size", 4},
    {"fallback", 5},  {"fb_data", 6},   {"pinned", 7}, {"partition", 8}};
constexpr Keyword<uintptr_t> kTraitValues[] = {
    {"false", 0},       {"true", 1},        {"contended", 3},    {"uncontended", 4},
    {"serialized", 5},  {"private", 6},     {"all", 7},          {"thread", 8},
    {"pteam", 9},       {"cgroup", 10},     {"default_mem_fb", 11}, {"null_fb", 12},
    {"abort_fb", 13},   {"allocator_fb", 14}, {"environment", 15}, {"nearest", 16},
    {"blocked", 17},    {"interleaved", 18}};
constexpr int kMaxTraits = 16;

bool parse_trait(Scanner& scanner, AllocatorTrait& trait) {
  if (!parse_keyword(scanner.word(), kTraitKeys, trait.key) || !scanner.accept('=')) return false;
  uint64_t number = 0;
  if (scanner.number(number)) {
    trait.value = number;
    return true;
  }
  std::string_view word = scanner.word();
  for (const AllocatorName& allocator : kAllocatorNames) {
    if (!Scanner::same_word(word, allocator.name)) continue;
    trait.value = allocator.handle;
    return true;
  }
  return parse_keyword(word, kTraitValues, trait.value);
}

}  // namespace

bool parse_nested(std::string_view text, int32_t& levels) {
  bool nested = false;
  if (!parse_bool(text, nested)) return false;
  levels = nested ? kMaxActiveLevels : 1;
  return true;
}

bool parse_unsigned(std::string_view text, uint32_t& out) {
  int32_t value = 0;
  if (!parse_int(text, 0, value)) return false;
  out = static_cast<uint32_t>(value);
  return true;
}

bool parse_wait_policy(std::string_view text, WaitPolicy& out) {
  constexpr Keyword<WaitPolicy> kWords[] = {{"active", WaitPolicy::active},
                                            {"passive", WaitPolicy::passive}};
  return parse_keyword(text, kWords, out);
}

bool parse_display_env(std::string_view text, DisplayEnv& out) {
  constexpr Keyword<DisplayEnv> kWords[] = {{"verbose", DisplayEnv::verbose}};
  if (parse_keyword(text, kWords, out)) return true;
  bool on = false;
  if (!parse_bool(text, on)) return false;
  out = on ? DisplayEnv::on : DisplayEnv::off;
  return true;
}

bool parse_tool_use(std::string_view text, ToolUse& out) {
  bool on = false;
  if (!parse_bool(text, on)) return false;
  out = on ? ToolUse::enabled : ToolUse::disabled;
  return true;
}

bool parse_policy(std::string_view text, const char*& out) {
  text = Scanner::trimmed(text);
  constexpr Keyword<const char*> kWords[] = {{"default", kStandardPolicy}};
  return parse_keyword(text, kWords, out) || (sched::policy_is_known(text) && keep_text(text, out));
}

bool parse_task_graph(std::string_view text, const char*& out) {
  text = Scanner::trimmed(text);
  constexpr Keyword<const char*> kWords[] = {{"off", nullptr}, {"auto", "AUTO"}};
  if (parse_keyword(text, kWords, out)) return true;
  constexpr size_t kPrefix = 7;
  std::string_view prefix = text.substr(0, kPrefix);
  return text.size() > kPrefix && (Scanner::same_word(prefix, "record:") || Scanner::same_word(prefix, "replay:")) &&
         keep_text(text, out);
}

bool parse_allocator(std::string_view text, uintptr_t& handle) {
  Scanner scanner(text);
  std::string_view word = scanner.word();
  const AllocatorName* plain = nullptr;
  for (const AllocatorName& allocator : kAllocatorNames) {
    if (Scanner::same_word(word, allocator.space)) plain = &allocator;
    if (!Scanner::same_word(word, allocator.name) || !scanner.at_end()) continue;
    handle = allocator.handle;
    return true;
  }
  if (plain == nullptr || word.empty()) return false;
  if (scanner.at_end()) {
    handle = plain->handle;
    return true;
  }
  AllocatorTrait traits[kMaxTraits];
  int count = 0;
  if (!scanner.accept(':')) return false;
  do {
    if (count == kMaxTraits || !parse_trait(scanner, traits[count++])) return false;
  } while (scanner.accept(','));
  if (!scanner.at_end()) return false;
  // Spaces are numbered from 0 where their plain allocators are numbered from 1.
  AllocatorHandle made = init_allocator(plain->handle - 1, count, traits);
  if (made == kNullAllocator) return false;
  handle = made;
  return true;
}

bool assign_kmp_library(std::string_view text, const char* name, GlobalIcv& icv) {
  enum class Library { serial, throughput, turnaround };
  constexpr Keyword<Library> kWords[] = {{"serial", Library::serial},
                                         {"throughput", Library::throughput},
                                         {"turnaround", Library::turnaround}};
  Library library = Library::throughput;
  if (!parse_keyword(text, kWords, library)) return false;
  Source source{Origin::environment, name};
  icv.serial_library = {library == Library::serial, source};
  if (library == Library::turnaround) icv.wait_policy = {WaitPolicy::active, source};
  return true;
}

bool keep_text(std::string_view text, const char*& out) {
  char* copy = strndup(text.data(), text.size());
  if (copy == nullptr) return false;
  out = copy;
  return true;
}

bool check_places(std::string_view text, const char*& out) {
  return places_are_valid(text) && keep_text(text, out);
}

bool check_cpu_affinity(std::string_view text, const char*& out) {
  return cpu_affinity_is_valid(text) && keep_text(text, out);
}

bool check_kmp_affinity(std::string_view text, const char*& out) {
  KmpAffinity affinity;
  return parse_kmp_affinity(text, affinity) && keep_text(text, out);
}

bool check_hw_subset(std::string_view text, const char*& out) {
  HwSubset subset;
  return parse_hw_subset(text, subset) && keep_text(text, out);
}

}  // namespace tulle::omp
