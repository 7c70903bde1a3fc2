// SPDX-License-Identifier: Apache-2.0
// What a port owes: the boundary at which another library's threads stand under the runtime's. TULLE_ULT chooses
// the folder of ult/port.h, as the architecture's is chosen; nothing else in the runtime knows which
// one it is. tests/unit/ult/port_test.cpp holds a port to this page.
//
//   kNative        True: frames run on the OS thread that goes over to them. Else those of the native stack of an OS thread
//                  of the program's run there alone, and what it goes over to runs on another OS thread meanwhile.
//   kModules       How the file names of the library begin: its thread-local data are those of its own OS threads.
//   begin          A context that calls entry(argument) on the stack that ends at `top` (exclusive, 16-aligned) when
//                  it is gone over to for the first time. `entry` never returns. Cheap where it is not used.
//   go_over        Saves the caller in *save and goes over to `to`, where commit(argument) is called before
//                  anything else: only then may another OS thread go over to *save, and from then on at once. commit
//                  may be null; it never goes over. The TLS base in force before is in force after it, on the
//                  same OS thread: the library sees that of its own. Returns when somebody goes over to *save.
//                  Any OS thread may go over to any context.
//   go_over_alike  The same, for frames most of which have called this function at the same place.
//   leave          The same for the last time: commit may give the stack of the caller away.
//   start_thread   Starts an OS thread that may go over to contexts of the library, with the creator's signal mask; entry runs
//                  on a stack of its own, to which it comes back to return. 0, or an error number.
//   put_in_force   Changes the TLS block in force on the calling OS thread. Nobody else may run under it, nor go over to
//                  or from a context under it.
//   own_block      Of the calling OS thread, or what is given where it is the caller that knows.
//   kernel_id      The kernel's of the OS thread that runs these frames; 0: the caller's thread is always the same.
//   forget_os_thread  The calling OS thread runs under its own block, and goes over no more until it is found again.
//   end            The last OS thread of the program's that has used contexts may be the process's last: no context is left,
//                  saved or not begun, and the library's OS threads end. What comes later goes natively.
//   after_fork     In the child of a fork(): nothing of the library is used from now on.
#pragma once

#include <cstdint>
#include <type_traits>

#include "ult/port.h"

namespace tulle::ult::port {

using Begin = void*(memory::Stack*, void*, void (*)(void*), void*);
using GoOver = void(void**, void*, arch::Commit, void*);

static_assert(std::is_same_v<decltype(begin), Begin>);
static_assert(std::is_same_v<decltype(go_over), GoOver> && std::is_same_v<decltype(go_over_alike), GoOver>);
static_assert(std::is_same_v<decltype(leave), void(void*, arch::Commit, void*)>);
static_assert(std::is_same_v<decltype(start_thread), int(void* (*)(void*), void*)>);
static_assert(std::is_same_v<decltype(end), void()>);
static_assert(std::is_same_v<decltype(after_fork), void()>);
static_assert(std::is_same_v<decltype(put_in_force), void(uintptr_t)>);
static_assert(std::is_same_v<decltype(own_block), uintptr_t(uintptr_t)>);
static_assert(std::is_same_v<decltype(kernel_id), int()>);
static_assert(std::is_same_v<decltype(forget_os_thread), void()>);
static_assert(std::is_same_v<decltype(kNative), const bool>);

}  // namespace tulle::ult::port
