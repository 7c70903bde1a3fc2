// SPDX-License-Identifier: Apache-2.0
#include "stats_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "code_names.h"
#include "status.h"

namespace tulle::tools {
namespace {

using Json = nlohmann::json;

template <class Value>
void get(const Json& json, const char* name, Value& value) {
  value = json.at(name).get<Value>();
}

SpentTime spent_of(const Json& json) {
  SpentTime spent;
  get(json, "work", spent.work), get(json, "barrier", spent.barrier), get(json, "taskwait", spent.taskwait);
  get(json, "lock", spent.lock), get(json, "mpi", spent.mpi), get(json, "inner", spent.inner);
  get(json, "ready", spent.ready), get(json, "device", spent.device), get(json, "other", spent.other);
  return spent;
}

void fill(const Json& json, RegionRecord& one) {
  get(json, "count", one.count), get(json, "time", one.time), get(json, "members", one.members);
  get(json, "alone", one.alone), get(json, "spinning", one.spinning), get(json, "late", one.late);
  get(json, "slowest", one.slowest), get(json, "largest", one.largest);
  one.spent = spent_of(json.at("spent"));
}

void fill(const Json& json, TaskRecord& one) {
  get(json, "made", one.made), get(json, "dependent", one.dependent), get(json, "ended", one.ended);
  get(json, "stolen", one.stolen), get(json, "suspended", one.suspended), get(json, "work", one.work);
  get(json, "queued", one.queued), get(json, "lengths", one.lengths);
}

void fill(const Json& json, LockRecord& one) {
  get(json, "kind", one.kind), get(json, "count", one.count), get(json, "waited", one.waited);
  get(json, "held", one.held);
}

void fill(const Json& json, LoopRecord& one) {
  get(json, "kind", one.kind), get(json, "chunk", one.chunk), get(json, "loops", one.loops);
  get(json, "iterations", one.iterations), get(json, "time", one.time);
}

void fill(const Json& json, MpiRecord& one) {
  get(json, "call", one.call), get(json, "count", one.count), get(json, "time", one.time);
}

template <class Record>
void fill_list(const Json& json, const char* name, std::vector<Record>& list) {
  if (!json.contains(name)) return;
  for (const Json& given : json.at(name)) {
    Record one;
    get(given, "number", one.number), get(given, "region", one.region);
    get(given, "module", one.module), get(given, "offset", one.offset);
    fill(given, one);
    list.push_back(std::move(one));
  }
}

ProcessRecord record_of(const Json& json) {
  ProcessRecord record;
  const Json& process = json.at("process");
  get(process, "pid", record.pid), get(process, "rank", record.rank), get(process, "usable", record.usable);
  get(process, "command", record.command), get(process, "elapsed", record.elapsed), get(process, "whole", record.whole);
  get(process, "quota", record.quota), get(process, "throttled", record.throttled);
  get(process, "user", record.user), get(process, "system", record.system);
  get(process, "spares", record.spares), get(process, "blocked", record.blocked);
  get(process, "gave_way", record.gave_way), get(process, "was_taken", record.was_taken);
  record.serial = spent_of(json.at("serial").at("spent"));
  fill_list(json, "regions", record.regions);
  fill_list(json, "tasks", record.tasks);
  fill_list(json, "locks", record.locks);
  fill_list(json, "loops", record.loops);
  fill_list(json, "mpi", record.mpi);
  return record;
}

template <class Records, class Visit>
void each_code(Records& record, Visit visit) {
  for (auto& one : record.regions) visit(one);
  for (auto& one : record.tasks) visit(one);
  for (auto& one : record.locks) visit(one);
  for (auto& one : record.loops) visit(one);
  for (auto& one : record.mpi) visit(one);
}

void name_code(std::vector<ProcessRecord>& records) {
  CodeNames names;
  for (ProcessRecord& record : records)
    each_code(record, [&](const CodeRecord& code) { names.want(code.module, code.offset); });
  names.look_up();
  for (ProcessRecord& record : records)
    each_code(record, [&](CodeRecord& code) { code.name = names.name(code.module, code.offset); });
}

void add(SpentTime& to, const SpentTime& from) {
  to.work += from.work, to.barrier += from.barrier, to.taskwait += from.taskwait;
  to.lock += from.lock, to.mpi += from.mpi, to.inner += from.inner;
  to.ready += from.ready, to.device += from.device, to.other += from.other;
}

void add(RegionRecord& to, const RegionRecord& from) {
  to.count += from.count, to.time += from.time, to.members += from.members, to.alone += from.alone;
  to.spinning += from.spinning, to.late += from.late, to.slowest += from.slowest;
  to.largest = std::max(to.largest, from.largest);
  add(to.spent, from.spent);
}

void add(TaskRecord& to, const TaskRecord& from) {
  to.made += from.made, to.dependent += from.dependent, to.ended += from.ended, to.stolen += from.stolen;
  to.suspended += from.suspended, to.work += from.work, to.queued += from.queued;
  std::map<double, double> lengths(to.lengths.begin(), to.lengths.end());
  for (const auto& [length, count] : from.lengths) lengths[length] += count;
  to.lengths.assign(lengths.begin(), lengths.end());
}

void add(LockRecord& to, const LockRecord& from) {
  to.count += from.count, to.waited += from.waited, to.held += from.held;
}

void add(LoopRecord& to, const LoopRecord& from) {
  to.loops += from.loops, to.iterations += from.iterations, to.time += from.time;
}

void add(MpiRecord& to, const MpiRecord& from) { to.count += from.count, to.time += from.time; }

// Compilers write a construct several times, in loops that they unroll and functions that they inline: one line of the
// program is one place in each region.
class Merger {
 public:
  explicit Merger(ProcessRecord& record) : record_(record) {
    for (const RegionRecord& one : record.regions) given_[one.number] = &one;
    for (const RegionRecord& one : record.regions) first_of(one.number);
    std::vector<RegionRecord> regions = record.regions;  // given_ points to the others
    merge(regions);
    merge(record_.tasks);
    merge(record_.locks);
    merge(record_.loops);
    merge(record_.mpi);
    record_.regions = std::move(regions);
  }

 private:
  // The number of the region that stands for this one.
  int first_of(int number) {
    auto found = given_.find(number);
    if (found == given_.end()) return number;
    if (auto known = first_.find(number); known != first_.end()) return known->second;
    const CodeRecord& one = *found->second;
    const int first = by_name_.try_emplace({one.name, first_of(one.region)}, number).first->second;
    return first_[number] = first;
  }

  template <class Record>
  void merge(std::vector<Record>& list) {
    std::map<std::pair<std::string, int>, std::size_t> places;
    std::vector<Record> merged;
    for (Record& one : list) {
      one.number = first_of(one.number);
      one.region = first_of(one.region);
      auto [place, is_new] = places.try_emplace({one.name, one.region}, merged.size());
      if (is_new)
        merged.push_back(std::move(one));
      else
        add(merged[place->second], one);
    }
    list = std::move(merged);
  }

  ProcessRecord& record_;
  std::map<int, const CodeRecord*> given_;
  std::map<int, int> first_;
  std::map<std::pair<std::string, int>, int> by_name_;
};

}  // namespace

double TaskRecord::median() const {
  double seen = 0;
  for (const auto& [length, count] : lengths)
    if ((seen += count) * 2 >= ended) return length;
  return 0;
}

double TaskRecord::share_below(double limit) const {
  double seen = 0;
  for (const auto& [length, count] : lengths)
    if (length <= limit) seen += count;
  return ended > 0 ? seen / ended : 0;
}

const RegionRecord* ProcessRecord::region(int number) const {
  auto found = std::ranges::find(regions, number, &RegionRecord::number);
  return found != regions.end() ? &*found : nullptr;
}

const RegionRecord* ProcessRecord::outermost(const CodeRecord& code) const {
  const RegionRecord* at = region(code.number);
  if (at == nullptr) at = region(code.region);
  while (at != nullptr && at->region != 0 && region(at->region) != nullptr) at = region(at->region);
  return at;
}

double ProcessRecord::work_in(const RegionRecord& outer) const {
  double sum = 0;
  for (const RegionRecord& one : regions)
    if (outermost(one) == &outer) sum += one.spent.work;
  return sum;
}

double ProcessRecord::task_work_in(const RegionRecord& outer) const {
  double sum = 0;
  for (const TaskRecord& one : tasks)
    if (outermost(one) == &outer) sum += one.work;
  return sum;
}

double ProcessRecord::serial_time() const { return std::max(elapsed - serial.inner - serial.mpi - serial.device, 0.0); }

double ProcessRecord::mpi_time() const {
  double sum = 0;
  for (const MpiRecord& one : mpi) sum += one.time;
  return sum;
}

int ProcessRecord::cores() const {
  int largest = 1;
  for (const RegionRecord& one : regions) largest = std::max(largest, one.largest);
  return std::min(largest, usable);
}

std::vector<ProcessRecord> read_records(const std::filesystem::path& folder) {
  std::vector<ProcessRecord> records;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".json") continue;
    try {
      std::ifstream file(entry.path());
      records.push_back(record_of(Json::parse(file)));
    } catch (const Json::exception& problem) {
      throw Failure(fmt::format("{}: not a record of libtulle-stats: {}", entry.path().string(), problem.what()));
    }
  }
  if (error) throw Failure(fmt::format("{}: {}", folder.string(), error.message()));
  std::ranges::sort(records, {}, [](const ProcessRecord& record) { return std::pair(record.rank, record.pid); });
  name_code(records);
  for (ProcessRecord& record : records) Merger merger(record);
  return records;
}

}  // namespace tulle::tools
