// SPDX-License-Identifier: Apache-2.0
#include "offload/remote/conversation.h"

#include <string.h>

namespace tulle::offload {

Conversation::Conversation(Line& line, int rank, const Hearer& hearer)
    : Peer{take, lose}, line_(line), rank_(rank), hearer_(hearer) {
  Line::Hold hold(line_);
  line_.hear(rank, this);
}

Packet::Kind Conversation::order_for(Packet::Kind answer) {
  switch (answer) {
    case Packet::welcome: return Packet::hello;
    case Packet::taken: return Packet::put;
    case Packet::given: return Packet::get;
    default: return Packet::find;
  }
}

// Until its last part the slot has it, for a loss to be told of.
void Conversation::part_came(void* slot) {
  Answer*& answer = *static_cast<Answer**>(slot);
  if (--answer->parts != 0) return;
  Answer* whole = answer;
  answer = nullptr;
  whole->event.signal();
}

void Conversation::take(Peer* peer, const Packet& packet, const void* rest) {
  auto* self = static_cast<Conversation*>(peer);
  if (packet.kind == Packet::ran) return self->hearer_.ran(self->hearer_.context, packet);
  Answer*& slot = self->awaited_[order_for(packet.kind)];
  if (slot == nullptr) return;
  slot->packet = packet;
  if (packet.kind == Packet::given) memcpy(slot->into, rest, packet.bytes);
  part_came(&slot);
}

void Conversation::lose(Peer* peer) {
  auto* self = static_cast<Conversation*>(peer);
  if (self->is_lost_) return;
  self->is_lost_ = true;
  self->hearer_.lost(self->hearer_.context, !self->line_.is_open());
  if (self->line_.ends_with_process()) return;  // who still waits at the end of the process is not to go on
  self->hearer_.fail(self->hearer_.context);
  for (Answer*& slot : self->awaited_) {
    Answer* answer = slot;
    slot = nullptr;
    if (answer == nullptr) continue;
    answer->failed = true;
    answer->event.signal();
  }
}

void Conversation::post(const Packet& packet, const void* rest, size_t bytes) {
  if (!is_lost_) line_.post(rank_, packet, rest, bytes);
}

void Conversation::say(const Packet& packet, const void* rest, size_t bytes) {
  Line::Hold hold(line_);
  post(packet, rest, bytes);
}

bool Conversation::ask(Answer& answer, const Packet& packet, const void* rest, size_t bytes) {
  Line::Hold hold(line_);
  if (is_lost_) return false;
  awaited_[packet.kind] = &answer;
  line_.post(rank_, packet, rest, bytes);
  return true;
}

bool Conversation::ask(Answer& answer, const Packet& packet, Stream& stream, Stream::Way way, void* memory) {
  Line::Hold hold(line_);
  if (is_lost_) return false;
  const bool sends = way == Stream::Way::send;
  answer.parts = sends ? 2 : 1;  // what is sent has an answer beside its own end
  awaited_[packet.kind] = &answer;
  line_.post(rank_, packet);
  stream.begin(line_, rank_, sends ? kToDevice : kFromDevice, way, memory, packet.bytes, part_came,
               &awaited_[packet.kind]);
  return true;
}

bool Conversation::hear(Answer& answer, const Packet& packet) {
  if (!ask(answer, packet)) return false;
  line_.wait_for(answer.event);
  return !answer.failed;
}

}  // namespace tulle::offload
