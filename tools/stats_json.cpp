// SPDX-License-Identifier: Apache-2.0
#include "stats_json.h"

#include <nlohmann/json.hpp>

namespace tulle::tools {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const SpentTime& spent) {
  return {{"work", spent.work}, {"barrier", spent.barrier}, {"tasks", spent.taskwait},
          {"locks", spent.lock}, {"mpi", spent.mpi}, {"devices", spent.device},
          {"other", spent.other}, {"nested", spent.inner}, {"ready", spent.ready}};
}

Json place_of(const CodeRecord& code) {
  return {{"place", code.name}, {"file", code.module}, {"offset", code.offset}, {"number", code.number},
          {"region", code.region}};
}

Json json_of(const RegionRecord& one) {
  Json json = place_of(one);
  json.update({{"times", one.count}, {"time", one.time}, {"largest_team", one.largest}, {"members", one.members},
               {"teams_of_one", one.alone}, {"spinning", one.spinning}, {"late", one.late},
               {"thread_time", json_of(one.spent)},
               {"load_balance", one.slowest > 0 ? (one.spent.work + one.spent.inner) / one.slowest : 1}});
  return json;
}

Json json_of(const TaskRecord& one) {
  Json json = place_of(one), lengths = Json::array();
  for (const auto& [length, count] : one.lengths) lengths.push_back({{"below", length}, {"tasks", count}});
  json.update({{"tasks", one.made}, {"ended", one.ended}, {"median_below", one.median()},
               {"share_below_1us", one.share_below(1000)}, {"moved", one.stolen}, {"waited", one.suspended},
               {"dependent", one.dependent}, {"work", one.work}, {"ready", one.queued}, {"lengths", lengths}});
  return json;
}

Json json_of(const LockRecord& one) {
  Json json = place_of(one);
  json.update({{"kind", one.kind}, {"times", one.count}, {"waited", one.waited}, {"held", one.held}});
  return json;
}

Json json_of(const LoopRecord& one) {
  Json json = place_of(one);
  json.update({{"kind", one.kind}, {"chunk", one.chunk}, {"times", one.loops}, {"iterations", one.iterations},
               {"thread_time", one.time}});
  return json;
}

Json json_of(const MpiRecord& one) {
  Json json = place_of(one);
  json.update({{"call", one.call}, {"times", one.count}, {"time", one.time}});
  return json;
}

template <class Record>
Json list_of(const std::vector<Record>& records) {
  Json list = Json::array();
  for (const Record& one : records) list.push_back(json_of(one));
  return list;
}

Json json_of(const ProcessRecord& process) {
  const Factors factors = factors_of(process);
  return {{"process", process.pid},
          {"rank", process.rank < 0 ? Json() : Json(process.rank)},
          {"command", process.command},
          {"watched", process.elapsed},
          {"elapsed", process.whole},
          {"cpu_time", process.user + process.system},
          {"usable_cpus", process.usable},
          {"quota", process.quota > 0 ? Json(process.quota) : Json()},
          {"throttled", process.throttled},
          {"spares", process.spares},
          {"blocked", process.blocked},
          {"switches", {{"gave_way", process.gave_way}, {"was_taken", process.was_taken}}},
          {"factors",
           {{"parallel_efficiency", factors.parallel_efficiency},
            {"load_balance", factors.load_balance},
            {"serial", factors.serial},
            {"mpi", factors.mpi}}},
          {"regions", list_of(process.regions)},
          {"tasks", list_of(process.tasks)},
          {"locks", list_of(process.locks)},
          {"loops", list_of(process.loops)},
          {"mpi", list_of(process.mpi)}};
}

}  // namespace

std::string stats_json(const std::vector<ProcessRecord>& processes, const std::vector<Advice>& advice) {
  Json json = {{"processes", Json::array()}, {"advice", Json::array()}};
  for (const ProcessRecord& process : processes) json["processes"].push_back(json_of(process));
  for (const Advice& one : advice)
    json["advice"].push_back({{"fault", one.fault}, {"loss", one.loss}, {"text", one.text}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tulle::tools
