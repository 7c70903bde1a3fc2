// SPDX-License-Identifier: Apache-2.0
#include "omp/icv/device_list.h"

#include "omp/icv/scanner.h"

namespace tulle::omp {

namespace {

bool scan_cpus(Scanner& scanner, CpuSet& cpus) {
  do {
    uint64_t first = 0, last = 0;
    if (!scanner.number(first)) return false;
    last = first;
    if (scanner.accept('-') && !scanner.number(last)) return false;
    if (last < first || last >= kMaxCpus) return false;
    for (uint64_t cpu = first; cpu <= last; ++cpu) cpus.add(static_cast<int>(cpu));
  } while (scanner.accept(','));
  return true;
}

bool scan_count(Scanner& scanner, uint32_t& count) {
  uint64_t number = 0;
  if (!scanner.number(number) || number == 0 || number > kMaxDevices) return false;
  count = static_cast<uint32_t>(number);
  return true;
}

bool scan_kind(Scanner& scanner, DeviceKind& kind) {
  constexpr std::string_view kWords[] = {"cluster", "process", "mpi"};
  std::string_view word = scanner.word();
  for (std::size_t i = 0; i < std::size(kWords); ++i) {
    if (!Scanner::same_word(word, kWords[i])) continue;
    kind = static_cast<DeviceKind>(i);
    return true;
  }
  return false;
}

}  // namespace

constinit DeviceSettings device_settings;

bool next_device_item(std::string_view& text, DeviceItem& item) {
  Scanner scanner(text);
  DeviceItem found{DeviceKind::cluster, 1, {}};
  if (!scan_kind(scanner, found.kind)) return false;
  if (scanner.accept(':')) {
    if (found.kind == DeviceKind::cluster ? !scan_cpus(scanner, found.cpus) : !scan_count(scanner, found.count))
      return false;
  } else {
    if (found.kind != DeviceKind::mpi) return false;
    found.count = 0;
  }
  if (!scanner.at_end() && !scanner.accept(';')) return false;
  item = found;
  text = scanner.rest();
  return true;
}

bool is_device_list(std::string_view text) {
  DeviceItem item{};
  if (Scanner(text).at_end()) return false;
  while (!Scanner(text).at_end())
    if (!next_device_item(text, item)) return false;
  return true;
}

}  // namespace tulle::omp
