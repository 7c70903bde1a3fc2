// SPDX-License-Identifier: Apache-2.0
// Thread affinity routines (OpenMP 5.2 §18.3). Fortran passes text with its length at the end and
// expects blanks behind what it gets.
#include <cstring>
#include <string_view>

#include "abi/api/entry.h"
#include "omp/binding/placement.h"
#include "omp/environment/display.h"
#include "omp/places/affinity_format.h"
#include "omp/places/places.h"

using namespace tulle;
using tulle::omp::Peer;

namespace {

bool is_place(int place) { return place >= 0 && place < omp::places().count(); }

template <class Number>
void copy_cpus(int place, Number* ids) {
  if (!is_place(place)) return;
  for (int cpu : omp::places().cpus(place)) *ids++ = cpu;
}

template <class Number>
void copy_partition(Number* numbers) {
  omp::Placement placement = omp::placement_of(omp::self());
  for (uint32_t i = 0; i < placement.count; ++i) numbers[i] = static_cast<Number>(placement.first + i);
}

std::string_view text_of(const char* text) { return text != nullptr ? text : ""; }

// Fills what `length` bytes of a text left over of a Fortran variable.
void pad(char* buffer, std::size_t size, std::size_t length) {
  if (length < size) std::memset(buffer + length, ' ', size - length);
}

// TextBuffer keeps a byte for the null that Fortran's variables have no room for.
template <class Put>
std::size_t put_fortran(char* buffer, std::size_t size, Put put) {
  char text[2 * omp::kMaxAffinityFormat];
  omp::TextBuffer out(text, sizeof text);
  put(out);
  std::string_view whole = out.text();
  std::memcpy(buffer, whole.data(), whole.size() < size ? whole.size() : size);
  pad(buffer, size, whole.size());
  return out.length();
}

}  // namespace

TULLE_QUERY(int32_t, omp_get_num_places, "OMP_4.5") { return omp::places().count(); }

TULLE_C(int32_t, omp_get_place_num_procs, "OMP_4.5", int place) {
  return is_place(place) ? static_cast<int32_t>(omp::places().cpus(place).size()) : 0;
}
TULLE_ONE_INT(int32_t, omp_get_place_num_procs, "OMP_4.5");

TULLE_C(void, omp_get_place_proc_ids, "OMP_4.5", int place, int* ids) { copy_cpus(place, ids); }
TULLE_FORTRAN(void, omp_get_place_proc_ids, "OMP_4.5", const int32_t* place, int32_t* ids) {
  copy_cpus(*place, ids);
}
TULLE_FORTRAN_8(void, omp_get_place_proc_ids, "OMP_4.5", const int64_t* place, int64_t* ids) {
  copy_cpus(api::to_int(*place), ids);
}

TULLE_QUERY(int32_t, omp_get_place_num, "OMP_4.5") {
  return omp::placement_of(omp::self()).place;
}

TULLE_QUERY(int32_t, omp_get_partition_num_places, "OMP_4.5") {
  return static_cast<int32_t>(omp::placement_of(omp::self()).count);
}

TULLE_C(void, omp_get_partition_place_nums, "OMP_4.5", int* numbers) { copy_partition(numbers); }
TULLE_FORTRAN(void, omp_get_partition_place_nums, "OMP_4.5", int32_t* numbers) {
  copy_partition(numbers);
}
TULLE_FORTRAN_8(void, omp_get_partition_place_nums, "OMP_4.5", int64_t* numbers) {
  copy_partition(numbers);
}

TULLE_C(void, omp_set_affinity_format, "OMP_5.0", const char* format) {
  omp::set_affinity_format(text_of(format));
}
TULLE_FORTRAN(void, omp_set_affinity_format, "OMP_5.0", const char* format, size_t length) {
  omp::set_affinity_format({format, length});
}
TULLE_LLVM(void, ompc_set_affinity_format, const char* format) {
  omp::set_affinity_format(text_of(format));
}

// The rest is done as the caller's own runtime does it. An object of Clang's asks for the second of each
// two; a Fortran program for a form whose name ends with '_'.
namespace {

int32_t proc_bind(Peer peer) {
  return omp::told_bind(api::read_icv([](const omp::Icv& icv) { return icv.bind; }), peer);
}

size_t get_format(char* buffer, size_t size, Peer peer) {
  omp::TextBuffer out(buffer, size);
  omp::put_affinity_format(out, peer);
  return out.length();
}

size_t capture(char* buffer, size_t size, const char* format, Peer peer) {
  omp::TextBuffer out(buffer, size);
  omp::capture_affinity(out, text_of(format), peer);
  return out.length();
}

size_t get_format_fortran(char* buffer, size_t size, Peer peer) {
  return put_fortran(buffer, size,
                     [peer](omp::TextBuffer& out) { omp::put_affinity_format(out, peer); });
}

size_t capture_fortran(char* buffer, std::string_view format, size_t size, Peer peer) {
  return put_fortran(buffer, size, [&](omp::TextBuffer& out) {
    omp::capture_affinity(out, format, peer);
  });
}

}  // namespace

#define TULLE_BOTH(type, name, node, parameters, expression)         \
  TULLE_GNU(type, name, node, TULLE_PARAMETERS parameters) {         \
    constexpr Peer kPeer = Peer::libgomp;                            \
    return expression;                                               \
  }                                                                  \
  TULLE_FOR_LLVM(type, name, TULLE_PARAMETERS parameters) {          \
    constexpr Peer kPeer = Peer::libomp;                             \
    return expression;                                               \
  }
#define TULLE_PARAMETERS(...) __VA_ARGS__

TULLE_BOTH(int32_t, omp_get_proc_bind, "OMP_4.0", (), proc_bind(kPeer))
TULLE_BOTH(int32_t, omp_get_proc_bind_, "OMP_4.0", (), proc_bind(kPeer))

TULLE_BOTH(size_t, omp_get_affinity_format, "OMP_5.0", (char* buffer, size_t size),
           get_format(buffer, size, kPeer))
TULLE_BOTH(size_t, omp_get_affinity_format_, "OMP_5.0", (char* buffer, size_t size),
           get_format_fortran(buffer, size, kPeer))
TULLE_LLVM(size_t, ompc_get_affinity_format, char* buffer, size_t size) {
  return get_format(buffer, size, Peer::libomp);
}

TULLE_BOTH(void, omp_display_affinity, "OMP_5.0", (const char* format),
           omp::display_affinity(text_of(format), kPeer))
TULLE_BOTH(void, omp_display_affinity_, "OMP_5.0", (const char* format, size_t length),
           omp::display_affinity({format, length}, kPeer))
TULLE_LLVM(void, ompc_display_affinity, const char* format) {
  omp::display_affinity(text_of(format), Peer::libomp);
}

TULLE_BOTH(size_t, omp_capture_affinity, "OMP_5.0",
           (char* buffer, size_t size, const char* format), capture(buffer, size, format, kPeer))
TULLE_BOTH(size_t, omp_capture_affinity_, "OMP_5.0",
           (char* buffer, const char* format, size_t size, size_t length),
           capture_fortran(buffer, {format, length}, size, kPeer))
TULLE_LLVM(size_t, ompc_capture_affinity, char* buffer, size_t size, const char* format) {
  return capture(buffer, size, format, Peer::libomp);
}
