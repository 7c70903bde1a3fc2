// SPDX-License-Identifier: Apache-2.0
#include "omp/places/kmp_affinity.h"

#include <stdlib.h>

#include <algorithm>

#include "omp/icv/environment_parse.h"
#include "omp/places/places_parse.h"

namespace tulle::omp {
namespace {

using topology::Kind;

constexpr Keyword<AffinityType> kTypes[] = {
    {"none", AffinityType::none},         {"disabled", AffinityType::disabled},
    {"compact", AffinityType::compact},   {"scatter", AffinityType::scatter},
    {"balanced", AffinityType::balanced}, {"explicit", AffinityType::listed},
    {"logical", AffinityType::compact},   {"physical", AffinityType::scatter},
};

constexpr Keyword<Kind> kGranularities[] = {
    {"fine", Kind::cpu},        {"thread", Kind::cpu},         {"core", Kind::core},
    {"tile", Kind::cache},      {"module", Kind::cache},       {"die", Kind::package},
    {"socket", Kind::package},  {"package", Kind::package},    {"group", Kind::package},
    {"numa", Kind::numa},       {"numa_domain", Kind::numa},   {"node", Kind::numa},
    {"ll_cache", Kind::last_cache}, {"l3_cache", Kind::last_cache}, {"l2_cache", Kind::cache},
};

// Those that are ignored speak of warnings and of the mask of the initial thread, which we respect in any
// case.
enum class Modifier : uint8_t { ignored, verbose, not_verbose, reset, no_reset };
constexpr Keyword<Modifier> kModifiers[] = {
    {"verbose", Modifier::verbose},  {"noverbose", Modifier::not_verbose},
    {"warnings", Modifier::ignored}, {"nowarnings", Modifier::ignored},
    {"respect", Modifier::ignored},  {"norespect", Modifier::ignored},
    {"reset", Modifier::reset},      {"noreset", Modifier::no_reset}};

// Items of a proclist: number, first-last[:stride], {set of such}. With a builder, adds the places.
bool parse_proc_item(Scanner& scanner, PlaceBuilder* builder) {
  bool set = scanner.accept('{');
  CpuSet place;
  do {
    uint64_t first = 0;
    if (!scanner.number(first)) return false;
    uint64_t last = first, stride = 1;
    if (scanner.accept('-') && !scanner.number(last)) return false;
    if (scanner.accept(':') && (!scanner.number(stride) || stride == 0)) return false;
    if (last < first || last >= uint64_t{kMaxCpus}) return false;
    for (uint64_t cpu = first; cpu <= last; cpu += stride) {
      place.add(static_cast<int>(cpu));
      if (set) continue;
      if (builder != nullptr && !builder->add_listed(place)) return false;
      place = CpuSet{};
    }
  } while (set && scanner.accept(','));
  if (!set) return true;
  return scanner.accept('}') && (builder == nullptr || builder->add_listed(place));
}

bool parse_proc_list(std::string_view text, PlaceBuilder* builder) {
  Scanner scanner(text);
  do {
    if (!parse_proc_item(scanner, builder)) return false;
  } while (scanner.accept(','));
  return scanner.at_end();
}

bool parse_proc_list_modifier(Scanner& scanner, KmpAffinity& out) {
  if (!scanner.accept('=') || !scanner.accept('[')) return false;
  std::string_view rest = scanner.rest();
  std::size_t length = 0;
  while (length < rest.size() && rest[length] != ']') ++length;
  if (length == rest.size()) return false;
  out.proc_list = {rest.data(), length};
  scanner = Scanner({rest.data() + length + 1, rest.size() - length - 1});
  return parse_proc_list(out.proc_list, nullptr);
}

void apply(Modifier modifier, KmpAffinity& out) {
  switch (modifier) {
    case Modifier::verbose:
    case Modifier::not_verbose: out.verbose = modifier == Modifier::verbose; break;
    case Modifier::reset:
    case Modifier::no_reset: out.reset = modifier == Modifier::reset; break;
    case Modifier::ignored: break;
  }
}

// One item before the numbers: a type or a modifier.
bool parse_affinity_item(Scanner& scanner, KmpAffinity& out, bool& typed) {
  std::string_view word = scanner.word();
  if (!typed && parse_keyword(word, kTypes, out.type)) return typed = true, true;
  Modifier modifier;
  if (parse_keyword(word, kModifiers, modifier)) {
    apply(modifier, out);
    return true;
  }
  if (Scanner::same_word(word, "granularity"))
    return scanner.accept('=') && parse_keyword(scanner.word(), kGranularities, out.granularity);
  return Scanner::same_word(word, "proclist") && parse_proc_list_modifier(scanner, out);
}

bool parse_small(Scanner& scanner, int& out) {
  uint64_t value = 0;
  if (!scanner.number(value) || value > uint64_t{kMaxCpus}) return false;
  out = static_cast<int>(value);
  return true;
}

// A part of the machine, and its number in its core's, package's and the machine's count.
struct Coordinates {
  int part;
  int at[3];  // outermost first
};
constexpr int kDepth = 3;

int number_within(const topology::Tree& tree, int part, int outer) {
  if (outer < 0 || part < 0) return 0;
  int number = 0;
  for (int id = outer; id < part; ++id) number += tree[id].kind == tree[part].kind ? 1 : 0;
  return number;
}

// Compares as libomp's manual describes `permute`: the innermost `permute` levels count most.
bool precedes(const Coordinates& a, const Coordinates& b, int permute) {
  for (int i = 0; i < kDepth; ++i) {
    int level = i < permute ? kDepth - 1 - i : i - permute;
    if (a.at[level] != b.at[level]) return a.at[level] < b.at[level];
  }
  return a.part < b.part;
}

bool add_sorted(const KmpAffinity& affinity, const topology::Tree& tree, PlaceBuilder& builder) {
  std::span<const int> parts = tree.all(affinity.granularity);
  if (parts.empty()) parts = tree.all(Kind::machine);
  auto* list = static_cast<Coordinates*>(malloc(parts.size() * sizeof(Coordinates)));
  if (list == nullptr) return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    int package = tree.ancestor(parts[i], Kind::package);
    int core = tree.ancestor(parts[i], Kind::core);
    int outer = package >= 0 ? package : topology::Tree::kRoot;
    bool inside_core = core >= 0 && core != parts[i];
    list[i] = {parts[i],
               {number_within(tree, package, topology::Tree::kRoot),
                number_within(tree, inside_core ? core : parts[i], outer),
                inside_core ? number_within(tree, parts[i], core) : 0}};
  }
  int permute = affinity.permute < kDepth ? affinity.permute : kDepth - 1;
  if (affinity.type == AffinityType::scatter) permute = kDepth - 1 - permute;
  std::sort(list, list + parts.size(), [permute](const Coordinates& a, const Coordinates& b) {
    return precedes(a, b, permute);
  });
  bool fits = true;
  for (std::size_t i = 0; fits && i < parts.size(); ++i) fits = builder.add(tree.cpus(list[i].part));
  free(list);
  return fits;
}

constexpr Keyword<Kind> kSubsetUnits[] = {
    {"s", Kind::package},       {"socket", Kind::package},  {"sockets", Kind::package},
    {"n", Kind::numa},          {"numa", Kind::numa},       {"numa_domain", Kind::numa},
    {"numa_domains", Kind::numa}, {"ll", Kind::last_cache}, {"ll_cache", Kind::last_cache},
    {"ll_caches", Kind::last_cache}, {"l3", Kind::last_cache}, {"l3_cache", Kind::last_cache},
    {"l", Kind::cache},         {"tile", Kind::cache},      {"tiles", Kind::cache},
    {"l2", Kind::cache},        {"l2_cache", Kind::cache},  {"c", Kind::core},
    {"core", Kind::core},       {"cores", Kind::core},      {"t", Kind::cpu},
    {"thread", Kind::cpu},      {"threads", Kind::cpu},
};

// intel_core, intel_atom, or eff and a number: kinds of cores.
bool parse_core_attribute(Scanner& scanner) {
  std::string_view word = scanner.word();
  if (Scanner::same_word(word, "intel_core") || Scanner::same_word(word, "intel_atom")) return true;
  if (word.size() < 4 || !Scanner::same_word(word.substr(0, 3), "eff")) return false;
  return std::all_of(word.begin() + 3, word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool parse_subset_item(Scanner& scanner, HwSubset::Item& item) {
  item = {};
  if (!scanner.accept('*') && (!parse_small(scanner, item.count) || item.count == 0)) return false;
  if (!parse_keyword(scanner.word(), kSubsetUnits, item.kind)) return false;
  for (bool offset = false, attribute = false;;) {
    if (!offset && scanner.accept('@')) {
      if (!parse_small(scanner, item.offset)) return false;
      offset = true;
    } else if (!attribute && item.kind == Kind::core && scanner.accept(':')) {
      if (!parse_core_attribute(scanner)) return false;
      attribute = true;
    } else {
      return true;
    }
  }
}

// A cache of one core is not in the tree: it is counted by the core, as in libomp.
Kind counted_kind(const topology::Tree& tree, Kind kind) {
  return kind == Kind::cache && tree.all(Kind::cache).empty() ? Kind::core : kind;
}

void select(const topology::Tree& tree, int part, const HwSubset::Item* item,
            const HwSubset::Item* end, CpuSet& chosen) {
  if (item == end) {
    chosen |= tree.cpus(part);
    return;
  }
  int number = 0;
  const Kind kind = counted_kind(tree, item->kind);
  for (int id = part; id < tree[part].end; ++id) {
    if (tree[id].kind != kind) continue;
    bool wanted = number >= item->offset && (item->count == 0 || number < item->offset + item->count);
    if (wanted) select(tree, id, item + 1, end, chosen);
    ++number;
  }
  if (number == 0) select(tree, part, item + 1, end, chosen);  // the machine has no such level
}

}  // namespace

bool parse_kmp_affinity(std::string_view text, KmpAffinity& out) {
  Scanner scanner(text);
  KmpAffinity affinity;
  bool typed = false;
  int numbers = 0;
  do {
    bool digit = scanner.peek() >= '0' && scanner.peek() <= '9';
    if (!digit) {
      if (numbers != 0 || !parse_affinity_item(scanner, affinity, typed)) return false;
      continue;
    }
    if (!typed || numbers == 2) return false;
    if (!parse_small(scanner, numbers++ == 0 ? affinity.permute : affinity.offset)) return false;
  } while (scanner.accept(','));
  if (!scanner.at_end()) return false;
  if (affinity.type == AffinityType::listed && affinity.proc_list.empty()) return false;
  out = affinity;
  return true;
}

ProcBind bind_of(const KmpAffinity& affinity) {
  switch (affinity.type) {
    case AffinityType::unset:
    case AffinityType::none:
    case AffinityType::disabled: return ProcBind::off;
    case AffinityType::balanced: return ProcBind::spread;
    default: return ProcBind::close;
  }
}

bool asks_for_places(const char* text) {
  KmpAffinity affinity;
  return text != nullptr && parse_kmp_affinity(text, affinity) && affinity.type != AffinityType::unset;
}

bool add_kmp_affinity(std::string_view text, const topology::Tree& tree, PlaceBuilder& builder) {
  KmpAffinity affinity;
  if (!parse_kmp_affinity(text, affinity)) return false;
  bool added = true;
  switch (affinity.type) {
    case AffinityType::unset:
    case AffinityType::none:
    case AffinityType::disabled: return true;
    case AffinityType::listed: added = parse_proc_list(affinity.proc_list, &builder); break;
    case AffinityType::balanced: added = add_parts(tree, affinity.granularity, 0, 1, builder); break;
    default: added = add_sorted(affinity, tree, builder);
  }
  builder.rotate(affinity.offset);
  return added;
}

bool parse_hw_subset(std::string_view text, HwSubset& out) {
  Scanner scanner(text);
  HwSubset::Item given[topology::kKinds] = {};  // by kind
  bool present[topology::kKinds] = {};
  bool literal = scanner.accept(':');
  do {
    HwSubset::Item item;
    if (!parse_subset_item(scanner, item)) return false;
    int kind = static_cast<int>(item.kind);
    if (present[kind]) return false;
    present[kind] = true;
    given[kind] = item;
  } while (scanner.accept(','));
  if (!scanner.at_end()) return false;
  // Cores are counted per package and hardware threads per core, named or not.
  for (Kind implied : {Kind::package, Kind::core}) {
    int kind = static_cast<int>(implied);
    if (literal) break;
    if (!present[kind]) given[kind] = {implied, 0, 0};
    present[kind] = true;
  }
  out.count = 0;
  for (int kind = 0; kind < topology::kKinds; ++kind)
    if (present[kind]) out.items[out.count++] = given[kind];
  return true;
}

CpuSet hw_subset_cpus(std::string_view text, const topology::Tree& tree) {
  HwSubset subset;
  CpuSet chosen;
  parse_hw_subset(text, subset);
  select(tree, topology::Tree::kRoot, subset.items, subset.items + subset.count, chosen);
  return chosen;
}

}  // namespace tulle::omp
