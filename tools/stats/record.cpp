// SPDX-License-Identifier: Apache-2.0
#include "record.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "budget.h"
#include "json.h"
#include "mpi.h"
#include "rank.h"
#include "thread.h"

namespace tulle::stats {

namespace {

// A file and the place in it as its own tables have it: the byte before, of the call and not of what follows it.
void add_code(Json& json, const void* code) {
  Dl_info info{};
  link_map* map = nullptr;
  if (code == nullptr || dladdr1(code, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr) {
    json.add("module", "");
    json.add("offset", int64_t{0});
    return;
  }
  const char* name = map->l_name != nullptr && *map->l_name != '\0' ? map->l_name : "/proc/self/exe";
  char path[PATH_MAX];
  const char* real = realpath(name, path);
  json.add("module", real != nullptr ? real : name);
  json.add("offset", static_cast<int64_t>(reinterpret_cast<uintptr_t>(code) - 1 - map->l_addr));
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
  Writer(Json& json, double ns_per_tick) : json_(json), ns_(ns_per_tick) {}

  void add(SiteKind kind, uint32_t number) {
    switch (kind) {
      case SiteKind::region: return add_region(number);
      case SiteKind::task: return add_task(number);
      case SiteKind::lock: return add_lock(number);
      case SiteKind::loop: return add_loop(number);
      default: return add_mpi(number);
    }
  }
  void add_spent(const Spent& spent) {
    constexpr const char* kNames[] = {"work", "barrier", "taskwait", "lock", "mpi", "device", "other", "inner", "ready"};
    static_assert(std::size(kNames) == kActivities);
    json_.open('{', "spent");
    for (uint32_t i = 0; i < kActivities; ++i) time(kNames[i], spent[i]);
    json_.close('}');
  }

 private:
  void add_region(uint32_t number) {
    const auto sum = sum_of<RegionTotals>(number);
    count("count", sum.count), time("time", sum.time), count("members", sum.members), count("largest", sum.largest);
    count("alone", sum.alone), count("spinning", sum.spinning), time("late", sum.late), time("slowest", sum.slowest);
    add_spent(sum.spent);
  }
  void add_task(uint32_t number) {
    const auto sum = sum_of<TaskTotals>(number);
    count("made", sum.made), count("dependent", sum.dependent), count("ended", sum.ended), count("stolen", sum.stolen);
    count("suspended", sum.suspended), time("work", sum.work), time("queued", sum.queued);
    json_.open('[', "lengths");
    for (size_t i = 0; i < sum.lengths.counts.size(); ++i) {
      if (sum.lengths.counts[i] == 0) continue;
      json_.open('[');
      json_.add({}, static_cast<double>(uint64_t{1} << i) * ns_), count({}, sum.lengths.counts[i]);
      json_.close(']');
    }
    json_.close(']');
  }
  void add_lock(uint32_t number) {
    const auto sum = sum_of<LockTotals>(number);
    count("kind", sum.kind), count("count", sum.count), time("waited", sum.waited), time("held", sum.held);
  }
  void add_loop(uint32_t number) {
    const auto sum = sum_of<LoopTotals>(number);
    count("kind", sum.kind), count("chunk", sum.chunk), json_.add("loops", sum.loops);
    json_.add("iterations", sum.iterations), time("time", sum.time);
  }
  void add_mpi(uint32_t number) {
    const MpiTotals sum = mpi_totals(number);
    json_.add("call", sum.call != nullptr ? sum.call : ""), count("count", sum.count), time("time", sum.time);
  }

  // Nanoseconds.
  void time(std::string_view name, uint64_t ticks) { json_.add(name, int64_t{std::llround(static_cast<double>(ticks) * ns_)}); }
  void count(std::string_view name, uint64_t count) { json_.add(name, static_cast<int64_t>(count)); }

  Json& json_;
  double ns_;
};

// All that goes on ends now.
void end_all(uint64_t now) {
  for (const Thread* thread = all_threads(); thread != nullptr; thread = thread->next)
    for (const Part* part = thread->part; part != nullptr; part = part->outer)
      if (part->region != nullptr) note_slowest(part);
  for (Thread* thread = all_threads(); thread != nullptr; thread = thread->next)
    if (thread->in_use.load(std::memory_order_acquire)) thread->end_parts(now);  // pairs with its end
}

void add_process(Json& json, const Began& began, const Moment& end, double watched_ns) {
  const Used now = used();
  const Blocking blocking = stats::blocking();
  const double whole = began.age * 1e9 + end.ns - began.moment.ns, watched = began.age * 1e9 + watched_ns;
  json.open('{', "process");
  json.add("pid", int64_t{getpid()}), json.add("rank", int64_t{rank()}), json.add("command", command());
  json.add("elapsed", watched), json.add("whole", whole);
  json.add("usable", int64_t{began.usable.usable}), json.add("quota", began.usable.quota);
  json.add("throttled", 1e9 * (throttled_seconds(began.usable) - began.throttled) * watched / whole);
  json.add("user", 1e9 * now.user), json.add("system", 1e9 * now.system);
  json.add("spares", blocking.spares - began.blocking.spares);
  json.add("blocked", 1e9 * (blocking.seconds - began.blocking.seconds));
  json.add("gave_way", int64_t{now.gave_way}), json.add("was_taken", int64_t{now.was_taken});
  json.close('}');
}

void add_places(Json& json, Writer& writer, SiteKind kind, const char* name) {
  json.open('[', name);
  for (uint32_t i = 1; i < kSites; ++i) {
    const Site place = site(i);
    if (place.kind != kind) continue;
    json.open('{');
    writer.add(kind, i);
    json.add("number", int64_t{i}), json.add("region", int64_t{place.region});
    add_code(json, place.code);
    json.close('}');
  }
  json.close(']');
}

Json record(const Began& began) {
  const Moment end;
  const double ns = began.moment.ns_per_tick_until(end);
  const uint64_t ended_at = budget.ended_at();
  end_all(ended_at);
  Json json;
  Writer writer(json, ns);
  json.open('{');
  json.add("version", int64_t{1});
  add_process(json, began, end, static_cast<double>(ended_at - began.moment.at) * ns);
  json.open('{', "serial");
  writer.add_spent(sum_of<RegionTotals>(kSerial).spent);
  json.close('}');
  add_places(json, writer, SiteKind::region, "regions");
  add_places(json, writer, SiteKind::task, "tasks");
  add_places(json, writer, SiteKind::lock, "locks");
  add_places(json, writer, SiteKind::loop, "loops");
  add_places(json, writer, SiteKind::mpi, "mpi");
  json.close('}');
  return json;
}

}  // namespace

void write_record(const char* folder, const Began& began) {
  const std::string path = std::string(folder) + "/" + std::to_string(getpid()) + ".json";
  const std::string text = record(began).text() + '\n';
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
