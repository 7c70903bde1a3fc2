// SPDX-License-Identifier: Apache-2.0
// Each rule looks for one fault. Limits: what is below them no user would notice.
#include "stats_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "stats_text.h"

namespace tulle::tools {
namespace {

constexpr double kLeastShare = 0.05;  // of the time of all cores
constexpr int kLoopDynamic = 11;      // ompt_work_loop_dynamic

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

class Adviser {
 public:
  explicit Adviser(const ProcessRecord& process)
      : process_(process), all_(std::max(process.elapsed * process.cores(), 1.0)) {}

  std::vector<Advice> look() {
    look_at_quota();
    look_at_serial_part();
    look_at_mpi();
    for (const RegionRecord& one : process_.regions) look_at(one);
    for (const TaskRecord& one : process_.tasks) look_at(one);
    for (const LockRecord& one : process_.locks) look_at(one);
    for (const LoopRecord& one : process_.loops) look_at(one);
    return std::move(found_);
  }

 private:
  void say(const char* fault, double lost, std::string text) {
    found_.push_back({fault, std::min(lost / all_, 1.0), std::move(text)});
  }

  void look_at_quota() {
    if (process_.throttled < kLeastShare * process_.elapsed) return;
    const int fit = std::max(1, static_cast<int>(process_.quota));
    say("quota", process_.throttled * process_.cores(),
        fmt::format("The process's control group may use {:.2f} CPUs, and was kept from running for {} of the time. "
                    "OMP_NUM_THREADS={} keeps within it; a larger quota (cpu.max) makes it faster.",
                    process_.quota, percent(process_.throttled / process_.elapsed), fit));
  }

  void look_at_serial_part() {
    const double serial = process_.serial_time(), share = serial / process_.elapsed;
    constexpr double kStart = 1e8;  // ns: a process's own start and end are of no use to anybody
    // Of a program that is known by its first part alone nobody knows how much its start is.
    if (process_.whole > 2 * process_.elapsed) return;
    if (process_.cores() < 2 || share < 3 * kLeastShare || serial < kStart) return;
    say("serial", serial * (process_.cores() - 1),
        fmt::format("No region runs for {} of the time, so no number of threads makes the program more than {:.1f} times "
                    "as fast as one. What runs between the regions is worth a region, or fewer calls.{}",
                    percent(share), process_.elapsed / serial, but_without_core()));
  }

  void look_at_mpi() {
    const double waited = process_.mpi_time(), share = waited / process_.elapsed;
    if (share < 2 * kLeastShare || process_.mpi.empty()) return;
    const MpiRecord& most = *std::ranges::max_element(process_.mpi, {}, &MpiRecord::time);
    const std::string who = process_.rank >= 0 ? fmt::format("Rank {}", process_.rank) : "The process";
    say("mpi", waited * (most.region == 0 ? process_.cores() : 1),
        fmt::format("{} waits in MPI for {} of the time, most in {} at {}. Ranks with less to do wait for those with "
                    "more: share the work evenly among them; or make the calls from tasks, which give their core to "
                    "others while they wait.",
                    who, percent(share), most.call, most.name));
  }

  // By the clock all is work that does not wait for what OpenMP has a word for.
  std::string but_without_core() const {
    const double used = process_.user + process_.system;
    double work = process_.serial_time();
    for (const RegionRecord& one : process_.regions) work += one.spent.work;
    if (used > 0.5 * work) return "";
    return fmt::format(" But of {} of work by the clock it had a core for {} at most: the rest it slept, waited for files, or "
                       "other programs used the machine.",
                       short_time(work), short_time(used));
  }

  // What a region's time is a share of: where watching ended early all regions', for the start before them is most of what
  // is known.
  double time_known() const {
    if (process_.whole < 1.02 * process_.elapsed) return process_.elapsed;
    double regions = 0;
    for (const RegionRecord& one : process_.regions)
      if (one.region == 0) regions += one.time;
    return std::min(regions, process_.elapsed);
  }

  bool is_made_of_tasks(const RegionRecord& one) const {
    return process_.task_work_in(one) > 0.5 * process_.work_in(one);
  }
  double core_time(const RegionRecord& one) const { return one.time * std::min(one.largest, process_.usable); }

  void look_at(const RegionRecord& one) {
    if (one.spinning > 0) return look_at_spinning(one);
    if (one.region != 0) return look_at_nested(one);
    if (one.largest < 2) return;
    if (is_made_of_tasks(one)) return look_at_tasks_of(one);
    look_at_balance(one);
  }

  void look_at_spinning(const RegionRecord& one) {
    const std::string made_smaller =
        one.alone > 0 ? fmt::format(" Tulle gave {:.0f} of {:.0f} of them one thread.", one.alone, one.count) : "";
    say("spinning", std::max(core_time(one) - process_.work_in(one), kLeastShare * all_),
        fmt::format("The threads of the region {} wait for each other by polling in code of its own, which keeps the "
                    "core from those that they wait for.{} Let them wait by OpenMP's barriers, or give the library one "
                    "thread at this level (OMP_NUM_THREADS={},1).",
                    one.name, made_smaller, process_.usable));
  }

  void look_at_nested(const RegionRecord& one) {
    const RegionRecord* outer = process_.outermost(one);
    if (outer == nullptr || outer->largest < 2 || one.largest < 2) return;
    constexpr double kMember = 1000;  // ns: what one costs; a team that is called on the spot costs less
    const int threads = outer->largest * one.largest;
    if (threads < 4 * process_.usable || one.count < 2) return;
    if (one.members * kMember < kLeastShare * (one.spent.work + one.spent.inner)) return;
    say("oversubscribed", kLeastShare * all_,
        fmt::format("The region {} is reached in {} by {} threads and asks for {} each: {} threads on {} cores, which the "
                    "outer level fills alone. OMP_NUM_THREADS={},1 saves {:.0f} inner teams, of {} each.",
                    one.name, outer->name, outer->largest, one.largest, threads, process_.usable, process_.usable,
                    one.count, short_time(one.time / one.count)));
  }

  void look_at_balance(const RegionRecord& one) {
    const double useful = one.spent.work + one.spent.inner, balance = useful / std::max(one.slowest, 1.0);
    const double lost = std::min(one.slowest - useful, one.spent.barrier);
    if (one.largest > process_.usable || balance > 0.85 || lost < kLeastShare * all_) return;
    if (one.spent.lock > one.spent.barrier) return;
    say("imbalance", lost,
        fmt::format("The busiest thread of the region {} works {:.1f} times as long as the mean, and the others wait for "
                    "it ({} of their time). schedule(dynamic) or schedule(guided), or tasks, deal the work out as threads "
                    "get free.",
                    one.name, 1 / balance, percent(one.spent.barrier / one.spent.all())));
  }

  void look_at_tasks_of(const RegionRecord& one) {
    const double work = process_.work_in(one), lost = core_time(one) - work;
    double made = 0, dependent = 0;
    for (const TaskRecord& task : process_.tasks)
      if (process_.outermost(task) == &one) made += task.made, dependent += task.dependent;
    if (work > 0.8 * core_time(one) || lost < kLeastShare * all_ || dependent < 0.5 * made) return;
    say("dependences", lost,
        fmt::format("The tasks of the region {} wait for each other's data: on the average {:.1f} of {} cores have one that "
                    "can run. Finer parts of the data in the depend clauses, inoutset or mutexinoutset where the order does "
                    "not matter, or more independent chains would let more of them run.",
                    one.name, work / one.time, std::min(one.largest, process_.usable)));
  }

  void look_at(const TaskRecord& one) {
    constexpr double kFine = 400, kCost = 40;  // ns
    if (one.ended < 500 || one.median() > kFine || one.ended * kCost < 0.1 * one.work) return;
    const RegionRecord* outer = process_.outermost(one);
    if (outer != nullptr && outer->time < kLeastShare * time_known()) return;
    if (std::exchange(fine_in_, outer) == outer && outer != nullptr) return;  // said of others in it
    say("fine-tasks", std::max(one.ended * kCost, kLeastShare * all_),
        fmt::format("Half of the {:.0f} tasks made at {} take less than {}, and to make one and to begin it takes some {}. "
                    "Make them of more work each: a cut-off (if or final clause), or grainsize of a taskloop.",
                    one.made, one.name, short_time(one.median()), short_time(kCost)));
  }

  void look_at(const LockRecord& one) {
    const RegionRecord* outer = process_.outermost(one);
    if (outer == nullptr || one.waited < kLeastShare * all_) return;
    const double lost = std::min(one.waited, std::max(core_time(*outer) - process_.work_in(*outer), 0.2 * one.waited));
    constexpr int kCritical = 5, kAtomic = 6, kOrdered = 7;  // ompt_mutex_t
    if (one.kind == kOrdered)
      return say("ordered", lost,
                 fmt::format("Threads wait {} for their turn in the ordered region at {}, {} each time. Do less in it, or deal "
                             "out fewer iterations at a time (schedule(static, 1)): a chunk waits for all of the one before it.",
                             short_time(one.waited), one.name, short_time(one.waited / std::max(one.count, 1.0))));
    const char* what = one.kind == kCritical ? "critical section" : one.kind == kAtomic ? "atomic construct" : "lock";
    say("lock", lost,
        fmt::format("Threads wait {} for the {} at {}, {} each time, and it is held for {} of its region's time. Do "
                    "less in it, give each thread a sum of its own (reduction), or use several locks.",
                    short_time(one.waited), what, one.name, short_time(one.waited / std::max(one.count, 1.0)),
                    percent(std::min(one.held / std::max(outer->time, 1.0), 1.0))));
  }

  void look_at(const LoopRecord& one) {
    constexpr double kFine = 200, kCost = 15;  // ns
    if (one.kind != kLoopDynamic || one.iterations <= 0) return;
    const double iteration = one.time / one.iterations, chunks = one.iterations / std::max(one.chunk, 1.0);
    if (iteration * one.chunk > kFine || one.time < kLeastShare * all_) return;
    const auto better = static_cast<long>(std::pow(2, std::ceil(std::log2(10000 / std::max(iteration, 1.0)))));
    say("schedule", std::min(chunks * kCost, 0.8 * one.time),
        fmt::format("The loop at {} deals out {:.0f} iteration{} at a time, {} of work. schedule(static) deals them out at "
                    "once; if they are uneven, schedule(dynamic, {}).",
                    one.name, one.chunk, one.chunk == 1 ? "" : "s", short_time(iteration * one.chunk), better));
  }

  const ProcessRecord& process_;
  double all_;
  const RegionRecord* fine_in_ = nullptr;
  std::vector<Advice> found_;
};

}  // namespace

std::vector<Advice> advice_for(const std::vector<ProcessRecord>& processes) {
  std::vector<Advice> all;
  for (const ProcessRecord& process : processes)
    for (Advice& one : Adviser(process).look()) all.push_back(std::move(one));
  std::ranges::stable_sort(all, std::greater(), &Advice::loss);
  return all;
}

Factors factors_of(const ProcessRecord& process) {
  Factors factors;
  double work = process.serial_time(), useful = 0, slowest = 0;
  for (const RegionRecord& one : process.regions) {
    work += one.spent.work;
    if (one.region == 0) useful += one.spent.work + one.spent.inner, slowest += one.slowest;
  }
  const double all = process.elapsed * process.cores();
  factors.parallel_efficiency = all > 0 ? std::min(work / all, 1.0) : 0;
  factors.load_balance = slowest > 0 ? std::min(useful / slowest, 1.0) : 1;
  factors.serial = process.elapsed > 0 ? process.serial_time() / process.elapsed : 0;
  factors.mpi = process.elapsed > 0 ? std::min(process.mpi_time() / process.elapsed, 1.0) : 0;
  return factors;
}

}  // namespace tulle::tools
