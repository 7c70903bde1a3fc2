// SPDX-License-Identifier: Apache-2.0
#include "stats_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tulle::tools {
namespace {

constexpr std::size_t kLines = 10;  // of each table
constexpr std::size_t kWidth = 100;

std::string percent(double part, double whole) {
  return whole > 0 && part > 0 ? fmt::format("{:.0f} %", 100 * part / whole) : "-";
}

std::string number(double value) {
  if (value < 1e5) return fmt::format("{:.0f}", value);
  return value < 1e8 ? fmt::format("{:.0f}k", value / 1e3) : fmt::format("{:.0f}M", value / 1e6);
}

std::string cut(const std::string& name) {
  constexpr std::size_t kName = 36;
  return name.size() <= kName ? name : name.substr(0, kName - 2) + "..";
}

// Those with the most of something, most first.
template <class Record, class Measure>
std::vector<const Record*> greatest(const std::vector<Record>& list, Measure measure) {
  std::vector<const Record*> found;
  for (const Record& one : list) found.push_back(&one);
  std::ranges::stable_sort(found, std::greater(), [&](const Record* one) { return measure(*one); });
  if (found.size() > kLines) found.resize(kLines);
  return found;
}

using Row = std::vector<std::string>;

// The first column to the left, the others to the right.
std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string out;
  for (const Row& row : rows) {
    out += fmt::format("  {:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i) out += fmt::format("  {:>{}}", row[i], widths[i]);
    out += '\n';
  }
  return out + '\n';
}

std::string regions_table(const ProcessRecord& process) {
  if (process.regions.empty()) return "";
  // Waits that most programs do not have are shown where there are any.
  const auto there_are = [&](double SpentTime::* waits) {
    return std::ranges::any_of(process.regions, [=](const RegionRecord& one) { return one.spent.*waits > 0.005 * one.spent.all(); });
  };
  const bool devices = there_are(&SpentTime::device), others = there_are(&SpentTime::other);
  std::vector<Row> rows = {{"Regions", "times", "time", "threads", "work", "barrier", "tasks", "locks", "MPI"}};
  if (devices) rows[0].push_back("devices");
  if (others) rows[0].push_back("other");
  for (const char* last : {"ready", "nested", "balance"}) rows[0].push_back(last);
  for (const RegionRecord* one : greatest(process.regions, [](const RegionRecord& r) { return r.time; })) {
    const double all = one->spent.all();
    rows.push_back({(one->region != 0 ? "  " : "") + cut(one->name), number(one->count), short_time(one->time),
                    fmt::format("{:.0f}", one->members / std::max(one->count, 1.0)), percent(one->spent.work, all),
                    percent(one->spent.barrier, all), percent(one->spent.taskwait, all), percent(one->spent.lock, all),
                    percent(one->spent.mpi, all)});
    if (devices) rows.back().push_back(percent(one->spent.device, all));
    if (others) rows.back().push_back(percent(one->spent.other, all));
    for (const std::string& last : {percent(one->spent.ready, all), percent(one->spent.inner, all),
                                    percent(one->spent.work + one->spent.inner, one->slowest)})
      rows.back().push_back(last);
  }
  return table(rows);
}

std::string tasks_table(const ProcessRecord& process) {
  if (process.tasks.empty()) return "";
  std::vector<Row> rows = {{"Tasks", "number", "median", "< 1 us", "moved", "waited", "dependent", "ready", "work"}};
  for (const TaskRecord* one : greatest(process.tasks, [](const TaskRecord& t) { return t.made; }))
    rows.push_back({cut(one->name), number(one->made), "< " + short_time(one->median()),
                    percent(one->share_below(1000) * one->ended, one->ended), percent(one->stolen, one->made),
                    number(one->suspended), percent(one->dependent, one->made),
                    short_time(one->queued / std::max(one->ended, 1.0)), short_time(one->work)});
  return table(rows);
}

std::string locks_table(const ProcessRecord& process) {
  if (process.locks.empty()) return "";
  std::vector<Row> rows = {{"Locks", "kind", "times", "waited", "held"}};
  constexpr std::array<const char*, 8> kKinds = {"",          "lock",     "lock",   "nest lock",
                                                 "nest lock", "critical", "atomic", "ordered"};
  for (const LockRecord* one : greatest(process.locks, [](const LockRecord& l) { return l.waited; }))
    rows.push_back({cut(one->name), kKinds[static_cast<std::size_t>(std::clamp(one->kind, 0, 7))], number(one->count),
                    short_time(one->waited), short_time(one->held)});
  return table(rows);
}

const char* schedule_of(int kind) {
  switch (kind) {
    case 10: return "static";
    case 11: return "dynamic";
    case 12: return "guided";
    default: return "other";
  }
}

std::string loops_table(const ProcessRecord& process) {
  if (process.loops.empty()) return "";
  std::vector<Row> rows = {{"Loops", "schedule", "times", "iterations", "each", "thread time"}};
  for (const LoopRecord* one : greatest(process.loops, [](const LoopRecord& l) { return l.time; })) {
    const std::string chunk = one->chunk > 0 ? fmt::format(", {:.0f}", one->chunk) : "";
    rows.push_back({cut(one->name), schedule_of(one->kind) + chunk, number(one->loops), number(one->iterations),
                    one->iterations > 0 ? short_time(one->time / one->iterations) : "-", short_time(one->time)});
  }
  return table(rows);
}

std::string mpi_table(const ProcessRecord& process) {
  if (process.mpi.empty()) return "";
  std::vector<Row> rows = {{"Waits in MPI", "call", "times", "time"}};
  for (const MpiRecord* one : greatest(process.mpi, [](const MpiRecord& m) { return m.time; }))
    rows.push_back({cut(one->name), one->call, number(one->count), short_time(one->time)});
  return table(rows);
}

std::string heading(const ProcessRecord& process) {
  const Factors factors = factors_of(process);
  const std::string rank = process.rank >= 0 ? fmt::format("rank {}, ", process.rank) : "";
  const std::string quota = process.quota > 0 ? fmt::format(" (quota of {:.2f} CPUs)", process.quota) : "";
  std::string out = fmt::format("{}\n  {}process {}: {}, {} of CPU time, {} usable core{}{}\n", process.command, rank,
                                process.pid, short_time(process.elapsed), short_time(process.user + process.system),
                                process.usable, process.usable == 1 ? "" : "s", quota);
  out += fmt::format("  parallel efficiency {:.0f} %, load balance {:.0f} %, outside of regions {:.0f} %, in MPI {:.0f} %\n",
                     100 * factors.parallel_efficiency, 100 * factors.load_balance, 100 * factors.serial, 100 * factors.mpi);
  if (process.whole > 1.02 * process.elapsed)
    out += fmt::format("  of the first {} of its {}: watching all would have cost too much\n", short_time(process.elapsed),
                       short_time(process.whole));
  if (process.throttled > 0) out += fmt::format("  kept from running by the quota: {}\n", short_time(process.throttled));
  if (process.spares > 0 || process.blocked > 0)
    out += fmt::format("  blocked in the C library for {}; OS threads more were called in {} times\n", short_time(process.blocked),
                       number(process.spares));
  out += fmt::format("  its OS threads gave their core away {} times, and lost it {} times\n\n", number(process.gave_way),
                     number(process.was_taken));
  return out;
}

// Lines of at most kWidth, those after the first moved in.
std::string wrapped(const std::string& number, const std::string& text) {
  const std::string indent(number.size(), ' ');
  std::string out = number;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find(' ', at), text.size());
    if (column != 0 && indent.size() + column + 1 + end - at > kWidth) {
      out += '\n' + indent;
      column = 0;
    } else if (column != 0) {
      out += ' ';
      ++column;
    }
    out += text.substr(at, end - at);
    column += end - at;
    at = end + 1;
  }
  return out + '\n';
}

}  // namespace

std::string short_time(double ns) {
  if (ns < 999.5) return fmt::format("{:.0f} ns", ns);
  if (ns < 999.5e3) return fmt::format("{:.3g} us", ns / 1e3);
  if (ns < 999.5e6) return fmt::format("{:.3g} ms", ns / 1e6);
  return fmt::format("{:.3g} s", ns / 1e9);
}

std::string stats_text(const std::vector<ProcessRecord>& processes, const std::vector<Advice>& advice) {
  std::string out;
  for (const ProcessRecord& process : processes)
    out += heading(process) + regions_table(process) + tasks_table(process) + locks_table(process) +
           loops_table(process) + mpi_table(process);
  out += "Advice\n";
  if (advice.empty()) out += "  Nothing stands out.\n";
  for (std::size_t i = 0; i < std::min(advice.size(), kLines); ++i)
    out += wrapped(fmt::format("  {}. ", i + 1), advice[i].text);
  return out;
}

}  // namespace tulle::tools
