// SPDX-License-Identifier: Apache-2.0
// A user-level thread: what was running on a stack when it had to wait. The record lies in the
// frame that waits, so an entity that never blocks has none. Written by the ULT that suspends
// before it is published; read by the worker that resumes it.
//
// A ULT resumes under the TLS base that it suspended under (compilers keep addresses of
// thread-local data in registers across calls):
//   tls != 0: that block travels with it, to any worker unless `pinned_to` says otherwise;
//   tls == 0: it ran under a worker's own block and waits for that worker (`pinned_to`). When that
//             worker is stuck, the monitor may move it; errno goes along by value.
// The C++ exception state goes along by value in either case: several ULTs of an entity share a block.
#pragma once

#include <atomic>
#include <cstdint>

#include "ult/exception_state.h"

namespace tulle::memory {
struct Stack;
}

namespace tulle::sched {
struct Entity;
struct Precedence;
struct Worker;
}  // namespace tulle::sched

namespace tulle::ult {

struct Ult {
  using Divert = void (*)(Ult*);

  void* context = nullptr;
  memory::Stack* stack = nullptr;  // where its frames lie
  uintptr_t tls = 0;
  sched::Worker* pinned_to = nullptr;
  sched::Entity* entity = nullptr;
  Ult* next = nullptr;
  sched::Worker* anchor = nullptr;  // Entity::anchor while it runs
  void* kept = nullptr;             // the entity's word that travels with each ULT (Entity::kept)
  sched::Precedence* precedence = nullptr;  // what lies below it waits as long as it does; null: none
  Divert divert = nullptr;          // takes it when it becomes ready, instead of its entity
  // Diverted only: whoever comes second, its waker or its own departure, hands it to `divert`.
  enum Handshake : uint32_t { kDeparting, kDeparted, kReady };
  std::atomic<uint32_t> handshake{kDeparting};
  bool yields = false;              // only lets others go first
  bool by_value = false;            // errno travels in the next field
  int saved_errno = 0;
  ExceptionState exceptions;
};

}  // namespace tulle::ult
