// SPDX-License-Identifier: Apache-2.0
//
// What Clang fixes of programs with device code (-fopenmp-targets): beside layout.h. Observed in the LLVM IR of
// clang 22.1 for x86-64, with what clang 19 writes otherwise.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tulle::kmp {

// Of a map clause's item.
enum MapType : uint64_t {
  kMapTo = 0x1,
  kMapFrom = 0x2,
  kMapAlways = 0x4,
  kMapDelete = 0x8,
  kMapPointerAndObject = 0x10,  // the base is a pointer's address, and the range is what it points to
  kMapParameter = 0x20,         // the region gets it as an argument
  kMapReturn = 0x40,            // the program gets the device's address
  kMapPrivate = 0x80,
  kMapLiteral = 0x100,          // the base is the value
  kMapImplicit = 0x200,
  kMapPresent = 0x1000,
  kMapAttach = 0x4000,          // the base is a pointer's address: it is attached to the range
  kMapNonContiguous = uint64_t{1} << 44,
  kMapMember = uint64_t{0xffff} << 48,  // number of the item, from 1 on, whose part it is
};

// One dimension of a range that is not contiguous, outermost first.
struct Section {
  uint64_t offset;
  uint64_t count;
  uint64_t stride;  // in bytes
};
static_assert(sizeof(Section) == 24);

// Of __tgt_target_kernel.
struct KernelArguments {
  uint32_t version;
  uint32_t count;
  void** bases;
  void** begins;
  const int64_t* sizes;
  const uint64_t* types;
  void** names;
  void** mappers;
  uint64_t trip_count;
  uint64_t flags;
  uint32_t teams[3];
  uint32_t threads[3];
  uint32_t group_memory;
};
static_assert(offsetof(KernelArguments, teams) == 72 && sizeof(KernelArguments) == 104);

// Kernels have a parameter of their runtime's beside the program's: from the first of these versions on in front
// of the program's, from the second on behind them.
inline constexpr uint32_t kRuntimeParameterFirst = 3;
inline constexpr uint32_t kRuntimeParameterLast = 4;

// What host and device know by one name. `bytes` 0: a function; of the host's an address that nobody calls.
struct OffloadEntry {
  uint64_t reserved;  // 0
  uint16_t version;
  uint16_t kind;      // 1: OpenMP
  uint32_t flags;
  void* address;
  const char* name;
  uint64_t bytes;
  uint64_t data;
  void* auxiliary;
};
static_assert(sizeof(OffloadEntry) == 56);

// The same of older ones.
struct OldOffloadEntry {
  void* address;  // not null
  const char* name;
  uint64_t bytes;
  uint32_t flags;
  uint32_t reserved;
};
static_assert(sizeof(OldOffloadEntry) == 32);

inline constexpr uint32_t kEntryRequires = 0x10;  // what the program requires of devices; no name of theirs

struct DeviceImage {
  const char* begin;
  const char* end;
  const void* entries_begin;
  const void* entries_end;
};

struct Binary {
  int32_t images;
  const DeviceImage* list;
  const char* entries_begin;
  const char* entries_end;
};
static_assert(sizeof(Binary) == 32);

// One item of what a program's own mapper makes out of another.
struct MapComponent {
  void* base;
  void* begin;
  int64_t size;
  uint64_t type;
};

using Mapper = void (*)(void* components, void* base, void* begin, int64_t size, int64_t type, void* name);

}  // namespace tulle::kmp
