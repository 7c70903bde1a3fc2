// SPDX-License-Identifier: Apache-2.0
// The host's end of what it says to one rank: an order, and the answer that somebody waits for. One of each kind is
// awaited at a time, but for regions: who keeps them (rank_lanes.h) hears of each that has run.
#pragma once

#include "offload/remote/stream.h"
#include "omp/sync/lock.h"

namespace tulle::offload {

// In the frame of who waits.
struct Answer {
  sched::Event event;
  Packet packet{};
  void* into = nullptr;  // where bytes behind the packet go
  int parts = 1;         // events that it consists of; W: the line's holder
  bool failed = false;   // there will be none
};

// Called by the line's holder.
struct Hearer {
  void (*ran)(void* context, const Packet& packet);
  void (*lost)(void* context, bool at_end);
  // It has been told of the loss, and all are to go on who wait for a region.
  void (*fail)(void* context);
  void* context;
};

class Conversation : Peer {
 public:
  Conversation(Line& line, int rank, const Hearer& hearer);
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  Line& line() { return line_; }

  // No answer. By the line's holder.
  void post(const Packet& packet, const void* rest = nullptr, size_t bytes = 0);
  // The same by others.
  void say(const Packet& packet, const void* rest = nullptr, size_t bytes = 0);
  // The answer is to be waited for. False: the rank is lost.
  bool ask(Answer& answer, const Packet& packet, const void* rest = nullptr, size_t bytes = 0);
  // The same, by a stream of packet.bytes.
  bool ask(Answer& answer, const Packet& packet, Stream& stream, Stream::Way way, void* memory);
  // Asks and waits. False: the rank is lost.
  TULLE_MAY_SUSPEND bool hear(Answer& answer, const Packet& packet);

 private:
  static void take(Peer* peer, const Packet& packet, const void* rest);
  static void lose(Peer* peer);
  static void part_came(void* slot);
  static Packet::Kind order_for(Packet::Kind answer);

  Line& line_;
  const int rank_;
  const Hearer hearer_;
  // W: the line's holder
  Answer* awaited_[Packet::find + 1] = {};
  bool is_lost_ = false;
};

}  // namespace tulle::offload
