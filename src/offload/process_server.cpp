// SPDX-License-Identifier: Apache-2.0
#include "arch/cpu.h"
#include "offload/process_state.h"
#include "offload/request_queue.h"
#include "os/clock.h"

namespace tulle::offload {

namespace {

constexpr uint64_t kWorthPolling = 50000;  // ns

// The host's OS thread for the device: posts what waits as soon as there is room, and sees to what is answered while the
// device goes on.
class Server {
 public:
  explicit Server(Device& device) : device_(device), process_(process_of(device)) {}

  TULLE_MAY_SUSPEND void serve() {
    for (;;) {
      if (posted_.empty() && waiting_.empty()) await_requests(device_);
      sort_requests();
      post_waiting();
      if (Request* request = take_ended())
        request->ended(request);
      else
        await_end();
    }
  }

 private:
  void sort_requests() {
    for (Request* request = take_requests(device_); request != nullptr;) {
      Request* next = request->next;
      if (request->started)
        posted_.push_back(request);
      else
        waiting_.push(request);
      request = next;
    }
  }

  // As many as there is room for, of which the device is told once.
  void post_waiting() {
    if (waiting_.empty() || has_lost_process(device_)) return;
    bool some = false;
    {
      sync::Guard guard(process_.posting);
      for (Request* first = waiting_.first(); first != nullptr && process_.channel->has_room(first->priority);
           first = waiting_.first(), some = true) {
        process_.post_locked(first);
        process_.channel->add_waiting(first->priority, -1);
        posted_.push_back(waiting_.pop());
      }
    }
    if (some) process_.channel->announce();
  }

  bool some_answered() const {
    for (const Request* each = posted_.front(); each != nullptr; each = each->next)
      if (process_.is_answered(each)) return true;
    return false;
  }

  // One that is answered, or will never be. Null: all others are under way.
  Request* take_ended() {
    Fifo<Request, &Request::next> others;
    Request* ended = nullptr;
    const bool lost = has_lost_process(device_);
    while (Request* each = posted_.pop_front()) {
      const bool is_this = ended == nullptr && (lost || process_.is_answered(each));
      if (is_this)
        ended = each;
      else
        others.push_back(each);
    }
    posted_ = others;
    if (ended != nullptr) {
      ended->failed = !process_.is_answered(ended);
    } else if (lost && !waiting_.empty()) {
      ended = waiting_.pop();
      ended->failed = true;
    }
    return ended;
  }

  // Requests that come meanwhile are posted by who makes them, unless an answer is needed for there to be room. A poll
  // may keep the device from its CPU: there is none after a region that outlasted one.
  void await_end() {
    if (posted_.empty()) return;
    auto some = [this] { return some_answered(); };
    for (uint32_t i = os::pauses_in(kPollBeforeSleep); polls_ && i != 0; --i) {
      if (some()) return;
      arch::pause();
    }
    uint64_t begin = os::now();
    if (!process_.channel->sleep_for_answer(durations::kBetweenLooksAtProcess, some)) has_ended(device_);
    polls_ = os::now() - begin < kWorthPolling;
  }

  Device& device_;
  Process& process_;
  bool polls_ = true;
  RequestLists waiting_;
  Fifo<Request, &Request::next> posted_;
};

}  // namespace

void* serve_process(void* argument) {
  auto& device = *static_cast<Device*>(argument);
  become_server(device, nullptr);
  Server(device).serve();
  return nullptr;
}

}  // namespace tulle::offload
