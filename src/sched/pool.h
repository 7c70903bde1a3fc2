// SPDX-License-Identifier: Apache-2.0
// Making workers, and ending them: the pool's, the program's OS threads, spares.
#pragma once

#include <cstdint>

#include "os/thread.h"
#include "sched/worker.h"

namespace tulle::sched {

// Starts the pool's workers (settings().workers - 1), if that was not done; any thread. Returns how
// many there are: fewer when the system refuses OS threads.
int start_pool();

// Makes the calling OS thread a foreign worker that carries `root`, whose `frame` it runs from then on.
Worker* attach_foreign(Entity* root, Frame* frame);
// The calling OS thread ends; nothing of it waits anywhere. With the last one the pool ends too.
void detach_foreign(Worker* worker);

// Whether the caller's frames lie on the stack that w, which carries the caller, runs on: not where the program
// switches stacks by itself.
bool runs_on_its_stack(const Worker* w);

// While the initial thread of the process is known to live, the pool stays though no foreign OS thread
// is attached. The process ends when its last OS thread does, which must not be one of ours.
void initial_thread_lives();
void initial_thread_ends();

// Ends all OS threads that carry workers, and the monitor, unless other than `still_attached` foreign
// OS threads are attached: false. They start again when they are needed, as many as before or `workers`. The caller is
// outside of all regions.
bool stop_pool(uint32_t still_attached, int workers = 0);

// One more spare of the crew; null: the system refuses, or there are too many.
Worker* start_spare(const Crew* crew);
// A worker that the crew keeps. The same.
Worker* start_member(const Crew* crew);

// OS threads that end with the pool. Start: false when the system refuses. End: their last act.
bool start_counted_thread(void* (*entry)(void*), void* argument, os::Signals signals);
void count_thread_end();

void reset_pool_after_fork(bool survivor);

}  // namespace tulle::sched
