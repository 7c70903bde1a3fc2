// SPDX-License-Identifier: Apache-2.0
#include "offload/code_ranges.h"

#include <link.h>

namespace tulle::offload {

bool CodeRanges::note() {
  auto add_object = [](dl_phdr_info* object, size_t, void* ranges) {
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = object->dlpi_phdr[i];
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
      uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
      if (!static_cast<Array<Range>*>(ranges)->push({begin, begin + segment.p_memsz})) return 1;
    }
    return 0;
  };
  return dl_iterate_phdr(add_object, &ranges_) == 0;
}

bool CodeRanges::hold(const void* function) const {
  auto address = reinterpret_cast<uintptr_t>(function);
  for (const Range& range : ranges_)
    if (address >= range.begin && address < range.end) return true;
  return false;
}

}  // namespace tulle::offload
