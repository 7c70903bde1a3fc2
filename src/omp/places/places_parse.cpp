// SPDX-License-Identifier: Apache-2.0
#include "omp/places/places_parse.h"

#include "omp/icv/environment_parse.h"

namespace tulle::omp {
namespace {

using topology::Kind;

constexpr uint64_t kMaxLength = 1u << 20;

// `:length` and `:stride` after a resource or a place.
struct Interval {
  uint64_t length = 1;
  int64_t stride = 1;
};

bool parse_interval(Scanner& scanner, Interval& interval) {
  if (!scanner.accept(':')) return true;
  if (!scanner.number(interval.length) || interval.length == 0) return false;
  if (interval.length > kMaxLength) return false;
  if (!scanner.accept(':')) return true;
  return scanner.signed_number(interval.stride) && interval.stride != 0;
}

// The processors of `place`, `distance` further on; those that no machine has are dropped.
CpuSet shifted(const CpuSet& place, int64_t distance) {
  CpuSet result;
  for (int cpu = place.first(); cpu >= 0; cpu = place.next(cpu)) {
    int64_t moved = cpu + distance;
    if (moved >= 0 && moved < kMaxCpus) result.add(static_cast<int>(moved));
  }
  return result;
}

// A resource interval inside braces: number, number:length, number:length:stride, !number.
bool parse_resources(Scanner& scanner, CpuSet& place) {
  bool excluded = scanner.accept('!');
  uint64_t first = 0;
  Interval interval;
  if (!scanner.number(first) || first > kMaxLength) return false;
  if (!excluded && !parse_interval(scanner, interval)) return false;
  int64_t cpu = static_cast<int64_t>(first);
  for (uint64_t i = 0; i < interval.length; ++i, cpu += interval.stride) {
    if (cpu < 0) return false;
    if (cpu >= kMaxCpus) break;
    if (excluded)
      place.remove(static_cast<int>(cpu));
    else
      place.add(static_cast<int>(cpu));
  }
  return true;
}

bool parse_place(Scanner& scanner, CpuSet& place) {
  if (!scanner.accept('{')) {
    uint64_t cpu = 0;
    if (!scanner.number(cpu)) return false;
    if (cpu < uint64_t{kMaxCpus}) place.add(static_cast<int>(cpu));
    return true;
  }
  do {
    if (!parse_resources(scanner, place)) return false;
  } while (scanner.accept(','));
  return scanner.accept('}');
}

bool parse_place_interval(Scanner& scanner, PlaceBuilder* builder) {
  bool excluded = scanner.accept('!');
  CpuSet place;
  Interval interval;
  if (!parse_place(scanner, place)) return false;
  if (!excluded && !parse_interval(scanner, interval)) return false;
  if (builder == nullptr) return true;
  if (excluded) {
    builder->remove(place);
    return true;
  }
  for (uint64_t i = 0; i < interval.length; ++i) {
    CpuSet next = shifted(place, static_cast<int64_t>(i) * interval.stride);
    if (next.empty()) break;
    if (!builder->add_listed(next)) return false;
  }
  return true;
}

constexpr Keyword<Kind> kNames[] = {
    {"threads", Kind::cpu},         {"cores", Kind::core},
    {"ll_caches", Kind::last_cache}, {"sockets", Kind::package},
    {"numa_domains", Kind::numa},
};

struct NamedPlaces {
  Kind kind = Kind::cpu;
  uint64_t count = 0;
  int64_t stride = 1;
};

bool parse_named(std::string_view text, NamedPlaces& named) {
  Scanner scanner(text);
  if (!parse_keyword(scanner.word(), kNames, named.kind)) return false;
  if (scanner.accept('(')) {
    if (!scanner.number(named.count) || named.count == 0 || named.count > kMaxLength) return false;
    if (scanner.accept(':') && !scanner.signed_number(named.stride)) return false;
    if (named.stride <= 0 || named.stride > kMaxCpus || !scanner.accept(')')) return false;
  }
  return scanner.at_end();
}

bool parse_list(std::string_view text, PlaceBuilder* builder) {
  Scanner scanner(text);
  do {
    if (!parse_place_interval(scanner, builder)) return false;
  } while (scanner.accept(','));
  return scanner.at_end();
}

// Items of GOMP_CPU_AFFINITY: number, first-last, first-last:stride.
bool parse_cpu_range(Scanner& scanner, PlaceBuilder* builder) {
  uint64_t first = 0;
  if (!scanner.number(first)) return false;
  uint64_t last = first, stride = 1;
  if (scanner.accept('-') && !scanner.number(last)) return false;
  if (scanner.accept(':') && (!scanner.number(stride) || stride == 0)) return false;
  if (last < first || last > kMaxLength) return false;
  if (builder == nullptr) return true;
  for (uint64_t cpu = first; cpu <= last && cpu < uint64_t{kMaxCpus}; cpu += stride) {
    CpuSet place;
    place.add(static_cast<int>(cpu));
    if (!builder->add_listed(place)) return false;
  }
  return true;
}

bool parse_cpu_list(std::string_view text, PlaceBuilder* builder) {
  Scanner scanner(text);
  do {
    if (!parse_cpu_range(scanner, builder)) return false;
    scanner.accept(',');
  } while (!scanner.at_end());
  return true;
}

}  // namespace

bool places_are_valid(std::string_view text) {
  NamedPlaces named;
  return parse_named(text, named) || parse_list(text, nullptr);
}

bool cpu_affinity_is_valid(std::string_view text) { return parse_cpu_list(text, nullptr); }

bool add_places(std::string_view text, const topology::Tree& tree, PlaceBuilder& builder) {
  NamedPlaces named;
  if (!parse_named(text, named)) return parse_list(text, &builder);
  return add_parts(tree, named.kind, static_cast<int>(named.count), static_cast<int>(named.stride),
                   builder);
}

bool add_cpu_affinity(std::string_view text, PlaceBuilder& builder) {
  return parse_cpu_list(text, &builder);
}

bool add_parts(const topology::Tree& tree, Kind kind, int count, int stride,
               PlaceBuilder& builder) {
  std::span<const int> parts = tree.all(kind);
  if (parts.empty()) parts = tree.all(Kind::machine);
  std::size_t step = static_cast<std::size_t>(stride);
  int limit = count == 0 ? PlaceBuilder::kMaxPlaces : builder.count() + count;
  for (std::size_t i = 0; i < parts.size() && builder.count() < limit; i += step)
    if (!builder.add(tree.cpus(parts[i]))) return false;
  return true;
}

}  // namespace tulle::omp
