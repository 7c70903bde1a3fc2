// SPDX-License-Identifier: Apache-2.0
#include "coherence/lines.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <limits>
#include <memory>
#include <unordered_map>
#include <vector>

#include "coherence/cores.h"
#include "coherence/profile.h"

namespace tulle::coherence {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kNobody = -1;

constexpr std::size_t kMostCores = 512;
using Cores = std::bitset<kMostCores>;

// Those near a core, itself among them.
struct Around {
  Cores cluster, socket;
};

// A line that several cores have touched.
struct Shared {
  int owner = kNobody;               // who wrote it last
  bool exclusive = false;            // and nobody has read it since
  double written = 0;                // when the owner's last store becomes visible
  double busy_until = 0;
  Cores sharers;
  std::vector<double> in_cluster;    // since when a core of each cluster has it
};

struct Line {
  int first = kNobody;
  std::unique_ptr<Shared> shared;
};

struct Page {
  int home = 0;  // socket
  std::array<Line, 64> lines;
};

std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages;

// OS threads beside the machine's cores run near core 0.
int place_of(const Core& core) { return core.number < machine().cores ? core.number : 0; }

const Around& around_of(const Core& core) {
  static std::vector<Around> known;
  for (int i = static_cast<int>(known.size()); i < machine().cores; ++i) {
    Around around;
    for (int k = 0; k < machine().cores; ++k) {
      around.cluster[static_cast<std::size_t>(k)] = machine().cluster_of(k) == machine().cluster_of(i);
      around.socket[static_cast<std::size_t>(k)] = machine().socket_of(k) == machine().socket_of(i);
    }
    known.push_back(around);
  }
  return known[static_cast<std::size_t>(place_of(core))];
}

double in_socket(const Core& core, int home) {
  const Latencies& latency = machine().latency;
  bool away = latency.away > 0 && home != machine().socket_of(place_of(core));
  return away ? latency.away : latency.socket;
}

Page& page_of(std::uintptr_t address) {
  constexpr std::size_t kKept = 1024;
  struct Kept {
    std::uintptr_t number = 0;
    Page* page = nullptr;
  };
  static std::array<Kept, kKept> kept;
  std::uintptr_t number = address / 4096;
  Kept& entry = kept[number % kKept];
  if (entry.page != nullptr && entry.number == number) return *entry.page;
  std::unique_ptr<Page>& page = pages[number];
  if (page == nullptr) {
    page = std::make_unique<Page>();
    page->home = machine().socket_of(place_of(self()));
  }
  entry = {number, page.get()};
  return *page;
}

}  // namespace

void place_pages(const void* address, std::size_t bytes, int home) {
  const auto from = reinterpret_cast<std::uintptr_t>(address);
  for (std::uintptr_t at = from; at < from + bytes; at += 4096) page_of(at).home = home;
}

namespace {

// The line where others have touched it too; null: it is this core's alone so far.
Shared* find(Line& line) {
  int number = self().number;
  if (line.first == kNobody) line.first = number;
  if (line.shared != nullptr) return line.shared.get();
  if (line.first == number) return nullptr;
  line.shared = std::make_unique<Shared>();
  Shared& shared = *line.shared;
  auto all = static_cast<std::size_t>(machine().cores + Core::kMostMisses);
  shared.in_cluster.assign(all, kNever);
  shared.owner = line.first;
  shared.exclusive = true;
  shared.sharers.set(static_cast<std::size_t>(line.first));
  return &shared;
}

std::size_t cluster_of(const Core& core) {
  return static_cast<std::size_t>(machine().cluster_of(place_of(core)));
}

bool has(const Shared& line, const Core& core) { return line.sharers[static_cast<std::size_t>(core.number)]; }

// From the nearest one that has it.
double distance_of_nearest(const Shared& line, const Core& core, int home) {
  const Latencies& latency = machine().latency;
  const Around& around = around_of(core);
  if (latency.cluster > 0 && (line.sharers & around.cluster).any()) return latency.cluster;
  if ((line.sharers & around.socket).any()) return in_socket(core, home);
  return latency.across > 0 ? latency.across : latency.socket;
}

// To take it from all that have it: the farthest, and something for each further one.
double distance_of_all(const Shared& line, const Core& core, int home) {
  const Latencies& latency = machine().latency;
  const Around& around = around_of(core);
  Cores others = line.sharers;
  others.reset(static_cast<std::size_t>(core.number));
  if (others.none()) return 0;
  double further = machine().invalidation * static_cast<double>(others.count() - 1);
  if (latency.across > 0 && (others & ~around.socket).any()) return latency.across + further;
  bool near = latency.cluster > 0 && (others & ~around.cluster).none();
  return (near ? latency.cluster : in_socket(core, home)) + further;
}

void take_alone(Shared& line, const Core& core, double from) {
  line.sharers.reset();
  std::fill(line.in_cluster.begin(), line.in_cluster.end(), kNever);
  line.sharers[static_cast<std::size_t>(core.number)] = true;
  line.in_cluster[cluster_of(core)] = from;
  line.owner = place_of(core);
  line.exclusive = true;
  line.busy_until = line.written = from;
}

// When it is here, with a read that begins now.
double fetch(Shared& line, const Core& core, int home) {
  double neighbour = line.in_cluster[cluster_of(core)];
  double near = machine().latency.cluster > 0 && neighbour != kNever
                    ? std::max(core.time, neighbour) + machine().latency.cluster
                    : kNever;
  double start = std::max(core.time, line.busy_until);
  double far = start + distance_of_nearest(line, core, home);
  if (far <= near) line.busy_until = start + machine().shared_read;
  double here = std::min(near, far);
  line.sharers[static_cast<std::size_t>(core.number)] = true;
  line.in_cluster[cluster_of(core)] = std::min(neighbour, here);
  line.exclusive = false;
  return here;
}

}  // namespace

void read_line(std::uintptr_t address, const void* instruction) {
  if (!have_begun()) return;
  const Access access(instruction);
  Page& page = page_of(address);
  Shared* line = find(page.lines[address / 64 % 64]);
  Core& core = self();
  core.time += machine().hit;
  if (line == nullptr) return;
  keep_order();
  if (has(*line, core)) return wait_for_load_of(address / 64);
  // Where a writer waits for the line, this one comes after it, and finds all that was stored to it by then.
  if (line->owner != core.number && line->written > core.time) {
    core.time = line->written;
    keep_order();
    if (has(*line, core)) return wait_for_load_of(address / 64);
  }
  if (instruction != core.instruction || core.loads == machine().misses) {
    wait_for_loads();
    keep_order();
  }
  core.instruction = instruction;
  ++core.misses;
  double here = has(*line, core) ? core.time : fetch(*line, core, page.home);
  core.under_way[static_cast<std::size_t>(core.loads++)] = {address / 64, here};
}

void write_line(std::uintptr_t address, const void* instruction) {
  if (!have_begun()) return;
  const Access access(instruction);
  Page& page = page_of(address);
  Shared* line = find(page.lines[address / 64 % 64]);
  Core& core = self();
  core.time += machine().hit;
  if (line == nullptr) return;
  wait_for_loads();  // it is not seen before they are done
  keep_order();
  if (line->exclusive && has(*line, core)) return;
  // Behind another store to the line that waits for it too: nobody gets it in between.
  if (line->owner == core.number && line->written > core.time) return take_alone(*line, core, core.stores_until);
  ++core.misses;
  double start = std::max(core.time, line->busy_until);
  double seen = std::max(start + distance_of_all(*line, core, page.home), core.stores_until);
  core.stores_until = seen;
  take_alone(*line, core, seen);
}

void change_line(std::uintptr_t address, const void* instruction) {
  if (!have_begun()) return;
  const Access access(instruction);
  Page& page = page_of(address);
  Shared* line = find(page.lines[address / 64 % 64]);
  Core& core = self();
  wait_for_loads();
  wait_for_stores();
  core.time += machine().atomic;
  if (line == nullptr) return;
  keep_order();
  if (line->exclusive && has(*line, core)) return;
  ++core.misses;
  double start = std::max(core.time, line->busy_until);
  core.time = start + distance_of_all(*line, core, page.home);
  take_alone(*line, core, core.time);
}

}  // namespace tulle::coherence
