// SPDX-License-Identifier: Apache-2.0
// Who holds `speaking` gives orders: the thread that waits for a region, while it polls for the end; the device's
// OS thread of the host for regions of tasks, and for those whose thread has ceased to poll, which leaves the
// lock to it with the request; whoever copies a variable.
#include "offload/process.h"

#include <stdlib.h>
#include <string.h>

#include <new>

#include "arch/cpu.h"
#include "base/create.h"
#include "offload/arena.h"
#include "offload/channel.h"
#include "offload/request_queue.h"
#include "omp/target/target_host.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/cpus.h"
#include "os/report.h"
#include "os/shared_memory.h"
#include "os/thread.h"
#include "sched/durations.h"

namespace tulle::offload {

namespace {

constexpr size_t kBounce = size_t{1} << 16;     // bytes of a variable that are copied at once
constexpr uint64_t kBetweenLooks = 50000000;    // ns: at whether the process lives
constexpr int kPollsBetweenYields = 2000;

// In memory of both.
struct Shared {
  os::KeptChild child;
  Channel channel;
};

struct Process {
  Arena arena;
  os::KeptChild* child = nullptr;
  Channel* channel = nullptr;
  void* bounce = nullptr;
  omp::Lock speaking;
};

Process& process_of(const Device& device) { return *static_cast<Process*>(device.own); }

void* allocate(Device& device, size_t bytes, size_t alignment) {
  return process_of(device).arena.allocate(bytes, alignment);
}

void release(Device& device, void* block) { process_of(device).arena.release(block); }

void lose(Device& device, int signal) {
  if (device.lost.exchange(true, std::memory_order_acq_rel)) return;
  if (signal != 0)
    os::report("device %d: its process was ended by signal %d; the host goes on alone", device.number, signal);
  else
    os::report("device %d: its process has ended; the host goes on alone", device.number);
}

// Holder of `speaking`. False: there will be no answer.
bool await_answer(Device& device) {
  Process& process = process_of(device);
  for (int i = 0; i < kPollsBetweenYields; ++i) {
    if (process.channel->is_answered()) return true;
    arch::pause();
  }
  while (!process.channel->is_answered()) {
    int signal = 0;
    if (process.channel->sleep_for_answer(kBetweenLooks)) continue;
    if (process.channel->is_answered() || !os::has_ended(*process.child, signal)) continue;
    lose(device, signal);
    return false;
  }
  return true;
}

bool give_order(Device& device, const Order& order) {
  if (device.lost.load(std::memory_order_acquire)) return false;
  process_of(device).channel->post(order);
  return await_answer(device);
}

// Between a variable of the process and the bounce memory, by the process; or at once, where the memory is both's.
TULLE_MAY_SUSPEND void copy_to(Device& device, void* to, const void* from, size_t bytes) {
  Process& process = process_of(device);
  if (process.arena.holds(to)) {
    memcpy(to, from, bytes);
    return;
  }
  process.speaking.set();
  for (size_t done = 0; done < bytes; done += kBounce) {
    size_t part = bytes - done < kBounce ? bytes - done : kBounce;
    memcpy(process.bounce, static_cast<const char*>(from) + done, part);
    give_order(device, {Order::copy, 0, nullptr, nullptr, static_cast<char*>(to) + done, process.bounce, part});
  }
  process.speaking.unset();
}

TULLE_MAY_SUSPEND void copy_from(Device& device, void* to, const void* from, size_t bytes) {
  Process& process = process_of(device);
  if (process.arena.holds(from)) {
    memcpy(to, from, bytes);
    return;
  }
  process.speaking.set();
  for (size_t done = 0; done < bytes; done += kBounce) {
    size_t part = bytes - done < kBounce ? bytes - done : kBounce;
    bool came = give_order(device, {Order::copy, 0, nullptr, nullptr, process.bounce,
                                    static_cast<const char*>(from) + done, part});
    if (came) memcpy(static_cast<char*>(to) + done, process.bounce, part);
  }
  process.speaking.unset();
}

Order order_of(const Request* request) {
  return {Order::run, request->thread_limit, request->function, request->arguments, nullptr, nullptr, 0};
}

bool answered_soon(const Channel& channel) {
  uint64_t begin = os::now();
  do {
    for (int i = 0; i < 64; ++i) {
      if (channel.is_answered()) return true;
      arch::pause();
    }
  } while (os::now() - begin < sched::durations::kPoll);
  return false;
}

// A region that its thread waits for.
bool run_at_once(Device& device, Request* request) {
  Process& process = process_of(device);
  if (device.lost.load(std::memory_order_acquire) || !process.speaking.test()) return false;
  process.channel->post(order_of(request));
  if (answered_soon(*process.channel)) {
    process.speaking.unset();
    return true;
  }
  request->started = true;
  enqueue(device, request);
  return false;
}

constexpr DeviceOperations kOperations = {allocate, release, copy_to, copy_from, enqueue, run_at_once};

// Those that came: what has been started is waited for, for its thread has left the lock to this one.
TULLE_MAY_SUSPEND void sort_requests(Device& device, RequestLists& waiting) {
  for (Request* request = take_requests(device); request != nullptr;) {
    Request* next = request->next;
    if (request->started) {
      request->failed = !await_answer(device);
      process_of(device).speaking.unset();
      request->ended(request);
    } else {
      waiting.push(request);
    }
    request = next;
  }
}

TULLE_MAY_SUSPEND void run_one(Device& device, RequestLists& waiting) {
  Process& process = process_of(device);
  if (!process.speaking.test()) {  // for moments, or its holder is about to leave it to this thread
    os::yield_core();
    return;
  }
  Request* request = waiting.pop();
  request->failed = !give_order(device, order_of(request));
  process.speaking.unset();
  request->ended(request);
}

// The host's OS thread for the device.
TULLE_MAY_SUSPEND void* serve(void* argument) {
  auto& device = *static_cast<Device*>(argument);
  become_server(device, nullptr);
  RequestLists waiting;
  for (;;) {
    if (waiting.empty()) await_requests(device);
    sort_requests(device, waiting);
    if (!waiting.empty()) run_one(device, waiting);
  }
}

const omp::Thread* root_of(const omp::Thread* thread) {
  while (thread->team->parent != nullptr) thread = thread->team->parent;
  return thread;
}

// The process: on top of the thread that forked it, which never comes back.
[[noreturn]] TULLE_MAY_SUSPEND void obey(Device& device, int host) {
  Channel& channel = *process_of(device).channel;
  os::set_affinity_mask(0, device.cpus);
  device.root.store(root_of(omp::self()), std::memory_order_release);
  if (!os::end_with_host(host)) os::leave_child();
  for (;;) {
    const Order& order = channel.await_order();
    if (order.kind == Order::copy) {
      memcpy(order.to, order.from, order.bytes);
    } else {
      omp::run_target(omp::self(), order.function, order.arguments, order.thread_limit, device.icv);
      os::flush_output();
    }
    channel.answer();
  }
}

bool open_memory(Process& process) {
  void* memory = os::map_shared(sizeof(Shared) + kBounce);
  if (memory == nullptr) return false;
  auto* shared = new (memory) Shared;
  process.child = &shared->child;
  process.channel = &shared->channel;
  process.bounce = shared + 1;
  return process.arena.open();
}

}  // namespace

bool start_process(Device& device, void (*in_child)()) {
  auto* process = create<Process>();
  if (process == nullptr) return false;
  process->speaking.init();
  device.own = process;
  device.operations = &kOperations;
  if (!open_memory(*process)) return false;
  int host = os::process_id();
  int id = os::fork_child(*process->child);
  if (id == 0) {
    in_child();
    obey(device, host);
  }
  if (id < 0) return false;
  if (os::start_thread(serve, &device, os::Signals::blocked) == 0) return true;
  os::end_child(*process->child);
  return false;
}

void end_process(Device& device) {
  if (!device.lost.exchange(true, std::memory_order_acq_rel)) os::end_child(*process_of(device).child);
}

}  // namespace tulle::offload
