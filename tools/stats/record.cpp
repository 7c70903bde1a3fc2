// SPDX-License-Identifier: Apache-2.0
#include "record.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "budget.h"
#include "mpi.h"
#include "rank.h"
#include "thread.h"

namespace tulle::stats {

namespace {

using Json = nlohmann::ordered_json;

// A file and the place in it as its own tables have it: the byte before, of the call and not of what follows it.
Json code_json(const void* code) {
  Dl_info info{};
  link_map* map = nullptr;
  if (code == nullptr || dladdr1(code, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr)
    return {{"module", ""}, {"offset", 0}};
  const char* name = map->l_name != nullptr && *map->l_name != '\0' ? map->l_name : "/proc/self/exe";
  char path[4096];
  const char* real = realpath(name, path);
  return {{"module", real != nullptr ? real : name}, {"offset", reinterpret_cast<uintptr_t>(code) - 1 - map->l_addr}};
}

template <class Totals>
Totals sum_of(uint32_t site) {
  Totals sum;
  for (const Thread* thread = all_threads(); thread != nullptr; thread = thread->next)
    if (const Totals* own = thread->found<Totals>(site); own != nullptr) sum.add(*own);
  return sum;
}

class Writer {
 public:
  explicit Writer(double ns_per_tick) : ns_(ns_per_tick) {}

  Json region(uint32_t number) const {
    const auto sum = sum_of<RegionTotals>(number);
    return {{"count", sum.count}, {"time", ns(sum.time)}, {"members", sum.members}, {"largest", sum.largest},
            {"alone", sum.alone}, {"spinning", sum.spinning}, {"late", ns(sum.late)}, {"slowest", ns(sum.slowest)},
            {"spent", spent(sum.spent)}};
  }
  Json task(uint32_t number) const {
    const auto sum = sum_of<TaskTotals>(number);
    Json json = {{"made", sum.made}, {"dependent", sum.dependent}, {"ended", sum.ended}, {"stolen", sum.stolen},
                 {"suspended", sum.suspended}, {"work", ns(sum.work)}, {"queued", ns(sum.queued)},
                 {"lengths", Json::array()}};
    for (size_t i = 0; i < sum.lengths.counts.size(); ++i)
      if (sum.lengths.counts[i] != 0)
        json["lengths"].push_back({ns(uint64_t{1} << i), sum.lengths.counts[i]});
    return json;
  }
  Json lock(uint32_t number) const {
    const auto sum = sum_of<LockTotals>(number);
    return {{"kind", sum.kind}, {"count", sum.count}, {"waited", ns(sum.waited)}, {"held", ns(sum.held)}};
  }
  Json loop(uint32_t number) const {
    const auto sum = sum_of<LoopTotals>(number);
    return {{"kind", sum.kind}, {"chunk", sum.chunk}, {"loops", sum.loops}, {"iterations", sum.iterations},
            {"time", ns(sum.time)}};
  }
  Json mpi(uint32_t number) const {
    const MpiTotals sum = mpi_totals(number);
    return {{"call", sum.call != nullptr ? sum.call : ""}, {"count", sum.count}, {"time", ns(sum.time)}};
  }
  Json serial() const { return {{"spent", spent(sum_of<RegionTotals>(kSerial).spent)}}; }

 private:
  double ns(uint64_t ticks) const { return static_cast<double>(ticks) * ns_; }
  Json spent(const Spent& spent) const {
    Json json;
    constexpr const char* kNames[] = {"work", "barrier", "taskwait", "lock", "mpi", "inner", "ready"};
    static_assert(std::size(kNames) == kActivities);
    for (uint32_t i = 0; i < kActivities; ++i) json[kNames[i]] = ns(spent[i]);
    return json;
  }

  double ns_;
};

const char* name_of(SiteKind kind) {
  switch (kind) {
    case SiteKind::region: return "regions";
    case SiteKind::task: return "tasks";
    case SiteKind::lock: return "locks";
    case SiteKind::loop: return "loops";
    case SiteKind::mpi: return "mpi";
    default: return "";
  }
}

Json json_of(const Writer& writer, SiteKind kind, uint32_t number) {
  switch (kind) {
    case SiteKind::region: return writer.region(number);
    case SiteKind::task: return writer.task(number);
    case SiteKind::lock: return writer.lock(number);
    case SiteKind::loop: return writer.loop(number);
    default: return writer.mpi(number);
  }
}

// All that goes on ends now.
void end_all(uint64_t now) {
  for (const Thread* thread = all_threads(); thread != nullptr; thread = thread->next)
    for (const Part* part = thread->part; part != nullptr; part = part->outer)
      if (part->region != nullptr) note_slowest(part);
  for (Thread* thread = all_threads(); thread != nullptr; thread = thread->next)
    if (thread->in_use.load(std::memory_order_acquire)) thread->end_parts(now);  // pairs with its end
}

Json process_json(const Began& began, const Moment& end, double watched_ns) {
  const Used now = used();
  const double whole = began.age * 1e9 + end.ns - began.moment.ns, watched = began.age * 1e9 + watched_ns;
  return {{"pid", getpid()},
          {"rank", rank()},
          {"command", command()},
          {"elapsed", watched},
          {"whole", whole},
          {"usable", began.usable.usable},
          {"quota", began.usable.quota},
          {"throttled", 1e9 * (throttled_seconds(began.usable) - began.throttled) * watched / whole},
          {"user", 1e9 * now.user},
          {"system", 1e9 * now.system},
          {"gave_way", now.gave_way},
          {"was_taken", now.was_taken}};
}

Json record(const Began& began) {
  const Moment end;
  const double ns = began.moment.ns_per_tick_until(end);
  const uint64_t ended_at = budget.ended_at();
  end_all(ended_at);
  const Writer writer(ns);
  const double watched_ns = static_cast<double>(ended_at - began.moment.at) * ns;
  Json json = {{"version", 1}, {"process", process_json(began, end, watched_ns)}, {"serial", writer.serial()}};
  for (uint32_t i = 1; i < kSites; ++i) {
    const Site place = site(i);
    if (place.kind == SiteKind::none) continue;
    Json one = json_of(writer, place.kind, i);
    one["number"] = i;
    one["region"] = place.region;
    one.update(code_json(place.code));
    json[name_of(place.kind)].push_back(one);
  }
  return json;
}

}  // namespace

void write_record(const char* folder, const Began& began) {
  const std::string path = std::string(folder) + "/" + std::to_string(getpid()) + ".json";
  const std::string text = record(began).dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  std::FILE* file = std::fopen(path.c_str(), "we");
  bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != nullptr) written = std::fclose(file) == 0 && written;
  if (written) return;
  std::fprintf(stderr, "tulle: stats: cannot write %s: %s\n", path.c_str(), std::strerror(errno));
  if (file != nullptr) unlink(path.c_str());  // half of one nobody can read
}

void forget_totals() {
  for (Thread* thread = all_threads(); thread != nullptr; thread = thread->next) thread->forget();
  forget_mpi();
}

}  // namespace tulle::stats
