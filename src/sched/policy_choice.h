// SPDX-License-Identifier: Apache-2.0
// A policy with its parameter, as somebody chose it: `name`, `name:parameter`, or the same with the
// path of a shared object in the place of the name (it contains a slash). Choices are few and kept for
// good; any thread may choose.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tulle/policy.h"

namespace tulle::sched {

struct PolicyChoice {
  const tulle_policy* policy = nullptr;  // null: the default, which needs no bubbles
  bool has_parameter = false;
  double parameter = 0;
};

// Of this interface, or of an earlier one, which ends before the hooks that came later.
inline bool has_known_version(const tulle_policy* policy) {
  return policy->version >= 1 && policy->version <= TULLE_POLICY_VERSION;
}

// Whether the text names a policy that comes with the runtime, or a path.
bool policy_is_known(std::string_view text);

// Null: it cannot be used, and `problem` says why, in a text that lasts until the next failure.
PolicyChoice* choose_policy(std::string_view text, const char** problem);

// All that were chosen so far, the default left out.
std::span<PolicyChoice> policy_choices();

}  // namespace tulle::sched
