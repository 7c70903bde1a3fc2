/* SPDX-License-Identifier: Apache-2.0 */
/* A policy as a user would write it: each outermost team goes whole to one part of the machine, the
   least loaded child of the root (a NUMA node, say), whose workers share its threads. Nested teams stay
   with the thread that encountered them. Build it and name it:
     cc -shared -fPIC -I<prefix>/include policy_plugin.c -o whole.so
     TULLE_POLICY=$PWD/whole.so ./program */
#include <stddef.h>
#include <tulle/policy.h>

static tulle_runqueue *least_loaded(struct tulle_host *host) {
  tulle_runqueue *root = host->root(host), *best = root;
  double least = 0;
  for (uint32_t i = 0; i < host->children(host, root); ++i) {
    tulle_runqueue *child = host->child(host, root, i);
    double load = host->load_below(host, child) / host->workers(host, child);
    if (best == root || load < least) {
      best = child;
      least = load;
    }
  }
  return best;
}

/* Something that waits in `queue` or below it; or null. */
static tulle_entity *waiting(struct tulle_host *host, tulle_runqueue *queue) {
  for (tulle_entity *entity = host->first_in(host, queue); entity != NULL;
       entity = host->next_in(host, entity))
    if (host->threads(host, entity) > 0) return entity;
  for (uint32_t i = 0; i < host->children(host, queue); ++i) {
    tulle_entity *found = waiting(host, host->child(host, queue, i));
    if (found != NULL) return found;
  }
  return NULL;
}

static void distribute(struct tulle_host *host, tulle_entity *bubble, tulle_runqueue *from) {
  (void)from;
  if (host->bubble(host, bubble) == NULL) host->move(host, bubble, least_loaded(host));
}

/* The nearest that waits, whole if it is a team. */
static int idle(struct tulle_host *host, tulle_runqueue *leaf) {
  for (tulle_runqueue *queue = leaf; queue != NULL; queue = host->parent(host, queue)) {
    tulle_entity *found = waiting(host, queue);
    if (found != NULL) {
      host->move(host, found, leaf);
      return 1;
    }
  }
  return 0;
}

/* A team that nobody has opened yet need not stay where others are busy. */
static void tick(struct tulle_host *host, tulle_entity *bubble) {
  tulle_runqueue *where = host->where(host, bubble), *least = least_loaded(host);
  if (where != NULL && host->load_below(host, least) == 0) host->move(host, bubble, least);
}

static const struct tulle_policy kWhole = {TULLE_POLICY_VERSION, "whole", distribute, idle,
                                           NULL, /* a bubble that is met opens where it stands */
                                           tick, NULL};

const struct tulle_policy *tulle_policy_entry(void) { return &kWhole; }
