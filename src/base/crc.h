// SPDX-License-Identifier: Apache-2.0
// The CRC-32 of IEEE 802.3: finds every change of up to 32 bits that lie together. Pure: any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace tulle {

constexpr std::array<uint32_t, 256> crc32_table() {
  constexpr uint32_t kPolynomial = 0xedb88320;  // lowest power first in the highest bit
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
    table[byte] = rest;
  }
  return table;
}

constexpr uint32_t crc32(std::span<const char> bytes) {
  constexpr std::array<uint32_t, 256> kTable = crc32_table();
  uint32_t rest = ~uint32_t{0};
  for (char byte : bytes) rest = kTable[(rest ^ static_cast<unsigned char>(byte)) & 255] ^ (rest >> 8);
  return ~rest;
}

static_assert(crc32(std::span("123456789", 9)) == 0xcbf43926);  // the standard's check value

}  // namespace tulle
