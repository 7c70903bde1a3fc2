// SPDX-License-Identifier: Apache-2.0
#include "sched/policy_choice.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <atomic>

#include "os/modules.h"
#include "sched/policies/policies.h"
#include "sync/spinlock.h"

namespace tulle::sched {

namespace {

constexpr uint32_t kRoom = 32;
constexpr double kLargestParameter = 1e15;  // so many digits are exact

TULLE_HELD_AT_FORK sync::Spinlock choices_lock;
// A child that is forked while another thread opens a shared object could open nothing any more.
TULLE_HELD_AT_FORK sync::Spinlock opening;
PolicyChoice default_choice;
PolicyChoice choices[kRoom];  // W: under choices_lock; those before choice_count stay as they are
std::atomic<uint32_t> choice_count{0};
char problem_text[PATH_MAX + 128];  // the last one wins

// The policy's name, and its parameter.
struct Wanted {
  char name[PATH_MAX];
  bool is_path;
  bool has_parameter = false;
  double parameter = 0;
};

// A decimal number, with a point and in no locale's notation: a program may have set one by now.
bool parse_parameter(const char* text, double* parameter) {
  bool negative = *text == '-';
  if (*text == '-' || *text == '+') ++text;
  double value = 0, unit = 1;
  bool digits = false, fraction = false;
  for (; *text != '\0'; ++text) {
    if (*text == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (*text < '0' || *text > '9') return false;
    digits = true;
    value = value * 10 + (*text - '0');
    if (fraction) unit *= 10;
  }
  if (!digits || value > kLargestParameter || unit > kLargestParameter) return false;
  *parameter = (negative ? -value : value) / unit;
  return true;
}

bool split(std::string_view text, Wanted& wanted) {
  if (text.empty() || text.size() >= sizeof wanted.name) return false;
  memcpy(wanted.name, text.data(), text.size());
  wanted.name[text.size()] = '\0';
  wanted.is_path = strchr(wanted.name, '/') != nullptr;
  char* colon = strrchr(wanted.name, ':');
  if (colon != nullptr) {
    wanted.has_parameter = parse_parameter(colon + 1, &wanted.parameter);
    if (!wanted.has_parameter && !wanted.is_path) return false;
    if (wanted.has_parameter) *colon = '\0';
  }
  if (!wanted.is_path)
    for (char* c = wanted.name; *c != '\0'; ++c)
      if (*c >= 'A' && *c <= 'Z') *c = static_cast<char>(*c - 'A' + 'a');
  return true;
}

bool is_default(const Wanted& wanted) {
  return !wanted.is_path && !wanted.has_parameter && strcmp(wanted.name, "default") == 0;
}

// One of a shared object that a user wrote; it stays open.
const tulle_policy* open_policy(const char* path) {
  sync::Guard guard(opening);
  void* object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) {
    const char* reason = dlerror();
    snprintf(problem_text, sizeof problem_text, "%s", reason != nullptr ? reason : path);
    return nullptr;
  }
  auto* entry = reinterpret_cast<const tulle_policy* (*)()>(dlsym(object, "tulle_policy_entry"));
  const tulle_policy* policy = entry == nullptr ? nullptr : entry();
  if (policy != nullptr && has_known_version(policy)) {
    os::note_last_module();
    return policy;
  }
  if (entry == nullptr)
    snprintf(problem_text, sizeof problem_text, "%s does not export tulle_policy_entry", path);
  else if (policy == nullptr)
    snprintf(problem_text, sizeof problem_text, "tulle_policy_entry() of %s gives no policy", path);
  else
    snprintf(problem_text, sizeof problem_text, "%s has version %u of the interface, not 1 to %d", path,
             policy->version, TULLE_POLICY_VERSION);
  dlclose(object);
  return nullptr;
}

PolicyChoice* keep(const PolicyChoice& wanted) {
  sync::Guard guard(choices_lock);
  uint32_t count = choice_count.load(std::memory_order_relaxed);  // W: under the lock
  for (uint32_t i = 0; i < count; ++i) {
    PolicyChoice& known = choices[i];
    if (known.policy == wanted.policy && known.has_parameter == wanted.has_parameter &&
        (known.parameter == wanted.parameter || !wanted.has_parameter))
      return &known;
  }
  if (count == kRoom) return nullptr;
  choices[count] = wanted;
  choice_count.store(count + 1, std::memory_order_release);  // pairs with policy_choices
  return &choices[count];
}

}  // namespace

bool policy_is_known(std::string_view text) {
  Wanted wanted;
  return split(text, wanted) &&
         (wanted.is_path || is_default(wanted) || policy_by_name(wanted.name) != nullptr);
}

PolicyChoice* choose_policy(std::string_view text, const char** problem) {
  *problem = problem_text;
  Wanted wanted;
  if (!split(text, wanted)) {
    *problem = "it is not a name or a path, with a number behind a colon or without";
    return nullptr;
  }
  if (is_default(wanted)) return &default_choice;
  PolicyChoice choice;
  choice.policy = wanted.is_path ? open_policy(wanted.name) : policy_by_name(wanted.name);
  if (choice.policy == nullptr) {
    if (!wanted.is_path) *problem = "there is no policy of that name";
    return nullptr;
  }
  choice.has_parameter = wanted.has_parameter;
  choice.parameter = wanted.parameter;
  PolicyChoice* kept = keep(choice);
  if (kept == nullptr) *problem = "too many different policies were chosen";
  return kept;
}

std::span<PolicyChoice> policy_choices() {
  return {choices, choice_count.load(std::memory_order_acquire)};  // pairs with keep
}

}  // namespace tulle::sched
