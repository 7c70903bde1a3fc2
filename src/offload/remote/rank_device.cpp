// SPDX-License-Identifier: Apache-2.0
// Whoever makes a region posts it, or has it wait for its turn (rank_lanes.h). The device's OS thread of the host sees to
// the end of those that nobody waits for, or who waits sleeps in the kernel; others ask the transport themselves. Who
// holds `putting`, `getting` or `asking` has such an order under way.
#include "offload/remote/rank_device.h"

#include <stdlib.h>

#include <new>

#include "offload/arena.h"
#include "offload/awaited.h"
#include "offload/devices.h"
#include "offload/remote/code_place.h"
#include "offload/remote/rank_lanes.h"
#include "offload/request_queue.h"
#include "os/memory.h"
#include "os/report.h"
#include "os/shared_memory.h"
#include "os/thread.h"
#include "sched/wait.h"

namespace tulle::offload {

namespace {

constexpr size_t kMostMemory = size_t{1} << 40;
constexpr size_t kLeastMemory = size_t{1} << 24;
constexpr uintptr_t kFirstAddress = uintptr_t{0x2000} << 32;  // where no system puts anything by itself
constexpr size_t kWorthEmptying = size_t{1} << 20;

// What the host knows of where things are on the rank.
struct Known {
  const void* host;
  void* there;
  bool by_name;
};

struct Rank {
  Rank(Device& of, Line& line, int number) : device(of), talk(line, number, {ran, lose, fail, this}), lanes(talk, arena) {}

  static void ran(void* rank, const Packet& packet) { static_cast<Rank*>(rank)->lanes.take_ran(packet); }
  static void fail(void* rank) { static_cast<Rank*>(rank)->lanes.fail_all(); }
  static void lose(void* rank, bool at_end) {
    auto* self = static_cast<Rank*>(rank);
    self->lanes.close();
    if (!self->device.lost.exchange(true, std::memory_order_acq_rel) && !at_end)
      os::report("device %d: its rank has ended; the host goes on alone", self->device.number);
  }

  Device& device;
  Arena arena;
  Conversation talk;
  RankLanes lanes;
  omp::Lock putting, getting, asking;
  sync::Spinlock knowing;
  Array<Known> known TULLE_GUARDED_BY(knowing);
};

Rank& rank_of(const Device& device) { return *static_cast<Rank*>(device.own); }
uint64_t number_of(const void* address) { return reinterpret_cast<uintptr_t>(address); }

void* allocate(Device& device, size_t bytes, size_t alignment) {
  return rank_of(device).arena.allocate(bytes, alignment);
}

void release(Device& device, void* block) {
  Rank& rank = rank_of(device);
  size_t bytes = rank.arena.bytes_of(block);
  if (bytes >= kWorthEmptying) rank.talk.say({Packet::empty, 0, number_of(block), bytes, 0});
  rank.arena.release(block);
}

TULLE_MAY_SUSPEND void copy_to(Device& device, void* to, const void* from, size_t bytes) {
  if (bytes == 0 || device.lost.load(std::memory_order_acquire)) return;
  Rank& rank = rank_of(device);
  Packet order{Packet::put, 0, number_of(to), bytes, 0};
  if (bytes <= Packet::kMostRest) return rank.talk.say(order, from, bytes);
  omp::self_or_attach();
  rank.putting.set();
  Answer answer;
  Stream stream;
  if (rank.talk.ask(answer, order, stream, Stream::Way::send, const_cast<void*>(from)))
    rank.talk.line().wait_for(answer.event);
  rank.putting.unset();
}

TULLE_MAY_SUSPEND void copy_from(Device& device, void* to, const void* from, size_t bytes) {
  if (bytes == 0 || device.lost.load(std::memory_order_acquire)) return;
  Rank& rank = rank_of(device);
  Packet order{Packet::get, 0, number_of(from), bytes, 0};
  omp::self_or_attach();
  rank.getting.set();
  Answer answer;
  Stream stream;
  answer.into = to;
  bool asked = bytes <= Packet::kMostRest ? rank.talk.ask(answer, order)
                                          : rank.talk.ask(answer, order, stream, Stream::Way::receive, to);
  if (asked) rank.talk.line().wait_for(answer.event);
  rank.getting.unset();
}

bool recall(Rank& rank, const void* host, bool by_name, void*& there) {
  sync::Guard guard(rank.knowing);
  for (const Known& each : rank.known) {
    if (each.host != host || each.by_name != by_name) continue;
    there = each.there;
    return true;
  }
  return false;
}

TULLE_MAY_SUSPEND void* find(Device& device, const void* host, bool by_name) {
  Rank& rank = rank_of(device);
  void* there = nullptr;
  if (recall(rank, host, by_name, there)) return there;
  CodePlace place = place_of(host);
  if (place.module == 0) return nullptr;
  rank.asking.set();
  Answer answer;
  bool heard = rank.talk.hear(answer, {Packet::find, by_name ? 1U : 0U, place.offset, 0, place.module});
  rank.asking.unset();
  if (!heard) return nullptr;
  there = reinterpret_cast<void*>(answer.packet.address);
  sync::Guard guard(rank.knowing);
  rank.known.push({host, there, by_name});
  return there;
}

// All that the rank needs for it is there, or on its way. False: the rank is lost.
TULLE_MAY_SUSPEND bool make_ready(Device& device, Request* request) {
  request->code = find(device, reinterpret_cast<const void*>(request->function), false);
  if (request->code == nullptr) return false;
  size_t bytes = rank_of(device).arena.bytes_of(request->arguments);
  if (bytes > Packet::kMostRest) copy_to(device, request->arguments, request->arguments, bytes);
  return true;
}

TULLE_MAY_SUSPEND void add(Device& device, Request* request) {
  request->failed = !make_ready(device, request);
  Line::Hold hold(rank_of(device).talk.line());
  rank_of(device).lanes.add(request);
}

TULLE_MAY_SUSPEND void start(Device& device, Request* request) {
  request->served = true;
  add(device, request);
}

// A region that its thread waits for, unless that is to sleep in the kernel.
TULLE_MAY_SUSPEND bool run_at_once(Device& device, Awaited& request) {
  if (Awaited::way() == omp::TargetWait::block_os) return false;
  add(device, &request);
  Line& line = rank_of(device).talk.line();
  if (Awaited::way() == omp::TargetWait::no_block) line.poll_for(request.event);
  line.wait_for(request.event);
  return true;
}

bool is_near(const Device&, const void*) { return false; }

TULLE_MAY_SUSPEND bool has_code(Device& device, const void* function) { return find(device, function, false) != nullptr; }

constexpr DeviceOperations kOperations = {allocate, release, copy_to, copy_from, start, run_at_once, is_near, find, has_code};

// The host's OS thread for the device. What a region leaves is taken care of while the next one runs.
TULLE_MAY_SUSPEND void* serve(void* argument) {
  auto& device = *static_cast<Device*>(argument);
  Rank& rank = rank_of(device);
  Line& line = rank.talk.line();
  become_server(device, nullptr);
  for (;;) {
    Request* ended = nullptr;
    sched::Event* stirred = nullptr;
    bool is_under_way = false;
    {
      Line::Hold hold(line);
      ended = rank.lanes.take_ended();
      if (ended == nullptr) stirred = &rank.lanes.expect();
      is_under_way = rank.lanes.some_served();
    }
    if (ended != nullptr)
      ended->ended(ended);
    else if (is_under_way)
      line.wait_for(*stirred);
    else
      sched::wait(*stirred, [stirred] { return stirred->happened(); });
  }
}

// Addresses that host and rank both have free.
TULLE_MAY_SUSPEND bool share_addresses(Device& device, Rank& rank, int devices) {
  static uintptr_t next = kFirstAddress;  // W: who makes the devices
  for (size_t bytes = kMostMemory; bytes >= kLeastMemory; bytes /= 2) {
    if (bytes > os::machine_memory() && bytes != kLeastMemory) continue;
    void* memory = os::map_memory_at(reinterpret_cast<void*>(next), bytes);
    next += bytes;
    if (memory == nullptr) continue;
    Answer answer;
    Packet order{Packet::hello, static_cast<uint32_t>(device.number), number_of(memory), bytes,
                 static_cast<uint64_t>(devices)};
    if (!rank.talk.hear(answer, order)) return false;
    if (answer.packet.address != 0) {
      device.icv.nthreads = static_cast<uint32_t>(answer.packet.bytes);
      return rank.arena.deal_out(memory, bytes);
    }
    os::unmap_memory(memory, bytes);
  }
  return false;
}

}  // namespace

bool start_rank(Device& device, Line& line, int number, int devices) {
  void* memory = malloc(sizeof(Rank));
  if (memory == nullptr) return false;
  auto* rank = new (memory) Rank(device, line, number);
  for (omp::Lock* lock : {&rank->putting, &rank->getting, &rank->asking}) lock->init();
  device.own = rank;
  device.operations = &kOperations;
  return share_addresses(device, *rank, devices) && os::start_thread(serve, &device, os::Signals::blocked) == 0;
}

}  // namespace tulle::offload
