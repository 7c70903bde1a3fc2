// SPDX-License-Identifier: Apache-2.0
// The transport (tulle/remote.h) as all threads of the process use it: one at a time, as holder of the line. Whoever
// waits for what comes over it asks the transport in place for a moment and then suspends; from then on the runtime's
// pollers ask (sched/poller.h).
//
// Ordering: the lock orders all that is said of packets, transfers and peers; an event that a peer signals publishes
// what came to who waits for it.
#pragma once

#include "offload/remote/packet.h"
#include "sched/event.h"
#include "sync/spinlock.h"
#include "tulle/remote.h"

namespace tulle::offload {

// Who hears of another process. Called by the line's holder, whoever that is: neither suspends nor blocks.
struct Peer {
  void (*packet)(Peer* peer, const Packet& packet, const void* rest);
  void (*lost)(Peer* peer);
};

// What hears that a transfer is done.
struct Transfer {
  void (*done)(Transfer* transfer);
};

class Line {
 public:
  explicit Line(tulle_remote* way) : way_(way) {}
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  int rank() const { return way_->rank; }
  int ranks() const { return way_->ranks; }

  // From now on the runtime's pollers ask. False: there are too many of them.
  bool open();

  // Returns once the event has happened.
  TULLE_MAY_SUSPEND void wait_for(sched::Event& event);
  // The same without leaving the core to others.
  void poll_for(const sched::Event& event);

  // --- the holder

  class Hold;
  void hear(int number, Peer* peer) { peers_[number] = peer; }
  // `rest`: bytes behind the packet's head, Packet::kMostRest at most.
  void post(int number, const Packet& packet, const void* rest = nullptr, size_t bytes = 0);
  void send(int number, int lane, const void* from, size_t bytes, Transfer* transfer);
  void receive(int number, int lane, void* to, size_t bytes, Transfer* transfer);
  int ask();
  // Nothing is asked or posted any more, and peers are lost: `line_ends` means that the program goes on.
  enum class Close : uint8_t { process_ends, line_ends };
  void close(Close how);
  bool ends_with_process() const { return !is_open() && how_ == Close::process_ends; }

  bool is_open() const { return is_open_.load(std::memory_order_relaxed); }

  // In the child of a fork: the transport is the parent's.
  void leave() { is_open_.store(false, std::memory_order_relaxed); }

  static constexpr int kMostPeers = 1024;

 private:
  bool try_ask();
  uint64_t patience(uint64_t since_last) const;
  void add_moving(int difference) {
    moving_.store(moving_.load(std::memory_order_relaxed) + difference, std::memory_order_relaxed);
  }

  tulle_remote* way_;
  sync::Spinlock lock_;
  Peer* peers_[kMostPeers] = {};
  bool has_lost_ = false;
  std::atomic<int> moving_{0};  // transfers under way: a hint; W: the holder
  std::atomic<bool> is_open_{true};  // W: the holder
  Close how_ = Close::process_ends;
};

// Holds the line. What the transport calls acts in nobody's name, as a poller does: a yield in there is the operating
// system's.
class Line::Hold {
 public:
  explicit Hold(Line& line);
  ~Hold();
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Line& line_;
  void* current_;
};

}  // namespace tulle::offload
