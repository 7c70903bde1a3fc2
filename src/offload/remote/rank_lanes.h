// SPDX-License-Identifier: Apache-2.0
// The host's regions for one rank, in a lane for each priority: of each so many are at the rank ahead, which begins the next
// one without its host; the others wait here. A lane's regions end in the order in which they were posted.
// Touched by the line's holder.
#pragma once

#include "base/list.h"
#include "offload/arena.h"
#include "offload/device.h"
#include "offload/remote/conversation.h"

namespace tulle::offload {

class RankLanes {
 public:
  RankLanes(Conversation& talk, const Arena& arena) : talk_(talk), arena_(arena) {}
  RankLanes(const RankLanes&) = delete;
  RankLanes& operator=(const RankLanes&) = delete;

  // What it needs is there (Request::code, and arguments that no packet holds). Posted, or it waits.
  void add(Request* request);
  // The first of that priority has ended; one that waits follows.
  void take_ran(const Packet& packet);
  // None begins any more.
  void close() { is_closed_ = true; }
  // None of those that were added ends.
  void fail_all();

  // --- of the device's OS thread (Request::served)

  Request* take_ended();
  bool some_served() const { return served_ != 0; }
  // What happens when there is one to end, or the first to be waited for. Only while neither is so.
  sched::Event& expect();

 private:
  struct Lane {
    Fifo<Request, &Request::next> posted, waiting;
    uint32_t posted_count = 0;
  };

  void post(Lane& lane, Request* request);
  void finish(Request* request);
  void stir();

  Conversation& talk_;
  const Arena& arena_;
  Lane lanes_[kPriorities];
  Fifo<Request, &Request::next> ended_;
  uint32_t served_ = 0;  // added and not taken as ended
  bool is_closed_ = false;
  bool is_expected_ = false;
  sched::Event stirred_;
};

}  // namespace tulle::offload
