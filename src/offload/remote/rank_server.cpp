// SPDX-License-Identifier: Apache-2.0
#include "offload/remote/rank_server.h"

#include <stdlib.h>
#include <string.h>

#include <new>

#include "offload/remote/code_place.h"
#include "offload/remote/stream.h"
#include "omp/target/target_host.h"
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

struct Server : Peer {
  explicit Server(Line& way) : Peer{take, lose}, line(way) {}

  Line& line;
  Device* device = nullptr;
  Stream in, out;
  // W: the line's holder, before it signals; R: the initial thread, which makes a new event before it answers
  sched::Event ordered;
  Packet order{};
  bool is_ending = false;
  bool is_running = false;

  void answer(Packet::Kind kind, uint64_t address = 0, uint64_t bytes = 0, const void* rest = nullptr,
              size_t rest_bytes = 0) {
    line.post(kHost, {kind, 0, address, bytes, 0}, rest, rest_bytes);
  }

  // To be done by the initial thread.
  void hand_over(const Packet& packet) {
    order = packet;
    ordered.signal();
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
    if (!is_running) return ordered.signal();
    leave();
  }

  [[noreturn]] void leave() {
    os::flush_output();
    line.hear(kHost, nullptr);
    line.close(Line::Close::process_ends);
    if (is_running) os::leave_child();
    exit(EXIT_SUCCESS);  // some MPIs leave their launcher there; open_line() sees to it that nothing else happens
  }

  static void take(Peer* peer, const Packet& packet, const void* rest) {
    auto* self = static_cast<Server*>(peer);
    switch (packet.kind) {
      case Packet::run:
        if (packet.bytes != 0) memcpy(pointer(packet.address), rest, packet.bytes);
        self->is_running = true;
        return self->hand_over(packet);
      case Packet::hello: return self->hand_over(packet);
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
    if (memory != nullptr && device == nullptr) device = become(static_cast<int>(hello.number), static_cast<int>(hello.code));
    uint64_t address = device != nullptr ? reinterpret_cast<uintptr_t>(memory) : 0;
    Line::Hold hold(line);
    expect_next();
    answer(Packet::welcome, address, device != nullptr ? device->icv.nthreads : 0);
  }

  TULLE_MAY_SUSPEND void run(const Packet& packet) {
    auto function = reinterpret_cast<omp::RegionFunction>(packet.code);
    omp::run_target(omp::self(), function, pointer(packet.address), packet.number, device->icv);
    os::flush_output();
    Line::Hold hold(line);
    is_running = false;
    expect_next();
    answer(Packet::ran);
  }

  // The line's holder.
  void expect_next() {
    if (is_ending) leave();
    new (&ordered) sched::Event;
  }

  static constexpr size_t kLeast = size_t{1} << 24;
};

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
  for (;;) {
    line.wait_for(server->ordered);
    if (server->is_ending) {
      Line::Hold hold(line);
      server->leave();
    }
    Packet order = server->order;
    if (order.kind == Packet::hello)
      server->welcome(order, become);
    else
      server->run(order);
  }
}

}  // namespace tulle::offload
