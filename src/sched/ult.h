// SPDX-License-Identifier: Apache-2.0
// A user-level thread: what was running on a stack when it had to wait. The record lies in the
// frames that wait, so an entity that never blocks has none. Written by the ULT that suspends
// before it is published; read by the worker that resumes it.
//
// A ULT resumes under the TLS base that it suspended under (compilers keep addresses of
// thread-local data in registers across calls):
//   tls != 0: that block travels with it, to any worker unless `bound` says otherwise;
//   tls == 0: it ran under a worker's own block and waits for that worker (`bound`). When that
//             worker is stuck, the monitor may move it; errno goes along by value.
// The C++ exception state goes along by value in either case: several ULTs of an entity share a block.
#pragma once

#include <atomic>
#include <cstdint>

#include "sched/frame.h"
#include "ult/exception_state.h"

namespace tulle::memory {
struct Stack;
}

namespace tulle::sched {

struct Entity;
struct Worker;

struct Ult {
  void* context = nullptr;
  memory::Stack* stack = nullptr;  // where its frames lie
  uintptr_t tls = 0;
  Worker* bound = nullptr;  // the only worker that may resume it; null: any
  Worker* home = nullptr;   // the foreign worker on whose OS thread's own stack it lies; null: none
  Entity* entity = nullptr;
  Frame* frame = nullptr;  // the innermost of those that it runs
  Ult* next = nullptr;
  const std::atomic<uint32_t>* wakes = nullptr;  // counts those who were woken where it waits; null: none
  // With Frame::on_ready only: whoever comes second, its waker or its own departure, calls that.
  enum Handshake : uint32_t { kDeparting, kDeparted, kReady };
  std::atomic<uint32_t> handshake{kDeparting};
  bool yields = false;    // only lets others go first: not deferred
  bool by_value = false;  // errno travels in the next field
  bool looked_at = false; // make_ready() has more to do: Frame::on_ready, or a SuspensionWatcher
  int saved_errno = 0;
  uint64_t ready_at = 0;  // W: a SuspensionWatcher, when it became ready
  ult::ExceptionState exceptions;
};

}  // namespace tulle::sched
