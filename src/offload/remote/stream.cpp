// SPDX-License-Identifier: Apache-2.0
#include "offload/remote/stream.h"

namespace tulle::offload {

void Stream::begin(Line& line, int peer, int lane, Way way, void* memory, size_t bytes, Ended ended, void* context) {
  line_ = &line;
  peer_ = peer;
  lane_ = lane;
  way_ = way;
  next_ = static_cast<char*>(memory);
  left_ = bytes;
  ended_ = ended;
  context_ = context;
  part_.done = part_done;
  part_.stream = this;
  while (left_ != 0 && under_way_ < kUnderWay) begin_part();
}

void Stream::begin_part() {
  size_t bytes = left_ < kPart ? left_ : kPart;
  char* memory = next_;
  next_ += bytes;
  left_ -= bytes;
  ++under_way_;
  if (way_ == Way::send)
    line_->send(peer_, lane_, memory, bytes, &part_);
  else
    line_->receive(peer_, lane_, memory, bytes, &part_);
}

void Stream::part_done(Transfer* transfer) {
  Stream* stream = static_cast<Part*>(transfer)->stream;
  --stream->under_way_;
  if (stream->left_ != 0)
    stream->begin_part();
  else if (stream->under_way_ == 0)
    stream->ended_(stream->context_);
}

}  // namespace tulle::offload
