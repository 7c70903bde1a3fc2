// SPDX-License-Identifier: Apache-2.0
#include "omp/data/allocator.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/contract.h"
#include "os/memory.h"
#include "os/pages.h"
#include "os/report.h"

namespace tulle::omp {

namespace {

enum Key : int32_t {
  kSyncHint = 1,
  kAlignment,
  kAccess,
  kPoolSize,
  kFallback,
  kFallbackData,
  kPinned,
  kPartition,
  kFirstDeviceKey,  // OpenMP 6.0: pin_device ... part_size say nothing about the host alone
  kLastDeviceKey = 14,
};

enum Value : uintptr_t {
  kFalse = 0,
  kTrue = 1,
  kContended = 3,
  kPrivate = 6,
  kAllOrDevice = 7,
  kCgroup = 10,
  kDefaultMemFallback = 11,
  kNullFallback,
  kAbortFallback,
  kAllocatorFallback,
  kEnvironment = 15,
  kNearest,
  kBlocked,
  kInterleaved,
  kAll = 19,
  kDefault = UINTPTR_MAX,
};

constexpr size_t kUnlimitedPool = SIZE_MAX;

struct Allocator {
  size_t alignment = 1;
  size_t pool_size = kUnlimitedPool;
  Value fallback = kDefaultMemFallback;
  AllocatorHandle fallback_data = kNullAllocator;
  bool pinned = false;
  Value partition = kEnvironment;
  std::atomic<size_t> used{0};  // bytes given out of a limited pool; relaxed: a counter, no order

  bool reserve(size_t size) {
    if (pool_size == kUnlimitedPool) return true;
    size_t before = used.load(std::memory_order_relaxed);
    do {
      if (size > pool_size - before) return false;
    } while (!used.compare_exchange_weak(before, before + size, std::memory_order_relaxed));
    return true;
  }

  void release(size_t size) {
    if (pool_size != kUnlimitedPool) used.fetch_sub(size, std::memory_order_relaxed);
  }

  bool mapped() const { return pinned || partition != kEnvironment; }
};

// Stands right before each block.
struct Header {
  void* base;     // what malloc or the mapping gave
  size_t size;    // what was asked for
  size_t mapped;  // length of the mapping, 0 for malloc
  AllocatorHandle handle;
};
static_assert(sizeof(Header) % alignof(max_align_t) == 0);

Header* header_of(const void* block) {
  return const_cast<Header*>(static_cast<const Header*>(block)) - 1;
}

constinit Allocator ordinary;
constinit Allocator ordinary_pinned{.pinned = true};

Allocator& resolve(AllocatorHandle handle) {
  TULLE_EXPECT(handle != kNullAllocator);
  if (handle == kGnuPinnedMemAlloc) return ordinary_pinned;
  if (is_predefined_allocator(handle)) return ordinary;
  return *reinterpret_cast<Allocator*>(handle);
}

// The meaning of omp_atv_default.
uintptr_t default_value(int32_t key) {
  switch (key) {
    case kSyncHint: return kContended;
    case kAlignment: return 1;
    case kAccess: return kAll;
    case kPoolSize: return kUnlimitedPool;
    case kFallback: return kDefaultMemFallback;
    case kPartition: return kEnvironment;
    default: return 0;  // no fb_data; not pinned
  }
}

// False: the key is unknown or cannot have the value.
bool apply(Allocator& allocator, const AllocatorTrait& trait) {
  uintptr_t value = trait.value == kDefault ? default_value(trait.key) : trait.value;
  auto between = [value](uintptr_t low, uintptr_t high) { return value >= low && value <= high; };
  switch (trait.key) {
    case kSyncHint:
      return between(kContended, kPrivate);  // every allocator is safe for all threads
    case kAlignment:
      allocator.alignment = value;
      return std::has_single_bit(value);
    case kAccess:
      return between(kAllOrDevice, kCgroup) || value == kAll;  // all memory is accessible to all
    case kPoolSize:
      allocator.pool_size = value;
      return true;
    case kFallback:
      allocator.fallback = static_cast<Value>(value);
      return between(kDefaultMemFallback, kAllocatorFallback);
    case kFallbackData:
      allocator.fallback_data = value;
      return true;
    case kPinned:
      allocator.pinned = value == kTrue;
      return between(kFalse, kTrue);
    case kPartition:
      allocator.partition = static_cast<Value>(value);
      return between(kEnvironment, kInterleaved);
    default:
      return trait.key >= kFirstDeviceKey && trait.key <= kLastDeviceKey;
  }
}

bool known_space(MemspaceHandle space) {
  constexpr MemspaceHandle kLowLat = 4, kLlvmDefault = 99, kLlvmDevice = 102, kGnuManaged = 200;
  return space <= kLowLat || (space >= kLlvmDefault && space <= kLlvmDevice) ||
         space == kGnuManaged;
}

os::PageSpread spread_of(Value partition) {
  if (partition == kInterleaved) return os::PageSpread::interleaved;
  return partition == kBlocked ? os::PageSpread::blocked : os::PageSpread::near;
}

void* map_for(const Allocator& allocator, size_t bytes) {
  void* base = os::map_memory(bytes);
  if (base == nullptr) return nullptr;
  if (allocator.partition != kEnvironment)
    os::spread_pages(base, bytes, spread_of(allocator.partition));
  if (allocator.pinned && !os::lock_pages(base, bytes)) {
    os::unmap_memory(base, bytes);
    return nullptr;
  }
  return base;
}

// A block out of this allocator alone, without its fallback. `held`: bytes of the pool that it takes over from
// the block whose place it takes.
void* allocate_from(Allocator& allocator, AllocatorHandle handle, size_t alignment, size_t size,
                    bool zeroed, size_t held = 0) {
  alignment = std::max({alignment, allocator.alignment, alignof(max_align_t)});
  size_t extra = sizeof(Header) + alignment - alignof(max_align_t);
  size_t bytes;
  if (__builtin_add_overflow(size, extra, &bytes) || !allocator.reserve(size - held)) return nullptr;

  void* base = allocator.mapped() ? map_for(allocator, bytes)
               : zeroed           ? calloc(1, bytes)
                                  : malloc(bytes);
  if (base == nullptr) {
    allocator.release(size - held);
    return nullptr;
  }
  uintptr_t first = reinterpret_cast<uintptr_t>(base) + sizeof(Header);
  void* block = reinterpret_cast<void*>((first + alignment - 1) & ~(alignment - 1));
  new (header_of(block)) Header{base, size, allocator.mapped() ? bytes : 0, handle};
  return block;
}

void* allocate_or_fall_back(size_t alignment, size_t size, AllocatorHandle handle, bool zeroed) {
  for (;;) {
    Allocator& allocator = resolve(handle);
    void* block = allocate_from(allocator, handle, alignment, size, zeroed);
    if (block != nullptr) return block;
    alignment = std::max(alignment, allocator.alignment);
    switch (allocator.fallback) {
      case kDefaultMemFallback:
        if (&allocator == &ordinary) return nullptr;
        handle = kDefaultMemAlloc;
        break;
      case kAllocatorFallback:
        handle = allocator.fallback_data;
        break;
      case kAbortFallback:
        os::fatal("out of memory: an allocator with fallback abort_fb was asked for %zu bytes",
                  size);
      default:
        return nullptr;
    }
  }
}

void give_back(const Header& header) {
  if (header.mapped != 0)
    os::unmap_memory(header.base, header.mapped);
  else
    free(header.base);
}

// A larger block of the same allocator: its pool has to have room for the difference only, as in libgomp. Null:
// it has none.
void* grow(void* block, size_t size) {
  Header header = *header_of(block);
  void* moved = allocate_from(resolve(header.handle), header.handle, 1, size, false, header.size);
  if (moved == nullptr) return nullptr;
  memcpy(moved, block, header.size);
  give_back(header);
  return moved;
}

// Keeps the block where it is.
void* shrink(void* block, size_t size) {
  Header& header = *header_of(block);
  resolve(header.handle).release(header.size - size);
  header.size = size;
  return block;
}

}  // namespace

bool is_predefined_allocator(AllocatorHandle handle) {
  return (handle >= kDefaultMemAlloc && handle <= kThreadMemAlloc) ||
         (handle >= kLlvmHostMemAlloc && handle <= kLlvmDeviceMemAlloc) ||
         handle == kGnuPinnedMemAlloc || handle == kGnuManagedMemAlloc;
}

AllocatorHandle init_allocator(MemspaceHandle space, int count, const AllocatorTrait* traits) {
  if (!known_space(space)) return kNullAllocator;
  void* memory = malloc(sizeof(Allocator));
  if (memory == nullptr) return kNullAllocator;
  auto* allocator = new (memory) Allocator;
  bool valid = true;
  for (int i = 0; i < count; ++i) valid = apply(*allocator, traits[i]) && valid;
  if (allocator->fallback == kAllocatorFallback && allocator->fallback_data == kNullAllocator)
    valid = false;
  if (valid) return reinterpret_cast<AllocatorHandle>(allocator);
  free(allocator);
  return kNullAllocator;
}

void destroy_allocator(AllocatorHandle handle) {
  if (handle == kNullAllocator || is_predefined_allocator(handle)) return;
  free(reinterpret_cast<Allocator*>(handle));
}

void* allocate(size_t alignment, size_t size, AllocatorHandle handle) {
  if (size == 0 || !std::has_single_bit(alignment)) return nullptr;
  return allocate_or_fall_back(alignment, size, handle, false);
}

void* allocate_zeroed(size_t alignment, size_t count, size_t size, AllocatorHandle handle) {
  if (count == 0 || size == 0 || !std::has_single_bit(alignment)) return nullptr;
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  return allocate_or_fall_back(alignment, bytes, handle, true);
}

void* reallocate(void* block, size_t size, AllocatorHandle handle) {
  TULLE_EXPECT(block != nullptr || handle != kNullAllocator);
  if (size == 0) {
    deallocate(block);
    return nullptr;
  }
  if (block == nullptr) return allocate(1, size, handle);
  size_t old_size = header_of(block)->size;
  bool stays = handle == kNullAllocator || handle == allocator_of(block);
  bool shrinks = stays && size <= old_size;
  if (shrinks && size >= old_size / 2) return shrink(block, size);
  if (stays && !shrinks)
    if (void* grown = grow(block, size)) return grown;
  void* moved = allocate(1, size, handle == kNullAllocator ? allocator_of(block) : handle);
  if (moved == nullptr) return shrinks ? shrink(block, size) : nullptr;
  memcpy(moved, block, std::min(size, old_size));
  deallocate(block);
  return moved;
}

AllocatorHandle allocator_of(const void* block) { return header_of(block)->handle; }

void deallocate(void* block) {
  if (block == nullptr) return;
  Header header = *header_of(block);
  give_back(header);
  resolve(header.handle).release(header.size);
}

}  // namespace tulle::omp
