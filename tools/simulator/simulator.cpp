// SPDX-License-Identifier: Apache-2.0
#include "simulator/simulator.h"

#include <algorithm>
#include <string>

#include "base/contract.h"
#include "sched/policy_choice.h"

namespace tulle::simulator {
namespace {

using State = tulle_entity::State;

// A policy that moves other bubbles than the one that is met would keep a search from ending.
constexpr int kMostMeetings = 100000;

template <class T>
T& slot(std::vector<T>& by_id, std::uint32_t id) {
  if (by_id.size() <= id) by_id.resize(id + 1);
  return by_id[id];
}

bool waits(const tulle_entity* entity) {
  return entity->threads > 0 &&
         (entity->state == State::in_bubble || entity->state == State::in_runqueue);
}

bool spans_something(const tulle_runqueue* leaf) {
  while (leaf != nullptr && leaf->first == nullptr) leaf = leaf->parent;
  return leaf != nullptr;
}

bool is_nearer(const tulle_runqueue* queue, const tulle_runqueue* than, const tulle_runqueue* leaf) {
  while (leaf != nullptr && leaf != than && leaf != queue) leaf = leaf->parent;
  return leaf == queue && queue != than;
}

bool part_waits(const tulle_entity* bubble) {
  return std::any_of(bubble->parts.begin(), bubble->parts.end(), waits);
}

}  // namespace

Simulator::Simulator(const topology::Tree& tree, const Options& options)
    : tree_(tree), options_(options), machine_(tree, options.parameter, options.seed) {
  TULLE_REQUIRE(options.policy != nullptr && sched::has_known_version(options.policy));
  workers_.resize(machine_.leaves().size());
  for (std::uint32_t i = 0; i < workers_.size(); ++i) idle_.insert(i);
  if (options.tick > 0) schedule(options.tick, nullptr);
}

void Simulator::set_script(tulle_entity* thread, const Script& script) {
  own_scripts_.push_back(script);
  slot(scripts_, thread->id) = &own_scripts_.back();
}

void Simulator::start(const Script& program, std::uint32_t worker) {
  tulle_entity* thread = machine_.make_thread(nullptr, program.load);
  slot(scripts_, thread->id) = &program;
  idle_.erase(worker);
  begin(thread, worker);
}

void Simulator::distribute(tulle_entity* bubble, std::uint32_t worker) {
  machine_.put(bubble, leaf(worker));
  bubbles_.push_back(bubble);
  if (options_.policy->distribute != nullptr)
    options_.policy->distribute(&machine_, bubble, leaf(worker));
}

const Result& Simulator::run() {
  feed_all(0);
  while (!events_.empty()) {
    Event event = events_.top();
    events_.pop();
    now_ = event.time;
    if (event.thread == nullptr) {
      tick();
      if (!events_.empty()) schedule(options_.tick, nullptr);
      feed_all(0);
    } else {
      std::uint32_t worker = event.thread->worker;
      advance(event.thread);
      feed_all(worker);
    }
  }
  TULLE_REQUIRE(machine_.root_queue()->running == 0);
  return result_;
}

void Simulator::schedule(double delay, Thread* thread) {
  events_.push({now_ + delay, sequence_++, thread});
}

double Simulator::slowdown(int home, std::uint32_t worker) const {
  int here = machine_.leaves()[worker]->numa;
  if (home < 0 || here == home) return 1;
  bool nodes = tree_.all(topology::Kind::numa).size() > 1;
  int distance = nodes ? tree_.numa_distance(here, home) : 20;
  return 1 + (options_.remote - 1) * (distance - 10) / 10;
}

void Simulator::begin(tulle_entity* entity, std::uint32_t worker) {
  machine_.begin(entity, leaf(worker));
  int here = leaf(worker)->numa;
  int home = here;
  if (entity->bubble != nullptr) {
    if (entity->bubble->home < 0) entity->bubble->home = here;
    home = entity->bubble->home;
  }
  std::unique_ptr<Thread>& thread = slot(threads_, entity->id);
  TULLE_REQUIRE(thread == nullptr);
  thread = std::make_unique<Thread>();
  const Script* script = slot(scripts_, entity->id);
  TULLE_REQUIRE(script != nullptr);
  *thread = {entity, {{script, 0, false, nullptr, home}}, worker, result_.runs.size(), false};
  result_.runs.push_back({entity, worker, now_, now_, home != here});
  result_.remote += home != here ? 1 : 0;
  advance(thread.get());
}

void Simulator::advance(Thread* thread) {
  while (!thread->frames.empty())
    if (!step(thread)) return;
  finish(thread);
}

// False: the thread goes on at a later time.
bool Simulator::step(Thread* thread) {
  Frame& frame = thread->frames.back();
  if (frame.bubble != nullptr && !joined(thread)) return false;
  if (frame.step == frame.script->steps.size()) {
    thread->frames.pop_back();
    return true;
  }
  const Step& step = frame.script->steps[frame.step];
  if (!frame.ran) {
    frame.ran = true;
    if (step.run <= 0) return true;
    double time = step.run * slowdown(frame.home, thread->worker);
    result_.busy += time;
    schedule(time, thread);
    return false;
  }
  frame.ran = false;
  ++frame.step;
  if (!step.team.empty()) encounter(thread, step);
  return true;
}

void Simulator::encounter(Thread* thread, const Step& step) {
  tulle_entity* outer = thread->entity->bubble;
  for (const Frame& frame : thread->frames)
    if (frame.bubble != nullptr) outer = frame.bubble;
  int here = leaf(thread->worker)->numa;
  if (step.team.size() > 1) {
    tulle_entity* bubble = machine_.make_bubble(outer);
    bubble->home = here;
    for (std::size_t i = 1; i < step.team.size(); ++i) {
      tulle_entity* member = machine_.make_thread(bubble, step.team[i].load);
      slot(scripts_, member->id) = &step.team[i];
    }
    slot(waiter_, bubble->id) = thread;
    thread->frames.back().bubble = bubble;
    distribute(bubble, thread->worker);
  }
  thread->frames.push_back({&step.team[0], 0, false, nullptr, here});
}

// False: the thread waits for its team, and its worker does something else.
bool Simulator::joined(Thread* thread) {
  tulle_entity* bubble = thread->frames.back().bubble;
  if (bubble->unended == 0) {
    if (bubble->state != State::ended) end_bubble(bubble);
    thread->frames.back().bubble = nullptr;
    return true;
  }
  machine_.block(thread->entity);
  thread->blocked = true;
  workers_[thread->worker].waiting.push_back(thread);
  idle_.insert(thread->worker);
  return false;
}

void Simulator::finish(Thread* thread) {
  machine_.end(thread->entity);
  ThreadRun& run = result_.runs[thread->run];
  run.end = now_;
  result_.makespan = std::max(result_.makespan, now_);
  if (options_.policy->ended != nullptr) options_.policy->ended(&machine_, thread->entity);
  idle_.insert(thread->worker);
  if (thread->entity->bubble != nullptr) part_ended(thread->entity->bubble);
}

// A region's bubble ends when its encountering thread has come to the join.
void Simulator::part_ended(tulle_entity* bubble) {
  if (bubble->unended > 0) return;
  Thread* waiter = slot(waiter_, bubble->id);
  if (waiter == nullptr) {
    end_bubble(bubble);
  } else if (waiter->blocked && waiter->frames.back().bubble == bubble) {
    end_bubble(bubble);
    std::erase(workers_[waiter->worker].waiting, waiter);
    workers_[waiter->worker].resumable.push_back(waiter);
    waiter->blocked = false;
    ready_.insert(waiter->worker);
  }
}

void Simulator::end_bubble(tulle_entity* bubble) {
  machine_.end(bubble);
  std::erase(bubbles_, bubble);
  if (options_.policy->ended != nullptr) options_.policy->ended(&machine_, bubble);
  if (bubble->bubble != nullptr) part_ended(bubble->bubble);
}

// Workers without work look for some, beginning with the one where something happened. Nobody steals
// what another worker without work finds by itself.
void Simulator::feed_all(std::uint32_t first) {
  bool found = true;
  while (found) {
    found = false;
    for (std::uint32_t worker : std::vector(ready_.begin(), ready_.end()))
      if (idle_.contains(worker)) found |= feed(worker);
    for (bool steal : {false, true}) {
      if (machine_.root_queue()->waiting == 0) break;
      std::vector<std::uint32_t> order(idle_.lower_bound(first), idle_.end());
      order.insert(order.end(), idle_.begin(), idle_.lower_bound(first));
      for (std::uint32_t worker : order)
        if (idle_.contains(worker)) found |= feed(worker, steal);
    }
  }
  if (machine_.root_queue()->waiting > 0 && !idle_.empty()) ++result_.starved;
}

bool Simulator::feed(std::uint32_t worker, bool steal) {
  if (!workers_[worker].resumable.empty()) {
    Thread* thread = workers_[worker].resumable.back();
    workers_[worker].resumable.pop_back();
    if (workers_[worker].resumable.empty()) ready_.erase(worker);
    machine_.resume(thread->entity);
    idle_.erase(worker);
    advance(thread);
    return true;
  }
  if (machine_.root_queue()->waiting == 0) return false;
  tulle_entity* thread = find(worker, steal);
  if (thread == nullptr) return false;
  idle_.erase(worker);
  begin(thread, worker);
  return true;
}

tulle_entity* Simulator::own_part(const Worker& worker) const {
  for (auto thread = worker.waiting.rbegin(); thread != worker.waiting.rend(); ++thread)
    for (tulle_entity* part : (*thread)->frames.back().bubble->parts)
      if (!part->is_bubble && waits(part)) return part;
  return nullptr;
}

tulle_entity* Simulator::find(std::uint32_t worker, bool steal) {
  if (tulle_entity* part = own_part(workers_[worker])) return part;
  int meetings = 0;
  for (;;) {
    tulle_runqueue* queue = leaf(worker);
    while (queue != nullptr && queue->first == nullptr) queue = queue->parent;
    if (queue == nullptr) {
      if (!steal || options_.policy->idle == nullptr ||
          !options_.policy->idle(&machine_, leaf(worker)))
        return nullptr;
      if (!spans_something(leaf(worker)))
        throw BadPolicy("idle() moved nothing to where worker " + std::to_string(worker) +
                        " finds it, and said that it had");
      continue;
    }
    if (!queue->first->is_bubble) return queue->first;
    if (++meetings == kMostMeetings)
      throw BadPolicy("worker " + std::to_string(worker) + " met " + std::to_string(meetings) +
                      " bubbles and no thread: met() moves others in their place");
    meet(queue->first, leaf(worker));
  }
}

// As in the runtime, a bubble that was moved elsewhere than nearer opens there.
void Simulator::meet(tulle_entity* bubble, tulle_runqueue* leaf) {
  tulle_runqueue* before = bubble->where;
  if (options_.policy->met != nullptr) options_.policy->met(&machine_, bubble, leaf);
  if (bubble->state == State::in_runqueue && !is_nearer(bubble->where, before, leaf))
    machine_.explode(bubble);
}

void Simulator::tick() {
  if (options_.policy->tick == nullptr) return;
  std::vector<tulle_entity*> bubbles = bubbles_;
  for (tulle_entity* bubble : bubbles)
    if (part_waits(bubble)) options_.policy->tick(&machine_, bubble);
}

}  // namespace tulle::simulator
