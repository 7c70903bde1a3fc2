// SPDX-License-Identifier: Apache-2.0
// What a port owes to who handles signals in the name of frames that wait (sched/visit.h), beside ult/port_contract.h.
//
//   end_of_frames  Of a context that is saved: nothing lies below on its stack, and what somebody puts there may lie there until
//                  the context is gone over to. Null: of one that is not saved.
//   is_between     The calling OS thread, in a handler of a signal, is going over: its frames are no context's.
#pragma once

#include <type_traits>

#include "ult/visit_port.h"

namespace tulle::ult::port {

static_assert(std::is_same_v<decltype(end_of_frames), void*(void*)>);
static_assert(std::is_same_v<decltype(is_between), bool()>);

}  // namespace tulle::ult::port
