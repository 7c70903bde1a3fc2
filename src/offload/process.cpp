// SPDX-License-Identifier: Apache-2.0
#include "offload/process.h"

#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <new>

#include "arch/cpu.h"
#include "base/create.h"
#include "offload/awaited.h"
#include "offload/patience.h"
#include "offload/process_state.h"
#include "offload/request_queue.h"
#include "offload/urgent.h"
#include "omp/task/attention.h"
#include "os/clock.h"
#include "os/report.h"
#include "os/shared_memory.h"
#include "os/thread.h"

namespace tulle::offload {

namespace {

constexpr size_t kBounce = size_t{1} << 16;  // bytes of a variable that are copied at once

// In memory of both. The first page is what the process looks at in regions.
struct Shared {
  omp::Attention attention;
  os::KeptChild child;
  Channel channel;
};

void* allocate(Device& device, size_t bytes, size_t alignment) {
  return process_of(device).arena.allocate(bytes, alignment);
}

void release(Device& device, void* block) { process_of(device).arena.release(block); }

// False: there will be none.
bool await_answer(Device& device, int lane, uint32_t number) {
  Process& process = process_of(device);
  auto is_answered = [&] { return process.channel->is_answered(lane, number); };
  for (uint32_t i = os::pauses_in(kPollBeforeSleep); i != 0; --i) {
    if (is_answered()) return true;
    arch::pause();
  }
  while (!is_answered())
    if (!process.channel->sleep_for_answer(durations::kBetweenLooksAtProcess, is_answered) && has_ended(device))
      return is_answered();
  return true;
}

// Holder of `bouncing`.
bool order_copy(Device& device, void* to, const void* from, size_t bytes) {
  if (has_lost_process(device)) return false;
  Channel& channel = *process_of(device).channel;
  uint32_t number = channel.post(Channel::kCopies, {Order::copy, 0, nullptr, nullptr, to, from, bytes});
  channel.announce();
  return await_answer(device, Channel::kCopies, number);
}

// Copies a variable of the process in parts, by way of the bounce memory.
template <class Copy>
TULLE_MAY_SUSPEND void copy_in_parts(Process& process, size_t bytes, Copy copy) {
  process.bouncing.set();
  for (size_t done = 0; done < bytes; done += kBounce) copy(done, std::min(bytes - done, kBounce));
  process.bouncing.unset();
}

// By the process; or at once, where the memory is both's.
TULLE_MAY_SUSPEND void copy_to(Device& device, void* to, const void* from, size_t bytes) {
  Process& process = process_of(device);
  if (process.arena.holds(to)) {
    memcpy(to, from, bytes);
    return;
  }
  copy_in_parts(process, bytes, [&](size_t done, size_t part) {
    memcpy(process.bounce, static_cast<const char*>(from) + done, part);
    order_copy(device, static_cast<char*>(to) + done, process.bounce, part);
  });
}

TULLE_MAY_SUSPEND void copy_from(Device& device, void* to, const void* from, size_t bytes) {
  Process& process = process_of(device);
  if (process.arena.holds(from)) {
    memcpy(to, from, bytes);
    return;
  }
  copy_in_parts(process, bytes, [&](size_t done, size_t part) {
    bool came = order_copy(device, process.bounce, static_cast<const char*>(from) + done, part);
    if (came) memcpy(static_cast<char*>(to) + done, process.bounce, part);
  });
}

// Unless the device has enough ahead, or others of the priority wait: then, at the end of the lane, this one does too.
bool post(Process& process, Request* request, bool waits) {
  {
    sync::Guard guard(process.posting);
    Channel& channel = *process.channel;
    if (channel.waiting(request->priority) != 0 || !channel.has_room(request->priority)) {
      if (waits) channel.add_waiting(request->priority, 1);
      return false;
    }
    process.post_locked(request);
  }
  process.channel->announce();
  return true;
}

void start(Device& device, Request* request) {
  if (!has_lost_process(device)) post(process_of(device), request, true);
  enqueue(device, request);
}

// Whoever leaves it to the host's OS thread for the device has that one woken first.
bool run_at_once(Device& device, Awaited& request) {
  Process& process = process_of(device);
  if (has_lost_process(device) || !post(process, &request, false)) return false;
  if (poll_for_end([&] { return process.is_answered(&request); })) return true;
  enqueue(device, &request);
  return false;
}

bool is_near(const Device& device, const void* address) { return process_of(device).arena.holds(address); }

bool has_code(Device& device, const void* function) { return process_of(device).code.hold(function); }

constexpr DeviceOperations kOperations = {allocate,    release, copy_to, copy_from, start,
                                          run_at_once, is_near, nullptr, has_code,  run_urgent_orders};

void lose(Device& device, int signal) {
  if (device.lost.exchange(true, std::memory_order_acq_rel)) return;
  if (signal != 0)
    os::report("device %d: its process was ended by signal %d; the host goes on alone", device.number, signal);
  else
    os::report("device %d: its process has ended; the host goes on alone", device.number);
}

Shared* shared_of(const Process& process) { return static_cast<Shared*>(process.bounce) - 1; }

bool open_memory(Process& process) {
  void* memory = os::map_shared(sizeof(Shared) + kBounce);
  if (memory == nullptr) return false;
  auto* shared = new (memory) Shared;
  process.child = &shared->child;
  process.channel = &shared->channel;
  process.channel->tell_by(&shared->attention.wanted);
  process.bounce = shared + 1;
  return process.arena.open();
}

}  // namespace

bool has_ended(Device& device) {
  int signal = 0;
  if (!os::has_ended(*process_of(device).child, signal)) return false;
  lose(device, signal);
  return true;
}

bool start_process(Device& device, void (*in_child)()) {
  auto* process = create<Process>();
  if (process == nullptr) return false;
  process->bouncing.init();
  device.own = process;
  device.operations = &kOperations;
  if (!open_memory(*process) || !process->code.note()) return false;
  int host = os::process_id();
  int id = os::fork_child(*process->child);
  if (id == 0) {
    in_child();
    if (os::map_shared_at(&omp::attention, &shared_of(*process)->attention, sizeof(omp::Attention))) begin_to_attend();
    obey(device, host);
  }
  if (id < 0) return false;
  if (os::start_thread(serve_process, &device, os::Signals::blocked) == 0) return true;
  os::end_child(*process->child);
  return false;
}

void end_process(Device& device) {
  if (!device.lost.exchange(true, std::memory_order_acq_rel)) os::end_child(*process_of(device).child);
}

}  // namespace tulle::offload
