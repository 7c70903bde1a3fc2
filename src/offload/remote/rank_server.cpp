// SPDX-License-Identifier: Apache-2.0
#include "offload/remote/rank_server.h"

#include <stdlib.h>
#include <string.h>

#include <new>

#include "offload/remote/code_place.h"
#include "offload/remote/stream.h"
#include "offload/urgent.h"
#include "omp/target/target_host.h"
#include "omp/task/attention.h"
#include "os/child.h"
#include "os/cpus.h"
#include "os/memory.h"
#include "os/shared_memory.h"
#include "sched/poller.h"
#include "sched/pool.h"

namespace tulle::offload {

namespace {

constexpr int kHost = 0;

void* pointer(uint64_t address) { return reinterpret_cast<void*>(address); }

TULLE_MAY_SUSPEND void run_urgent(Device& device);

// All else a rank is told by its host.
constexpr DeviceOperations kOperationsOfRank = {nullptr, nullptr, nullptr, nullptr, nullptr,
                                                nullptr, nullptr, nullptr, nullptr, run_urgent};

struct Server : Peer {
  explicit Server(Line& way) : Peer{take, lose}, line(way) {}

  Line& line;
  Device* device = nullptr;
  Stream in, out;
  // Touched by the line's holder.
  sched::Event ordered;  // there is a greeting, a region, or the end; made anew before the initial thread waits
  bool is_awaited = false;
  bool is_ending = false;
  bool is_greeted = false;
  Packet greeting{};
  struct Lane {
    Packet orders[Packet::kMostAhead];
    uint32_t posted = 0, answered = 0;
    bool more = false;  // wait at the host
  };
  Lane lanes[kPriorities];
  int running = -1;  // lane of the region that runs; -1: none

  void answer(Packet::Kind kind, uint64_t address = 0, uint64_t bytes = 0, const void* rest = nullptr,
              size_t rest_bytes = 0) {
    line.post(kHost, {kind, 0, address, bytes, 0}, rest, rest_bytes);
  }

  // There is something for the initial thread to do.
  void tell() {
    if (!is_awaited) return;
    is_awaited = false;
    ordered.signal();
  }

  void greet(const Packet& packet) {
    greeting = packet;
    is_greeted = true;
    tell();
  }

  void queue(const Packet& packet, const void* rest) {
    const int number = static_cast<int>(packet.priority % kPriorities);
    Lane& lane = lanes[number];
    if (packet.bytes != 0) memcpy(pointer(packet.address), rest, packet.bytes);
    lane.orders[lane.posted++ % Packet::kMostAhead] = packet;
    lane.more = packet.more != 0;
    if (running >= 0 && number > running) omp::attention.wanted.store(1, std::memory_order_relaxed);
    tell();
  }

  // The lane of the first region above `lane`; -1: there is none, or it is on its way.
  int lane_above(int lane) const {
    for (int i = kPriorities - 1; i > lane; --i) {
      if (lanes[i].posted != lanes[i].answered) return i;
      if (lanes[i].more) return -1;
    }
    return -1;
  }

  void put(const Packet& packet, const void* rest) {
    if (packet.bytes <= Packet::kMostRest) {
      memcpy(pointer(packet.address), rest, packet.bytes);
      return;
    }
    auto taken = [](void* server) { static_cast<Server*>(server)->answer(Packet::taken); };
    in.begin(line, kHost, kToDevice, Stream::Way::receive, pointer(packet.address), packet.bytes, taken, this);
  }

  void get(const Packet& packet) {
    if (packet.bytes <= Packet::kMostRest)
      return answer(Packet::given, 0, packet.bytes, pointer(packet.address), packet.bytes);
    out.begin(line, kHost, kFromDevice, Stream::Way::send, pointer(packet.address), packet.bytes, [](void*) {}, this);
  }

  // By name: what the device's copy of the program's device code has.
  void find(const Packet& packet) {
    void* here = address_of({packet.code, packet.address});
    if (here != nullptr && packet.number != 0) {
      const Mapping* variable = device->table.find(here, 1);
      here = variable != nullptr ? variable->at(here) : device->code.function(here);
    }
    answer(Packet::found, reinterpret_cast<uintptr_t>(here));
  }

  // The host ends, however long a region may still take.
  void end() {
    is_ending = true;
    if (running < 0) return tell();
    leave();
  }

  [[noreturn]] void leave() {
    os::flush_output();
    line.hear(kHost, nullptr);
    line.close(Line::Close::process_ends);
    if (running >= 0) os::leave_child();
    exit(EXIT_SUCCESS);  // some MPIs leave their launcher there; open_line() sees to it that nothing else happens
  }

  static void take(Peer* peer, const Packet& packet, const void* rest) {
    auto* self = static_cast<Server*>(peer);
    switch (packet.kind) {
      case Packet::run: return self->queue(packet, rest);
      case Packet::more_wait: self->lanes[packet.priority % kPriorities].more = true; return;
      case Packet::hello: return self->greet(packet);
      case Packet::put: return self->put(packet, rest);
      case Packet::get: return self->get(packet);
      case Packet::find: return self->find(packet);
      case Packet::empty: return os::empty_memory(pointer(packet.address), packet.bytes);
      case Packet::end: return self->end();
      default: return;
    }
  }

  // mpirun tells of it.
  static void lose(Peer*) {
    _Exit(EXIT_FAILURE);
  }

  // Its memory, at the first one that both sides can have.
  TULLE_MAY_SUSPEND void welcome(const Packet& hello, Become become) {
    void* memory = hello.bytes <= os::machine_memory() || hello.bytes <= kLeast
                       ? os::map_memory_at(pointer(hello.address), hello.bytes)
                       : nullptr;
    if (memory != nullptr && device == nullptr) {
      device = become(static_cast<int>(hello.number), static_cast<int>(hello.code));
      if (device != nullptr) device->operations = &kOperationsOfRank;
    }
    uint64_t address = device != nullptr ? reinterpret_cast<uintptr_t>(memory) : 0;
    if (device != nullptr) device->own = this;
    Line::Hold hold(line);
    answer(Packet::welcome, address, device != nullptr ? device->icv.nthreads : 0);
  }

  // The first region above the lane, to its end. False: there is none.
  TULLE_MAY_SUSPEND bool run_above(int outer) {
    Packet order;
    int lane = -1;
    {
      Line::Hold hold(line);
      if (is_ending) leave();
      omp::attention.wanted.store(0, std::memory_order_relaxed);
      lane = lane_above(outer);
      if (lane < 0) return false;
      order = lanes[lane].orders[lanes[lane].answered % Packet::kMostAhead];
      running = lane;
    }
    auto function = reinterpret_cast<omp::RegionFunction>(order.code);
    omp::run_target(omp::self(), function, pointer(order.address), order.number, device->icv);
    os::flush_output();
    Line::Hold hold(line);
    running = outer;
    ++lanes[lane].answered;
    Packet ran{Packet::ran, 0, 0, 0, 0};
    ran.priority = static_cast<uint32_t>(lane);
    line.post(kHost, ran);
    return true;
  }

  // Whatever comes next; does not come back from the end.
  TULLE_MAY_SUSPEND void await_order() {
    {
      Line::Hold hold(line);
      if (is_ending) leave();
      if (is_greeted || lane_above(-1) >= 0) return;
      new (&ordered) sched::Event;
      is_awaited = true;
    }
    line.wait_for(ordered);
  }

  TULLE_MAY_SUSPEND void serve(Become become) {
    for (;;) {
      await_order();
      Packet hello;
      bool is_new = false;
      {
        Line::Hold hold(line);
        is_new = is_greeted;
        hello = greeting;
        is_greeted = false;
      }
      if (is_new) welcome(hello, become);
      while (run_above(-1)) continue;
    }
  }

  static constexpr size_t kLeast = size_t{1} << 24;
};

void run_urgent(Device& device) {
  auto* server = static_cast<Server*>(device.own);
  while (server->run_above(server->running)) continue;
}

}  // namespace

void serve_host(Line& line, Become become) {
  omp::self_or_attach();
  auto* server = new (malloc(sizeof(Server))) Server(line);
  {
    Line::Hold hold(line);
    line.hear(kHost, server);
  }
  // From now on any worker may take the host's first word.
  sched::start_pool();
  sched::await_begin();  // the host's next word, for good: while a region runs too
  begin_to_attend();
  server->serve(become);
  __builtin_unreachable();
}

}  // namespace tulle::offload
