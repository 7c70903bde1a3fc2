/* SPDX-License-Identifier: Apache-2.0 */
/* A policy decides where teams and their threads go and what an idle worker takes. It sees bubbles and
   threads, and a tree of runqueues, one for each part of the machine. The same policy runs on this
   machine and on simulated ones. One of its own: build a shared object that exports tulle_policy_entry and name
   it in TULLE_POLICY=/path/to/policy.so. Follows Thibault et al., IWOMP 2007 (bubbles, spread), and
   Broquedis et al. (affinity). */
#ifndef TULLE_POLICY_H
#define TULLE_POLICY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A policy of version 1, which ends before `scope`, is taken too. */
#define TULLE_POLICY_VERSION 2

/* A bubble (a team: its parts are threads and nested teams' bubbles) or a thread that has not begun.
   An entity stands in one runqueue, or in its bubble while that is closed, or runs. */
typedef struct tulle_entity tulle_entity;

/* Belongs to one part of the machine; a leaf belongs to one worker. A worker takes threads from its
   leaf, or from the nearest runqueue above that has something. */
typedef struct tulle_runqueue tulle_runqueue;

/* What part of the machine a runqueue belongs to, outermost first. Where one part is all that another
   one has, the runqueue says the outer one's level; a leaf says TULLE_LEVEL_CPU. */
enum tulle_level {
  TULLE_LEVEL_MACHINE,
  TULLE_LEVEL_NUMA,
  TULLE_LEVEL_PACKAGE,
  TULLE_LEVEL_LAST_CACHE,
  TULLE_LEVEL_CACHE,
  TULLE_LEVEL_CORE,
  TULLE_LEVEL_CPU
};

/* What a policy may ask and do. Calls are valid inside the hooks alone; none of them blocks, suspends
   or allocates. The first argument of each is the table itself. */
struct tulle_host {
  /* The tree of runqueues, which never changes. */
  tulle_runqueue *(*root)(struct tulle_host *host);
  tulle_runqueue *(*parent)(struct tulle_host *host, tulle_runqueue *queue); /* null: the root */
  uint32_t (*children)(struct tulle_host *host, tulle_runqueue *queue);      /* 0: a leaf */
  tulle_runqueue *(*child)(struct tulle_host *host, tulle_runqueue *queue, uint32_t index);
  uint32_t (*workers)(struct tulle_host *host, tulle_runqueue *queue); /* leaves at or below */

  /* Entities. A load is what tulle_set_load() said, or else 1 for a thread; a bubble's is the sum over
     its parts. */
  int (*is_bubble)(struct tulle_host *host, tulle_entity *entity);
  uint32_t (*threads)(struct tulle_host *host, tulle_entity *entity); /* that have not begun: 0 or 1 for
                                            a thread; those that stand in it for a bubble */
  double (*load)(struct tulle_host *host, tulle_entity *entity);
  tulle_entity *(*bubble)(struct tulle_host *host, tulle_entity *entity); /* it is part of; or null */
  /* The parts that have not ended; where() tells of those that stand somewhere else by now. */
  tulle_entity *(*first_part)(struct tulle_host *host, tulle_entity *bubble);
  tulle_entity *(*next_part)(struct tulle_host *host, tulle_entity *part);
  tulle_runqueue *(*where)(struct tulle_host *host, tulle_entity *entity); /* null: in no runqueue */

  /* What stands in a runqueue, oldest first; and the load at and below it, running threads included: 0
     if and only if there is nothing. */
  tulle_entity *(*first_in)(struct tulle_host *host, tulle_runqueue *queue);
  tulle_entity *(*next_in)(struct tulle_host *host, tulle_entity *entity);
  double (*load_below)(struct tulle_host *host, tulle_runqueue *queue);

  /* Puts an entity at the end of `queue`, out of where it stands now. What has begun stays. Nothing
     happens where the entity or `queue` is null, which parent(), child() and where() may have said. */
  void (*move)(struct tulle_host *host, tulle_entity *entity, tulle_runqueue *queue);
  /* Opens a bubble: its parts stand in the runqueue where it stood, each for itself, in its place in the
     order. One that stands in no runqueue stays as it is. */
  void (*explode)(struct tulle_host *host, tulle_entity *bubble);

  uint32_t (*random)(struct tulle_host *host, uint32_t bound); /* 0 <= result < bound */
  /* TULLE_POLICY=name:parameter; `otherwise` where none was given. */
  double (*parameter)(struct tulle_host *host, double otherwise);

  enum tulle_level (*level)(struct tulle_host *host, tulle_runqueue *queue);
};

/* Hooks; each may be null. They are called one at a time, but for distribute() with a scope(). */
struct tulle_policy {
  uint32_t version; /* TULLE_POLICY_VERSION */
  const char *name;

  /* Initial distribution. `bubble` is new, closed, and stands in `from`, the runqueue of the worker
     that encountered its region. Null: it stays there. */
  void (*distribute)(struct tulle_host *host, tulle_entity *bubble, tulle_runqueue *from);

  /* A worker looked from its `leaf` up to the root and found nothing. True: something was moved to
     where it finds it. Null: it sleeps. */
  int (*idle)(struct tulle_host *host, tulle_runqueue *leaf);

  /* The search from `leaf` upwards met a closed bubble. The hook moves it nearer to the leaf, or
     explodes it. If it does neither, or is null, the bubble is exploded where it stands, also if that is
     elsewhere by now. */
  void (*met)(struct tulle_host *host, tulle_entity *bubble, tulle_runqueue *leaf);

  /* A monitor's tick passed while parts of `bubble` wait. */
  void (*tick)(struct tulle_host *host, tulle_entity *bubble);

  /* A thread ended, or with its last thread a bubble. */
  void (*ended)(struct tulle_host *host, tulle_entity *entity);

  /* Since version 2. The part of the machine, `from` or one around it, in which distribute() is to place `bubble`; null,
     or no hook: the whole machine. For a part of few workers distribute() then runs beside hooks for other parts, with
     a host whose root is that part, and in which a bubble has threads only, no bubbles. Nothing is moved in scope(), which
     may ask for the tree, for loads, which others may change meanwhile, and for `bubble`, which stands nowhere yet.
     A team within a region of one thread for each worker, which no policy places, stays in `from`: neither hook is
     called, and idle() lets workers that have become idle have its threads. */
  tulle_runqueue *(*scope)(struct tulle_host *host, tulle_entity *bubble, tulle_runqueue *from);
};

/* What a shared object exports. Null: it cannot be used. */
const struct tulle_policy *tulle_policy_entry(void);

#ifdef __cplusplus
}
#endif

#endif
