// SPDX-License-Identifier: Apache-2.0
#include "offload/remote/rank_lanes.h"

#include <new>

namespace tulle::offload {

namespace {

uint64_t number_of(const void* address) { return reinterpret_cast<uintptr_t>(address); }

}  // namespace

void RankLanes::post(Lane& lane, Request* request) {
  lane.posted.push_back(request);
  ++lane.posted_count;
  size_t bytes = arena_.bytes_of(request->arguments);
  if (bytes > Packet::kMostRest) bytes = 0;
  Packet order{Packet::run, request->thread_limit, number_of(request->arguments), bytes, number_of(request->code)};
  order.priority = request->priority;
  order.more = lane.waiting.empty() ? 0 : 1;
  talk_.post(order, request->arguments, bytes);
}

void RankLanes::add(Request* request) {
  if (request->served && served_++ == 0) stir();
  if (is_closed_) request->failed = true;
  if (request->failed) return finish(request);
  Lane& lane = lanes_[request->priority];
  if (lane.posted_count < Packet::kMostAhead) return post(lane, request);
  const bool is_first = lane.waiting.empty();
  lane.waiting.push_back(request);
  if (!is_first) return;
  Packet word{Packet::more_wait, 0, 0, 0, 0};
  word.priority = request->priority;
  talk_.post(word);
}

void RankLanes::take_ran(const Packet& packet) {
  Lane& lane = lanes_[packet.priority % kPriorities];
  Request* request = lane.posted.pop_front();
  if (request == nullptr) return;
  --lane.posted_count;
  if (Request* next = lane.waiting.pop_front()) post(lane, next);
  finish(request);
}

void RankLanes::fail_all() {
  for (Lane& lane : lanes_) {
    lane.posted.append(lane.waiting);
    lane.posted_count = 0;
    while (Request* request = lane.posted.pop_front()) {
      request->failed = true;
      finish(request);
    }
  }
}

void RankLanes::finish(Request* request) {
  if (!request->served) return request->ended(request);
  ended_.push_back(request);
  stir();
}

void RankLanes::stir() {
  if (!is_expected_) return;
  is_expected_ = false;
  stirred_.signal();
}

Request* RankLanes::take_ended() {
  Request* request = ended_.pop_front();
  if (request != nullptr) --served_;
  return request;
}

sched::Event& RankLanes::expect() {
  is_expected_ = true;
  return *new (&stirred_) sched::Event;
}

}  // namespace tulle::offload
