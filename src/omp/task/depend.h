// SPDX-License-Identifier: Apache-2.0
// Dependences between siblings (OpenMP 5.2 §15.9.5). The table of addresses belongs to the parent
// and is only touched by whoever runs the parent, so it needs no lock; what completing tasks touch
// are the nodes, each under its own. A task that waits is in no queue at all.
#pragma once

#include <cstddef>

#include "omp/task/task.h"
#include "sched/event.h"

namespace tulle::omp {

struct DependenceNode;

// Enters a child of the current task. True if it waits for nothing: the caller makes it ready.
// `code`: what its body is known by.
bool register_dependences(Thread* thread, Task* task, const Dependence* list, size_t count, const void* code);

// The current task waits for what the list depends on, itself or with an undeferred child. While graphs_repeat().
TULLE_COLD void see_waiting(Thread* thread, const Dependence* list, size_t count, const void* code);

// Waits until an undeferred child could begin; its exclusions (mutexinoutset) are held from then on.
TULLE_MAY_SUSPEND void begin_undeferred_wait(Thread* thread, Task* task, const Dependence* list,
                                             size_t count, const void* code = nullptr);

// The same in parts, for whoever waits for the event until a task with these dependences could begin.
// `entered`: later siblings will follow the node, which is not complete until release_dependences() of a task
// that has it, or this. `task`: that which waits; null: a taskwait.
struct WaitingNode {
  DependenceNode* node;
  bool ready;  // there is nothing to wait for
};
WaitingNode register_waiter(Thread* thread, sched::Event& event, const Dependence* list, size_t count,
                            bool entered, Task* task);
void close_waiter(Thread* thread, DependenceNode* node);

// The task is complete: what waited only for it is made ready.
void release_dependences(Thread* thread, Task* task);

// The parent, which has a table, has waited for all of its children.
void after_waiting(Thread* thread, Task* parent);

// The parent is complete and nobody can refer to its table any more.
void free_dependence_table(Thread* thread, Task* parent);

}  // namespace tulle::omp
