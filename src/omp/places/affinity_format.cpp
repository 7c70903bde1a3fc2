// SPDX-License-Identifier: Apache-2.0
#include "omp/places/affinity_format.h"

#include <unistd.h>

#include "omp/icv/icv.h"
#include "sync/spinlock.h"

namespace tulle::omp {
namespace {

// A field's type is one letter or a long name in braces.
constexpr struct {
  char letter;
  std::string_view name;
} kFields[] = {{'t', "team_num"},      {'T', "num_teams"},      {'L', "nesting_level"},
               {'n', "thread_num"},    {'N', "num_threads"},    {'a', "ancestor_tnum"},
               {'H', "host"},          {'P', "process_id"},     {'i', "native_thread_id"},
               {'A', "thread_affinity"}};

struct Field {
  char letter = '\0';  // null: unknown
  bool zeros = false;
  bool right = false;
  std::size_t width = 0;
};

// Reads what follows a '%': [[[0].]size]type.
Field read_field(std::string_view& rest) {
  Field field;
  auto next_is = [&](char c) {
    if (rest.empty() || rest.front() != c) return false;
    rest.remove_prefix(1);
    return true;
  };
  field.zeros = next_is('0');
  field.right = next_is('.');
  while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
    field.width = field.width * 10 + static_cast<std::size_t>(rest.front() - '0');
    if (field.width > kMaxAffinityFormat) field.width = kMaxAffinityFormat;
    rest.remove_prefix(1);
  }
  if (rest.empty()) return field;
  std::string_view name(rest.data(), 1);
  if (next_is('{')) {
    std::size_t length = 0;
    while (length < rest.size() && rest[length] != '}') ++length;
    name = {rest.data(), length};
    rest.remove_prefix(length < rest.size() ? length + 1 : length);
  } else {
    rest.remove_prefix(1);
  }
  for (const auto& known : kFields)
    if (name == known.name || (name.size() == 1 && name.front() == known.letter))
      field.letter = known.letter;
  return field;
}

bool field_number(char letter, const AffinityInfo& info, int& value) {
  switch (letter) {
    case 't': return value = info.team_num, true;
    case 'T': return value = info.num_teams, true;
    case 'L': return value = info.level, true;
    case 'n': return value = info.thread_num, true;
    case 'N': return value = info.num_threads, true;
    case 'a': return value = info.ancestor_thread_num, true;
    case 'i': return value = info.native_thread, true;
    case 'P': return value = static_cast<int>(getpid()), true;
    default: return false;
  }
}

void put_field_value(TextBuffer& out, const Field& field, const AffinityInfo& info, Peer peer) {
  int number = 0;
  char host[256] = "";
  if (field_number(field.letter, info, number))
    out.put_number(number);
  else if (field.letter == 'A')
    put_cpus(out, info.cpus, peer);
  else if (field.letter == 'H' && gethostname(host, sizeof host - 1) == 0)
    out.put(host);
  else
    out.put("undefined");
}

void put_field(TextBuffer& out, const Field& field, const AffinityInfo& info, Peer peer) {
  char text[kMaxAffinityFormat];
  TextBuffer value(text, sizeof text);
  put_field_value(value, field, info, peer);
  std::string_view whole = value.text();
  std::size_t padding = field.width > whole.size() ? field.width - whole.size() : 0;
  if (!field.right) {
    out.put(whole);
    while (padding-- > 0) out.put(' ');
    return;
  }
  bool negative = field.zeros && !whole.empty() && whole.front() == '-';
  if (negative) {
    out.put('-');
    whole.remove_prefix(1);
  }
  while (padding-- > 0) out.put(field.zeros ? '0' : ' ');
  out.put(whole);
}

constexpr const char* kLibompFormat = "OMP: pid %P tid %i thread %n bound to OS proc set {%A}";

// The format once a routine set it; empty before. All under `changing`.
TULLE_HELD_AT_FORK sync::Spinlock changing;
char changed_format[kMaxAffinityFormat];
bool changed = false;

}  // namespace

void put_cpus(TextBuffer& out, const CpuSet& cpus, Peer peer) {
  bool first_range = true;
  for (int cpu = cpus.first(); cpu >= 0;) {
    int last = cpu;
    while (cpus.contains(last + 1)) ++last;
    if (peer == Peer::libomp && last == cpu + 1) last = cpu;
    if (!first_range) out.put(',');
    first_range = false;
    out.put_number(cpu);
    if (last > cpu) {
      out.put('-');
      out.put_number(last);
    }
    cpu = cpus.next(last);
  }
}

void expand_affinity_format(TextBuffer& out, std::string_view format, const AffinityInfo& info,
                            Peer peer) {
  while (!format.empty()) {
    char c = format.front();
    format.remove_prefix(1);
    if (c != '%') {
      out.put(c);
    } else if (!format.empty() && format.front() == '%') {
      format.remove_prefix(1);
      out.put('%');
    } else {
      put_field(out, read_field(format), info, peer);
    }
  }
}

void set_affinity_format(std::string_view format) {
  sync::Guard guard(changing);
  TextBuffer(changed_format, sizeof changed_format).put(format);
  changed = true;
}

void put_affinity_format(TextBuffer& out, Peer peer) {
  const Setting<const char*>& set = global_icv().affinity_format;
  bool own = peer == Peer::libomp && set.source.origin == Origin::standard;
  sync::Guard guard(changing);
  out.put(changed ? changed_format : own ? kLibompFormat : set.value);
}

}  // namespace tulle::omp
