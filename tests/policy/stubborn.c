// SPDX-License-Identifier: Apache-2.0
// A policy that does what none should: it pushes each team that a worker meets to another worker, and
// moves nothing to nowhere. It is of the interface's first version, behind which nothing is to be read.
#include <stddef.h>
#include <stdlib.h>
#include <tulle/policy.h>

static tulle_runqueue *another_leaf(struct tulle_host *host, tulle_runqueue *leaf) {
  for (uint32_t first = 0;; first = 1) {
    tulle_runqueue *queue = host->root(host);
    while (host->children(host, queue) > first) queue = host->child(host, queue, first);
    while (host->children(host, queue) > 0) queue = host->child(host, queue, 0);
    if (queue != leaf || first == 1) return queue;
  }
}

static void move_nothing(struct tulle_host *host, tulle_entity *bubble, tulle_runqueue *from) {
  host->move(host, bubble, NULL);
  host->move(host, NULL, from);
  host->explode(host, NULL);
}

static void push_away(struct tulle_host *host, tulle_entity *bubble, tulle_runqueue *leaf) {
  host->move(host, bubble, another_leaf(host, leaf));
}

static tulle_runqueue *never_called(struct tulle_host *host, tulle_entity *bubble, tulle_runqueue *from) {
  (void)host, (void)bubble, (void)from;
  abort();
}

static const struct tulle_policy kStubborn = {1, "stubborn", move_nothing, NULL, push_away, NULL, NULL, never_called};

const struct tulle_policy *tulle_policy_entry(void) { return &kStubborn; }
