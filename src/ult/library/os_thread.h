// SPDX-License-Identifier: Apache-2.0
// OS threads as a port knows them. Those of the library run contexts. One of the program's cannot: it sleeps while one
// of the library's acts in its place, and that one sleeps while frames of the program's own stack run.
#pragma once

#include <atomic>
#include <cstdint>

#include "arch/context.h"
#include "base/cpu_set.h"
#include "ult/library.h"

namespace tulle::ult::port {

struct OsThread;
struct Ult;

// What the kernel keeps for an OS thread and belongs to the one of the program's in whose place it acts.
struct Belongings {
  uint64_t mask = 0;  // of signals
  CpuSet cpus;
};

// What whoever goes over tells the other side. It lies on the stack that is left: gone after the commit.
struct Crossing {
  arch::Commit commit = nullptr;
  void* argument = nullptr;
  uintptr_t base = 0;      // the TLS base in force
  OsThread* on = nullptr;  // the library's OS thread
  Ult* ended = nullptr;    // free from now on; null: none
  const Belongings* brought = nullptr;  // from another OS thread; null: the same one goes on
};

// A saved context, or one that has not begun. Lies on its own stack: at the top until it begins, in the frame of
// go_over() later. Nothing lies below `native`.
struct Context {
  Ult* ult = nullptr;      // that its frames run on; null: not begun, or an OS thread of the program's that sleeps
  void* native = nullptr;  // by the processor's own switch: how it begins, or goes on
  void (*entry)(void*) = nullptr;
  void* argument = nullptr;
  const Crossing* crossing = nullptr;  // W: who goes over to it
  std::atomic<uint32_t> resumed{0};    // futex word of the program's OS thread
  Belongings* brings = nullptr;        // what that one goes on with; null: there is none
};

// A thread of the library. But for those that OS threads began with it calls one context after the other, each on
// the context's own stack, and waits between them.
struct Ult {
  library::Thread thread;
  // W: who goes over to it. This context begins, or this OS thread of the program's goes on in place of the library's.
  Context* called = nullptr;
  Context* sleeper = nullptr;
  const Crossing* crossing = nullptr;
  // Frames where the library is called, not below those that run; null: none. W: who comes there. What comes; null: it
  // has ended.
  void* home = nullptr;
  void* beside = nullptr;  // a stack for such frames; null: none has been needed
  Context* left = nullptr;
  void** save = nullptr;
  Context* onward = nullptr;
  Crossing outgoing;
  Ult* next = nullptr;  // among free ones
};

// What an OS thread of the library's is to do: to call `entry`, or to go over. With neither it has nothing to do any
// more.
struct Order {
  void* (*entry)(void*) = nullptr;
  void* argument = nullptr;
  Belongings belongings;  // with which it calls `entry`
  Context* to = nullptr;
  const Crossing* crossing = nullptr;
};

struct OsThread {
  bool of_library = false;
  bool counted = false;  // has been idle before
  uintptr_t base = 0;    // its own block
  int kernel_id = 0;
  bool between = false;  // it goes over, in no context's frames; R: its handlers
  OsThread* acts_for = nullptr;  // the program's: which of the library's; null: none yet. W: itself
  // W: itself.
  Ult first;               // that its frames began on; the program's have one that is not the library's
  Ult* running = nullptr;  // whose frames run
  Ult* dock = nullptr;     // waits until an OS thread of the program's is to act; null: none yet
  Ult* spare = nullptr;    // ended here last
  // W: who has taken it from the idle ones, or acts for it; R: itself, after `ordered`.
  Order order;
  std::atomic<uint32_t> ordered{0};  // futex word
  OsThread* next = nullptr;          // among idle ones
};

// The calling one: null if nobody knows it; or made known.
OsThread* known_os_thread();
OsThread* this_os_thread();
// The calling OS thread gives up what is kept for it, and blocks all signals; and takes up what belongs to others.
void put_down(Belongings& belongings);
void take_up(const Belongings& belongings);
// The calling OS thread runs under the block `base` from now on.
void run_under(uintptr_t base, OsThread* os);

// Begins the library, once.
void start_library();
// One of the library's that has nothing to do; null: there are no more.
OsThread* take_idle();
void give_order(OsThread* os, const Order& order);
// Each of the library's ends as soon as it has nothing to do.
void end_os_threads();
// Sleeps, follows orders, and returns with one to go over.
Order next_crossing(OsThread* os);

// Goes over from `from`, which runs under the own block of its OS thread, and waits.
void cross(Ult* from, Context* to, const Crossing* crossing);
// The OS thread stands aside until it is to go over, in `self`, which was gone over to for that or sleeps first.
void stand_aside(OsThread* os, Ult* self);
void free_ult(OsThread* os, Ult* ult);

}  // namespace tulle::ult::port
