// SPDX-License-Identifier: Apache-2.0
// A policy of an interface that this runtime does not have.
#include <stddef.h>
#include <tulle/policy.h>

const struct tulle_policy *tulle_policy_entry(void) {
  static const struct tulle_policy policy = {.version = TULLE_POLICY_VERSION + 1, .name = "later"};
  return &policy;
}
