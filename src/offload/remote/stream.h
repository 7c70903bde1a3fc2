// SPDX-License-Identifier: Apache-2.0
// Bytes on their way between this process and another, in parts, of which some are under way at any time: so that
// each moves while both sides compute. One stream on a lane at a time. Touched by the line's holder.
#pragma once

#include "offload/remote/line.h"

namespace tulle::offload {

class Stream {
 public:
  enum class Way : uint8_t { send, receive };
  using Ended = void (*)(void* context);

  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // ended(context) when all bytes have moved; never where the peer is lost.
  void begin(Line& line, int peer, int lane, Way way, void* memory, size_t bytes, Ended ended, void* context);

 private:
  static constexpr size_t kPart = size_t{1} << 22;
  static constexpr int kUnderWay = 8;

  struct Part : Transfer {
    Stream* stream;
  };

  static void part_done(Transfer* transfer);
  void begin_part();

  Line* line_ = nullptr;
  int peer_ = 0;
  int lane_ = 0;
  Way way_ = Way::send;
  char* next_ = nullptr;
  size_t left_ = 0;  // that no part has
  int under_way_ = 0;
  Ended ended_ = nullptr;
  void* context_ = nullptr;
  Part part_{};
};

}  // namespace tulle::offload
