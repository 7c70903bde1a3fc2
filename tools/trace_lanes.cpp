// SPDX-License-Identifier: Apache-2.0
// The events of a process, played again in their order. What is missing of a trace that begins in the middle, or has
// lost its oldest events, is left out: an end without its begin changes nothing.
#include "trace_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "stats/mpi_names.h"
#include "trace_dependences.h"
#include "trace_ready.h"

namespace tulle::tools {
namespace {

using trace::Kind;

// What words stand for a construct: barriers and waits, then locks, then work-sharing, each by its number in OMPT.
constexpr std::uint32_t kSync = 1, kMutex = 16, kWork = 24, kDevice = 38, kMpi = 64;  // the calls of MPI have a list of their own
constexpr const char* kWords[] = {
    "", "", "barrier", "end of construct", "barrier", "barrier", "taskwait", "end of taskgroup", "reduction",
    "end of construct", "end of region", "end of teams", "", "", "", "",
    "", "lock", "lock", "lock", "lock", "critical section", "atomic", "ordered",
    "", "loop", "sections", "single", "single", "workshare", "distribute", "taskloop", "scope", "workdistribute", "loop",
    "loop", "loop", "loop", "device"};
static_assert(std::size(kWords) <= kMpi);
const char* word_of(std::uint32_t word) {
  if (word < std::size(kWords)) return kWords[word];
  return word >= kMpi && word - kMpi < std::size(stats::kMpiNames) ? stats::kMpiNames[word - kMpi] : "";
}

constexpr std::uint8_t kTaskwait = 5, kTaskgroup = 6;  // of ompt_sync_region_t
constexpr std::uint8_t kBegin = 1;                      // of ompt_scope_endpoint_t
constexpr std::uint8_t kLeftForGood[] = {1, 3, 4};     // of ompt_task_status_t: complete, cancel, detach

class Labels {
 public:
  explicit Labels(Picture& picture) : labels_(picture.labels) {}
  std::uint32_t number(Doing doing, const std::string& text) {
    const auto [found, is_new] = numbers_.try_emplace({doing, text}, labels_.size());
    if (is_new) labels_.push_back({doing, text});
    return found->second;
  }

 private:
  std::vector<Label>& labels_;
  std::map<std::pair<Doing, std::string>, std::uint32_t> numbers_;
};

struct Activity {
  Doing doing = Doing::work;
  std::uint32_t label = 0;
};

// An implicit or explicit task: what it is in the middle of, the innermost last.
struct Body {
  std::uint32_t task = kNone;
  std::uint64_t maker = 0;  // what it is known by as a maker of tasks
  std::uint32_t around = 0;   // of an implicit one: the explicit task that met its region
  std::vector<Activity> activities;
  bool suspended = false;
};

struct Place {
  std::uint32_t lane = 0;
  std::vector<Body> members;  // implicit tasks, of nested regions last
  std::uint32_t task = 0;     // id of the explicit one that runs; 0: the innermost member does
  std::uint32_t last_made = kNone;
  bool initial = false, named = false, open = false;
  Span span;
};

class Player {
 public:
  Player(Picture& picture, Labels& labels, std::uint32_t number)
      : picture_(picture), labels_(labels), process_(picture.processes[number]), number_(number) {}

  void play() {
    for (const TraceEvent& event : process_.events) {
      Place& place = place_of(event.thread);
      change(place, event);
      show(place, event);
    }
    for (auto& [thread, place] : places_) close(place, process_.end);
  }

 private:
  Place& place_of(std::uint32_t thread);
  std::uint32_t label(Doing doing, std::uint32_t word, std::uint32_t site);
  std::uint32_t task_of(std::uint32_t id);
  Body& body_of(std::uint32_t id, std::uint32_t site);
  Body* current(Place& place);

  void change(Place& place, const TraceEvent& event);
  Body& begin_implicit(Place& place);
  void begin_member(Place& place, const TraceEvent& event);
  void end_member(Place& place);
  void begin_initial(Place& place);
  void make_task(Place& place, const TraceEvent& event);
  void switch_task(Place& place, const TraceEvent& event);
  void depend(Place& place, const TraceEvent& event);
  void resume(Place& place, const TraceEvent& event);
  std::uint32_t ready_label(std::uint32_t label);
  void push(Place& place, Doing doing, std::uint32_t word, std::uint32_t site);
  void pop(Place& place, std::initializer_list<Doing> doings);

  void show(Place& place, const TraceEvent& event);
  void close(Place& place, std::int64_t time);

  Picture& picture_;
  Labels& labels_;
  ProcessTrace& process_;
  std::uint32_t number_;
  std::map<std::uint32_t, Place> places_;
  std::unordered_map<std::uint32_t, std::uint32_t> known_labels_, tasks_;
  std::unordered_map<std::uint32_t, std::int64_t> regions_;  // that go on: when they began
  std::unordered_map<std::uint32_t, Body> bodies_;  // of explicit tasks that have begun and not ended
  Dependences dependences_;
  std::uint64_t implicit_ = std::uint64_t{1} << 32;  // implicit tasks have numbers above those of explicit ones
};

Place& Player::place_of(std::uint32_t thread) {
  const auto [found, is_new] = places_.try_emplace(thread);
  if (is_new) {
    found->second.lane = static_cast<std::uint32_t>(picture_.lanes.size());
    picture_.lanes.push_back({number_, fmt::format("thread {}", thread), {}});
  }
  return found->second;
}

std::uint32_t Player::label(Doing doing, std::uint32_t word, std::uint32_t site) {
  const auto [found, is_new] = known_labels_.try_emplace(site | word << 16 | static_cast<std::uint32_t>(doing) << 24, 0);
  if (!is_new) return found->second;
  std::string text = site < process_.sites.size() ? process_.sites[site] : "";
  const std::string what = word_of(word);
  if (!what.empty()) text = text.empty() ? what : fmt::format("{} at {}", what, text);
  return found->second = labels_.number(doing, text);
}

// Told apart by name too from the wait before it, or from what begins: some forms show names alone.
std::uint32_t Player::ready_label(std::uint32_t label) {
  const Label& beside = picture_.labels[label];
  if (beside.text.empty()) return labels_.number(Doing::ready, "");
  return labels_.number(Doing::ready, (is_waiting(beside.doing) ? "ready after " : "ready to begin ") + beside.text);
}

std::uint32_t Player::task_of(std::uint32_t id) {
  const auto [found, is_new] = tasks_.try_emplace(id, static_cast<std::uint32_t>(picture_.tasks.size()));
  if (is_new) picture_.tasks.emplace_back();
  return found->second;
}

Body& Player::body_of(std::uint32_t id, std::uint32_t site) {
  const auto [found, is_new] = bodies_.try_emplace(id);
  Body& body = found->second;
  if (!is_new) return body;
  body.task = task_of(id);
  body.maker = id;
  picture_.tasks[body.task].label = label(Doing::task, 0, site);
  body.activities.push_back({Doing::task, picture_.tasks[body.task].label});
  return body;
}

Body* Player::current(Place& place) {
  if (place.task != 0)
    if (const auto found = bodies_.find(place.task); found != bodies_.end()) return &found->second;
  return place.members.empty() ? nullptr : &place.members.back();
}

void Player::push(Place& place, Doing doing, std::uint32_t word, std::uint32_t site) {
  if (Body* body = current(place); body != nullptr) body->activities.push_back({doing, label(doing, word, site)});
}

void Player::pop(Place& place, std::initializer_list<Doing> doings) {
  Body* body = current(place);
  if (body == nullptr || body->activities.size() < 2) return;
  if (std::ranges::count(doings, body->activities.back().doing) != 0) body->activities.pop_back();
}

Body& Player::begin_implicit(Place& place) {
  Body& body = place.members.emplace_back();
  body.maker = ++implicit_;
  return body;
}

void Player::begin_member(Place& place, const TraceEvent& event) {
  Body& body = begin_implicit(place);
  body.activities.push_back({Doing::work, event.detail != 0 ? labels_.number(Doing::work, "target region")
                                                            : label(Doing::work, 0, event.site())});
  body.around = std::exchange(place.task, 0);
  if (const auto region = regions_.find(event.id()); event.extra() != 0 && region != regions_.end() && !place.open)
    note_late_begin(picture_.lanes[place.lane], region->second, event.time, ready_label(body.activities[0].label));
  if (place.named || event.extra() == 0) return;
  place.named = true;
  picture_.lanes[place.lane].name +=
      fmt::format(": {} of {}", event.extra(), picture_.labels[body.activities[0].label].text);
}

void Player::end_member(Place& place) {
  place.task = 0;
  if (place.members.size() <= (place.initial ? 1 : 0)) return;
  place.task = place.members.back().around;
  place.members.pop_back();
}

void Player::begin_initial(Place& place) {
  place.members.clear();
  begin_implicit(place).activities.push_back({Doing::serial, labels_.number(Doing::serial, "")});
  if (!place.named) picture_.lanes[place.lane].name += ": initial";
  place.named = place.initial = true;
}

void Player::make_task(Place& place, const TraceEvent& event) {
  place.last_made = task_of(event.id());
  TaskLine& task = picture_.tasks[place.last_made];
  task.made = event.time;
  task.maker = place.lane;
  if ((event.extra() & trace::kDepends) == 0) task.ready = event.time;
  task.label = label(Doing::task, 0, event.site());
}

void Player::switch_task(Place& place, const TraceEvent& event) {
  if (place.task != 0 && std::ranges::count(kLeftForGood, event.detail) != 0) {
    TaskLine& before = picture_.tasks[task_of(place.task)];
    before.ended = event.time;
    before.finisher = place.lane;
    bodies_.erase(place.task);
  }
  place.task = event.id();
  if (place.task == 0) return;
  TaskLine& task = picture_.tasks[body_of(place.task, event.site()).task];
  if (task.begun >= 0) return;
  task.begun = event.time;
  task.runner = place.lane;
}

// It waited until the moment that the event tells, and was ready from then on.
void Player::resume(Place& place, const TraceEvent& event) {
  Body* body = current(place);
  if (body == nullptr) return;
  body->suspended = false;
  close(place, event.time);
  const auto ready_for = static_cast<std::int64_t>(static_cast<double>(event.address()) * process_.tick);
  mark_ready(picture_, picture_.lanes[place.lane], body->task, event.time - ready_for,
             [this](std::uint32_t label) { return ready_label(label); });
}

void Player::depend(Place& place, const TraceEvent& event) {
  const Body* maker = current(place);
  if (maker == nullptr || place.last_made == kNone) return;
  dependences_.add(maker->maker, place.last_made, event.detail, event.address(), picture_.edges);
}

void Player::change(Place& place, const TraceEvent& event) {
  switch (event.kind) {
    case Kind::thread_begin:
      if (event.detail != 0) begin_initial(place);
      break;
    case Kind::thread_end: place.members.clear(), place.initial = false, place.task = 0; break;
    case Kind::member_begin: begin_member(place, event); break;
    case Kind::member_end: end_member(place); break;
    case Kind::wait_begin: {
      const bool for_tasks = event.detail == kTaskwait || event.detail == kTaskgroup;
      push(place, for_tasks ? Doing::tasks : Doing::barrier, kSync + event.detail, event.site());
      break;
    }
    case Kind::wait_end: pop(place, {Doing::barrier, Doing::tasks}); break;
    case Kind::lock_wait: push(place, Doing::lock, kMutex + event.detail, event.site()); break;
    case Kind::lock_got: pop(place, {Doing::lock}); break;
    case Kind::task_create: make_task(place, event); break;
    case Kind::task_switch: switch_task(place, event); break;
    case Kind::depend: depend(place, event); break;
    case Kind::work_begin: push(place, Doing::work, kWork + event.detail, event.site()); break;
    case Kind::work_end: pop(place, {Doing::work}); break;
    case Kind::mpi_begin: push(place, Doing::mpi, kMpi + event.id(), event.site()); break;
    case Kind::mpi_end: pop(place, {Doing::mpi}); break;
    case Kind::region_begin: regions_[event.id()] = event.time; break;
    case Kind::region_end: regions_.erase(event.id()); break;
    case Kind::device_wait:
      if (event.detail == kBegin)
        push(place, Doing::other, kDevice, 0);
      else
        pop(place, {Doing::other});
      break;
    case Kind::suspended:
      if (Body* body = current(place); body != nullptr) body->suspended = true;
      break;
    case Kind::resumed: resume(place, event); break;
    case Kind::task_ready: picture_.tasks[task_of(event.id())].ready = event.time; break;
    default: break;
  }
}

// A span goes on until the thread does something else, or goes on at another worker.
void Player::show(Place& place, const TraceEvent& event) {
  const Body* body = current(place);
  if (body == nullptr) return close(place, event.time);
  Span next;
  next.begin = event.time;
  next.worker = event.worker;
  next.label = body->activities.back().label;
  if (body->suspended && !is_waiting(picture_.labels[next.label].doing))
    next.label = labels_.number(Doing::other, picture_.labels[next.label].text);
  next.task = body->task;
  const bool same_worker = next.worker == place.span.worker || next.worker == trace::kNoWorker;
  if (place.open && same_worker && next.label == place.span.label && next.task == place.span.task) return;
  close(place, event.time);
  place.span = next;
  place.open = true;
}

void Player::close(Place& place, std::int64_t time) {
  if (place.open && time > place.span.begin) {
    place.span.end = time;
    picture_.lanes[place.lane].spans.push_back(place.span);
  }
  place.open = false;
}

}  // namespace

Picture picture_of(std::vector<ProcessTrace> processes) {
  Picture picture;
  picture.processes = std::move(processes);
  Labels labels(picture);
  for (std::uint32_t i = 0; i < picture.processes.size(); ++i) {
    ProcessTrace& process = picture.processes[i];
    Player(picture, labels, i).play();
    picture.events += process.events.size();
    picture.end = std::max(picture.end, process.end);
    process.events = {};
  }
  find_ready_tasks(picture);
  return picture;
}

}  // namespace tulle::tools
