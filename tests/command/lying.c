// SPDX-License-Identifier: Apache-2.0
// A policy that says it moved something to an idle worker, and never does.
#include <stddef.h>
#include <tulle/policy.h>

static int say_so(struct tulle_host *host, tulle_runqueue *leaf) { return host->root(host) != leaf; }

static const struct tulle_policy kLying = {TULLE_POLICY_VERSION, "lying", NULL, say_so, NULL, NULL, NULL};

const struct tulle_policy *tulle_policy_entry(void) { return &kLying; }
