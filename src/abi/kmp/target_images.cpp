// SPDX-License-Identifier: Apache-2.0
//
// Device code of programs and libraries, which tell of it when they are loaded.
#include <cstring>

#include "abi/kmp/layout.h"
#include "abi/kmp/target_layout.h"
#include "base/create.h"
#include "offload/images.h"
#include "os/report.h"

namespace tulle::kmp {
namespace {

constexpr char kObjectMagic[] = {0x7f, 'E', 'L', 'F'};
constexpr char kContainerMagic[] = {0x10, '\xff', 0x10, '\xad'};

// In a container: the object is so far from its begin.
struct ContainerHeader {
  char magic[4];
  uint32_t version;
  uint64_t bytes;
  uint64_t entry;
  uint64_t entry_bytes;
};
struct ContainerEntry {
  uint16_t image_kind;
  uint16_t offload_kind;
  uint32_t flags;
  uint64_t strings;
  uint64_t string_count;
  uint64_t image;
  uint64_t image_bytes;
};
static_assert(sizeof(ContainerHeader) == 32 && sizeof(ContainerEntry) == 40);

template <size_t n>
bool begins_with(const char* begin, size_t bytes, const char (&magic)[n]) {
  return bytes > n && memcmp(begin, magic, n) == 0;
}

// False: it is nothing that this machine could load.
bool find_object(const DeviceImage& from, offload::Image& image) {
  image.begin = from.begin;
  image.bytes = static_cast<size_t>(from.end - from.begin);
  if (begins_with(image.begin, image.bytes, kContainerMagic)) {
    if (image.bytes < sizeof(ContainerHeader) + sizeof(ContainerEntry)) return false;
    ContainerHeader header;
    memcpy(&header, from.begin, sizeof header);
    if (header.entry > image.bytes - sizeof(ContainerEntry)) return false;
    ContainerEntry entry;
    memcpy(&entry, from.begin + header.entry, sizeof entry);
    if (entry.image > image.bytes || entry.image_bytes > image.bytes - entry.image) return false;
    image.begin += entry.image;
    image.bytes = entry.image_bytes;
  }
  return begins_with(image.begin, image.bytes, kObjectMagic);
}

void add_symbol(offload::Image& image, const void* address, const char* name, uint64_t bytes, uint32_t flags) {
  if (name == nullptr || (flags & kEntryRequires) != 0) return;
  image.symbols.push({address, name, bytes});
}

void add_symbols(offload::Image& image, const char* begin, const char* end) {
  uint64_t first = 0;
  if (end != begin) memcpy(&first, begin, sizeof first);
  if (first == 0) {
    for (const auto* entry = reinterpret_cast<const OffloadEntry*>(begin); reinterpret_cast<const char*>(entry) < end;
         ++entry)
      add_symbol(image, entry->address, entry->name, entry->bytes, entry->flags);
  } else {
    for (const auto* entry = reinterpret_cast<const OldOffloadEntry*>(begin);
         reinterpret_cast<const char*>(entry) < end; ++entry)
      add_symbol(image, entry->address, entry->name, entry->bytes, entry->flags);
  }
}

}  // namespace

TULLE_KMP void __tgt_register_lib(const Binary* binary) {
  for (int32_t i = 0; i < binary->images; ++i) {
    auto* image = create<offload::Image>();
    if (image == nullptr) os::fatal("out of memory for device code of the program's");
    image->owner = binary;
    add_symbols(*image, binary->entries_begin, binary->entries_end);
    if (find_object(binary->list[i], *image))
      offload::add_image(image);
    else
      destroy(image);
  }
}

TULLE_KMP void __tgt_unregister_lib(const Binary* binary) { offload::remove_images(binary); }

// Devices are made when they are needed, and offer what any program requires that can be compiled for them.
TULLE_KMP void __tgt_init_all_rtls() {}
TULLE_KMP void __tgt_register_requires(int64_t) {}

}  // namespace tulle::kmp
