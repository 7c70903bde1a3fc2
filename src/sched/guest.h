// SPDX-License-Identifier: Apache-2.0
// Guests: user-level threads of the program that enter regions. A library of the program's, the host, switches
// them, and has described itself (tulle/host.h). A guest is a foreign worker whose record goes along with
// it, in a word that the host keeps for it: whichever OS thread runs it, the record is found there. So an OS
// thread that runs guests has nothing of theirs in its own word, and who runs is asked for at each entry.
//
// A guest waits by the host and never switches stacks. Its worker has no loop: what waits in its runqueue,
// its teams' bubbles, is for the pool's workers.
//
// Waking: a sleeping guest's `asleep` is that of any worker (sched/idle.cpp), but for the bit that would offer
// it for anybody's work; whoever claims it owes the host one wake of its waiter.
#pragma once

#include <cstdint>

struct tulle_ult_host;

namespace tulle::sched {

struct Entity;
struct Frame;
struct Worker;

// Once for the process: false if there is a host already. The functions are there.
bool set_host(const tulle_ult_host& host);
bool has_host();

// The calling user-level thread; null: none.
void* running_guest();

// A worker for the guest that runs here, as it was given back; and it is the guest's from then on, carrying
// `root`, whose `frame` it runs.
Worker* take_guest();
void begin_guest(Worker* w, Entity* root, Frame* frame);
// The guest needs it no more. The first where the guest runs.
void end_guest(Worker* w);
void give_guest(Worker* w);

// The guest runs on an OS thread, maybe another one than before.
void follow_guest(Worker* w);
// Returns once there is something in its runqueue, by the host's wait. May return on another OS thread.
void sleep_as_guest(Worker* w);
void rouse_guest(Worker* w);

// The current entity of an OS thread whose worker is not of the usual kind: a guest's is found by its word.
void set_current_beside_guests(Worker* w, Entity* entity);
// From now on who runs on the OS thread of `w`, the caller's, is asked for.
void expect_guests(Worker* w);

uint32_t forks_so_far();
void reset_guests_after_fork();

}  // namespace tulle::sched
