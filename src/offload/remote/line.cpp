// SPDX-License-Identifier: Apache-2.0
#include "offload/remote/line.h"

#include <string.h>

#include "arch/cpu.h"
#include "os/clock.h"
#include "sched/durations.h"
#include "sched/entity.h"
#include "sched/poller.h"
#include "sched/wait.h"

namespace tulle::offload {

namespace {

constexpr int kLooks = 16;

}  // namespace

Line::Hold::Hold(Line& line) TULLE_WITHOUT_LOCKS : line_(line) {
  line.lock_.lock();
  current_ = arch::current_pointer();
  sched::set_current(nullptr);
}

Line::Hold::~Hold() TULLE_WITHOUT_LOCKS {
  arch::set_current_pointer(current_);
  line_.lock_.unlock();
}

bool Line::open() {
  return sched::register_poller([](void* line) { return static_cast<Line*>(line)->try_ask() ? 1 : 0; }, this);
}

int Line::ask() {
  tulle_remote_events events{};
  events.packet = [](void* line, int number, const void* bytes, size_t count) {
    Packet packet;
    Peer* peer = static_cast<Line*>(line)->peers_[number];
    if (count < sizeof packet || peer == nullptr) return;
    memcpy(&packet, bytes, sizeof packet);
    peer->packet(peer, packet, static_cast<const char*>(bytes) + sizeof packet);
  };
  events.done = [](void* line, void* transfer) {
    static_cast<Line*>(line)->add_moving(-1);
    auto* done = static_cast<Transfer*>(transfer);
    done->done(done);
  };
  events.lost = [](void* line, int number) {
    Peer* peer = static_cast<Line*>(line)->peers_[number];
    static_cast<Line*>(line)->has_lost_ = true;
    if (peer != nullptr) peer->lost(peer);
  };
  return is_open() ? way_->poll(way_, &events, this) : 0;
}

// Who holds the line asks as well, or will.
bool Line::try_ask() {
  if (!is_open()) return false;
  if (!lock_.try_lock()) return false;
  void* current = arch::current_pointer();
  sched::set_current(nullptr);
  bool came = ask() != 0;
  arch::set_current_pointer(current);
  lock_.unlock();
  return came;
}

// Transfers move only while somebody asks: who has nothing else to do with its core does.
uint64_t Line::patience(uint64_t since_last) const {
  constexpr uint64_t kForTransfers = 2000000;  // ns: of a part over a slow link
  bool moves = moving_.load(std::memory_order_relaxed) != 0 && since_last < kForTransfers;
  return moves ? UINT64_MAX : sched::durations::kPoll;
}

void Line::wait_for(sched::Event& event) {
  sched::Worker* worker = sched::current()->worker;  // no switch happens in here
  uint64_t begin = os::now(), came = begin;
  for (uint64_t now = begin; now - begin < patience(now - came); now = os::now()) {
    for (int i = 0; i < kLooks; ++i) {
      if (event.happened()) return;
      if (try_ask()) came = now;
      arch::pause();
    }
    if (sched::something_waits(worker)) break;
  }
  sched::await_begin();
  sched::wait(event, [&event] { return event.happened(); });
  sched::await_end();
}

void Line::poll_for(const sched::Event& event) {
  for (int i = 1; !event.happened(); ++i) {
    try_ask();
    arch::pause();
    if (i % kLooks == 0) os::yield_core();
  }
}

void Line::post(int number, const Packet& packet, const void* rest, size_t bytes) {
  if (!is_open()) return;
  char whole[TULLE_REMOTE_PACKET];
  memcpy(whole, &packet, sizeof packet);
  if (bytes != 0) memcpy(whole + sizeof packet, rest, bytes);
  way_->post(way_, number, whole, sizeof packet + bytes);
}

void Line::send(int number, int lane, const void* from, size_t bytes, Transfer* transfer) {
  if (!is_open()) return;
  add_moving(1);
  way_->send(way_, number, lane, from, bytes, transfer);
}

void Line::receive(int number, int lane, void* to, size_t bytes, Transfer* transfer) {
  if (!is_open()) return;
  add_moving(1);
  way_->receive(way_, number, lane, to, bytes, transfer);
}

void Line::close(Close how) {
  if (!is_open()) return;
  how_ = how;
  is_open_.store(false, std::memory_order_relaxed);
  way_->end(way_, has_lost_ ? 0 : 1);
  for (Peer* peer : peers_)
    if (peer != nullptr) peer->lost(peer);
}

}  // namespace tulle::offload
