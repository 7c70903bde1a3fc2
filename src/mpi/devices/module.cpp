// SPDX-License-Identifier: Apache-2.0
// Packets and transfers by messages of MPI (tulle/remote.h). One thread calls at a time, so the library need not lock for
// this module; where the program uses MPI itself it locks. Calls by their profiling names: what stands before the others
// is the program's. Linked with one MPI, and with nothing of the runtime.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "meeting.h"
#include "peers.h"
#include "tulle/remote.h"

namespace {

constexpr int kPacketTag = 1;
constexpr int kLaneTag = 2;  // and one more for each lane
constexpr int kPosted = 64;

struct Posted {
  char bytes[TULLE_REMOTE_PACKET];
};

// Requests of transfers, with what each is for, side by side as MPI_Testsome wants them.
struct Moving {
  int count = 0, room = 0;
  MPI_Request* requests = nullptr;
  void** transfers = nullptr;
  int* peers = nullptr;
  int* indices = nullptr;

  bool grow() {
    if (count < room) return true;
    int more = room == 0 ? 64 : 2 * room;
    auto bytes = [more](size_t each) { return each * static_cast<size_t>(more); };
    void* grown[] = {realloc(requests, bytes(sizeof *requests)), realloc(transfers, bytes(sizeof *transfers)),
                     realloc(peers, bytes(sizeof *peers)), realloc(indices, bytes(sizeof *indices))};
    if (grown[0] != nullptr) requests = static_cast<MPI_Request*>(grown[0]);
    if (grown[1] != nullptr) transfers = static_cast<void**>(grown[1]);
    if (grown[2] != nullptr) peers = static_cast<int*>(grown[2]);
    if (grown[3] != nullptr) indices = static_cast<int*>(grown[3]);
    if (grown[0] == nullptr || grown[1] == nullptr || grown[2] == nullptr || grown[3] == nullptr) return false;
    room = more;
    return true;
  }

  void remove(int at) {
    --count;
    requests[at] = requests[count];
    transfers[at] = transfers[count];
    peers[at] = peers[count];
  }
};

Meeting meeting;
tulle_remote remote;
Posted posted[kPosted];
MPI_Request posting[kPosted];
char arrived[TULLE_REMOTE_PACKET];
MPI_Request arriving = MPI_REQUEST_NULL;
Moving moving;

// What cannot go on without a library that works ends the program: mpirun ends the others.
void require(int error) {
  if (error == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  PMPI_Error_string(error, text, &length);
  tell(text);
  PMPI_Abort(MPI_COMM_WORLD, 1);
}

// Once a peer is lost the library's errors are of messages to it.
void tolerate(int error) {
  if (!any_lost()) require(error);
}

void listen() {
  require(PMPI_Irecv(arrived, sizeof arrived, MPI_BYTE, MPI_ANY_SOURCE, kPacketTag, meeting.comm, &arriving));
}

int free_slot() {
  for (;;) {
    for (int i = 0; i < kPosted; ++i) {
      int done = 1;
      if (posting[i] != MPI_REQUEST_NULL) tolerate(PMPI_Test(&posting[i], &done, MPI_STATUS_IGNORE));
      if (done != 0) return i;
    }
  }
}

void post(tulle_remote*, int peer, const void* packet, size_t bytes) {
  if (is_lost(peer)) return;
  int slot = free_slot();
  memcpy(posted[slot].bytes, packet, bytes);
  tolerate(PMPI_Isend(posted[slot].bytes, static_cast<int>(bytes), MPI_BYTE, meeting.rank_of(peer), kPacketTag, meeting.comm, &posting[slot]));
}

MPI_Request* begin_moving(int peer, void* transfer) {
  if (!moving.grow()) {
    tell("no memory for a transfer");
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
  moving.transfers[moving.count] = transfer;
  moving.peers[moving.count] = peer;
  moving.requests[moving.count] = MPI_REQUEST_NULL;
  return &moving.requests[moving.count++];
}

void send(tulle_remote*, int peer, int lane, const void* from, size_t bytes, void* transfer) {
  if (is_lost(peer)) return;
  tolerate(PMPI_Isend(from, static_cast<int>(bytes), MPI_BYTE, meeting.rank_of(peer), kLaneTag + lane, meeting.comm,
                       begin_moving(peer, transfer)));
}

void receive(tulle_remote*, int peer, int lane, void* to, size_t bytes, void* transfer) {
  if (is_lost(peer)) return;
  tolerate(PMPI_Irecv(to, static_cast<int>(bytes), MPI_BYTE, meeting.rank_of(peer), kLaneTag + lane, meeting.comm,
                       begin_moving(peer, transfer)));
}

bool take_packet(const tulle_remote_events& events, void* context) {
  MPI_Status status;
  int done = 0, bytes = 0;
  tolerate(PMPI_Test(&arriving, &done, &status));
  if (done == 0 || status.MPI_SOURCE < 0) return false;
  PMPI_Get_count(&status, MPI_BYTE, &bytes);
  char packet[TULLE_REMOTE_PACKET];
  memcpy(packet, arrived, static_cast<size_t>(bytes));
  listen();
  events.packet(context, meeting.peer_of(status.MPI_SOURCE), packet, static_cast<size_t>(bytes));
  return true;
}

// What done() begins comes behind what is looked at here.
int take_transfers(const tulle_remote_events& events, void* context) {
  int came = 0;
  if (moving.count == 0) return 0;
  tolerate(PMPI_Testsome(moving.count, moving.requests, &came, moving.indices, MPI_STATUSES_IGNORE));
  void* done[64];
  int told = 0;
  for (int i = moving.count - 1; i >= 0 && told < 64; --i) {
    if (moving.requests[i] != MPI_REQUEST_NULL) continue;
    done[told++] = moving.transfers[i];
    moving.remove(i);
  }
  for (int i = told; i-- > 0;) events.done(context, done[i]);
  return told;
}

void forget_transfers(int peer) {
  for (int i = moving.count; i-- > 0;)
    if (moving.peers[i] == peer) moving.remove(i);
}

int poll(tulle_remote*, const tulle_remote_events* events, void* context) {
  int told = 0;
  for (int lost = next_lost(); lost >= 0; lost = next_lost(), ++told) {
    forget_transfers(lost);
    events->lost(context, lost);
  }
  while (told < 16 && take_packet(*events, context)) ++told;
  return told + take_transfers(*events, context);
}

void end(tulle_remote*, int together) {
  if (together == 0) return;
  PMPI_Waitall(kPosted, posting, MPI_STATUSES_IGNORE);
  PMPI_Cancel(&arriving);
  PMPI_Wait(&arriving, MPI_STATUS_IGNORE);
  leave(meeting);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) tulle_remote* tulle_remote_open_2(const tulle_remote_start* start,
                                                                                   const char** why) {
  if (!meet(*start, meeting, why)) return nullptr;
  PMPI_Comm_set_errhandler(meeting.comm, MPI_ERRORS_RETURN);
  for (MPI_Request& each : posting) each = MPI_REQUEST_NULL;
  remote.rank = meeting.rank;
  remote.ranks = meeting.ranks;
  remote.post = post;
  remote.send = send;
  remote.receive = receive;
  remote.poll = poll;
  remote.end = end;
  if (!meet_peers(meeting)) {
    *why = "no memory for what is known of the ranks";
    return nullptr;
  }
  listen();
  return &remote;
}
