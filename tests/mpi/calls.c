/* SPDX-License-Identifier: Apache-2.0 */
/* Calls between two ranks, and those that wait for requests: data, statuses, errors and handles. */
#include "large.h"

#include <time.h>

#include "lanes.h"

enum { kLong = 30000 };

static void fill(int *data, int count, int seed) {
  for (int i = 0; i < count; ++i) data[i] = seed + i * 7;
}

static int sum_of(const int *data, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum = sum * 31 + data[i];
  return sum;
}

static void messages(Lane *lane, int other, int count) {
  int *data = malloc(sizeof(int) * kLong), *got = calloc(kLong, sizeof(int)), go = 0;
  MPI_Status status;
  fill(data, count, lane->rank + count);
  if (lane->rank == 0) {
    say(lane, "Send %d", MPI_Send(data, count, MPI_INT, other, 1, lane->comm));
    say(lane, "Ssend %d", MPI_Ssend(data, count, MPI_INT, other, 2, lane->comm));
    MPI_Recv(&go, 1, MPI_INT, other, 3, lane->comm, MPI_STATUS_IGNORE);
    say(lane, "Rsend %d", MPI_Rsend(data, count, MPI_INT, other, 4, lane->comm));
  } else {
    for (int tag = 1; tag <= 2; ++tag) {
      int error = MPI_Recv(got, kLong, MPI_INT, MPI_ANY_SOURCE, tag, lane->comm, &status);
      say_status(lane, "Recv", error, &status, MPI_INT);
      say(lane, "data %d", sum_of(got, count));
    }
    MPI_Request ready;
    MPI_Irecv(got, kLong, MPI_INT, other, 4, lane->comm, &ready);
    MPI_Send(&go, 1, MPI_INT, other, 3, lane->comm);
    int error = MPI_Wait(&ready, &status);
    say_status(lane, "Wait", error, &status, MPI_INT);
    say(lane, "data %d null %d", sum_of(got, count), ready == MPI_REQUEST_NULL);
  }
  int error = MPI_Sendrecv(data, count, MPI_INT, other, 5, got, kLong, MPI_INT, other, 5, lane->comm, &status);
  say_status(lane, "Sendrecv", error, &status, MPI_INT);
  say(lane, "data %d", sum_of(got, count));
  error = MPI_Sendrecv_replace(data, count, MPI_INT, other, 6, MPI_ANY_SOURCE, 6, lane->comm, &status);
  say_status(lane, "Sendrecv_replace", error, &status, MPI_INT);
  say(lane, "data %d", sum_of(data, count));
  free(data);
  free(got);
}

static void probes(Lane *lane, int other) {
  int data[6] = {1, 2, 3, 4, 5, 6}, got[6] = {0};
  MPI_Status status;
  if (lane->rank == 0) {
    MPI_Send(data, 6, MPI_INT, other, 11, lane->comm);
    MPI_Send(data, 3, MPI_INT, other, 12, lane->comm);
    return;
  }
  int error = MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, lane->comm, &status);
  say_status(lane, "Probe", error, &status, MPI_INT);
  MPI_Recv(got, 6, MPI_INT, other, 11, lane->comm, MPI_STATUS_IGNORE);
  MPI_Message message;
  error = MPI_Mprobe(other, 12, lane->comm, &message, &status);
  say_status(lane, "Mprobe", error, &status, MPI_INT);
  error = MPI_Mrecv(got, 6, MPI_INT, &message, &status);
  say_status(lane, "Mrecv", error, &status, MPI_INT);
  say(lane, "message null %d data %d", message == MPI_MESSAGE_NULL, sum_of(got, 6));
}

static void nobody(Lane *lane) {
  int data = 5;
  MPI_Status status;
  int error = MPI_Recv(&data, 1, MPI_INT, MPI_PROC_NULL, 1, lane->comm, &status);
  say_status(lane, "Recv of MPI_PROC_NULL", error, &status, MPI_INT);
  error = MPI_Sendrecv(&data, 1, MPI_INT, MPI_PROC_NULL, 1, &data, 1, MPI_INT, MPI_PROC_NULL, 1, lane->comm, &status);
  say_status(lane, "Sendrecv of MPI_PROC_NULL", error, &status, MPI_INT);
  error = MPI_Probe(MPI_PROC_NULL, 1, lane->comm, &status);
  say_status(lane, "Probe of MPI_PROC_NULL", error, &status, MPI_INT);
}

#ifndef OPEN_MPI /* 4.1.4 does not end in MPI_Waitall with a request that failed */
/* The last and one that fails are complete when MPI_Waitall is called, the others come later. MPICH ends those up to
   the one that fails, and leaves the others. */
static void fail_among_others(Lane *lane, int other) {
  enum { kAll = 4, kFails = 1 };
  static const struct timespec later = {0, 30000000};
  int data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, got[kAll] = {0};
  MPI_Request all[kAll];
  MPI_Status statuses[kAll];
  if (lane->rank == 0) {
    MPI_Send(data, 8, MPI_INT, other, 50 + kFails, lane->comm);
    MPI_Send(data, 1, MPI_INT, other, 50 + kAll - 1, lane->comm);
    MPI_Send(data, 1, MPI_INT, other, 60, lane->comm);
    nanosleep(&later, NULL);
    MPI_Send(data + 5, 1, MPI_INT, other, 50, lane->comm);
    MPI_Send(data + 6, 1, MPI_INT, other, 52, lane->comm);
    return;
  }
  for (int i = 0; i < kAll; ++i) MPI_Irecv(&got[i], 1, MPI_INT, other, 50 + i, lane->comm, &all[i]);
  MPI_Recv(data, 1, MPI_INT, other, 60, lane->comm, MPI_STATUS_IGNORE);
  int error = class_of(MPI_Waitall(kAll, all, statuses));
  say(lane, "Waitall %d of which one failed: got %d", error, got[0]);
  for (int i = 0; i < kAll; ++i) {
    say(lane, "null %d error %d", all[i] == MPI_REQUEST_NULL, class_of(statuses[i].MPI_ERROR));
    if (all[i] != MPI_REQUEST_NULL) MPI_Wait(&all[i], MPI_STATUS_IGNORE);
  }
  say_ints(lane, "got", MPI_SUCCESS, got + 2, 2);
}
#endif

static void errors(Lane *lane, int other) {
  int data[8] = {0}, far = lane->size + 3;
  MPI_Status status;
  say(lane, "Send to nobody %d", class_of(MPI_Send(data, 1, MPI_INT, far, 1, lane->comm)));
  say(lane, "Recv from nobody %d", class_of(MPI_Recv(data, 1, MPI_INT, far, 1, lane->comm, &status)));
  say(lane, "Send of -1 %d", class_of(MPI_Send(data, -1, MPI_INT, other, 1, lane->comm)));
  say(lane, "Sendrecv to nobody %d", class_of(MPI_Sendrecv(data, 1, MPI_INT, far, 9, data, 1, MPI_INT, other, 9,
                                                         lane->comm, &status)));
  if (lane->rank == 0) {
    MPI_Send(data, 8, MPI_INT, other, 21, lane->comm);
#ifndef OPEN_MPI /* 4.1.4 does not end in MPI_Waitall with a request that failed */
    MPI_Send(data, 8, MPI_INT, other, 22, lane->comm);
    MPI_Send(data, 2, MPI_INT, other, 23, lane->comm);
    fail_among_others(lane, other);
#endif
    return;
  }
  say(lane, "Recv of too much %d", class_of(MPI_Recv(data, 4, MPI_INT, other, 21, lane->comm, &status)));
#ifndef OPEN_MPI
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Irecv(data, 4, MPI_INT, other, 22, lane->comm, &requests[0]);
  MPI_Irecv(data + 4, 4, MPI_INT, other, 23, lane->comm, &requests[1]);
  int error = MPI_Waitall(2, requests, statuses);
  say(lane, "Waitall %d: %d %d", class_of(error), class_of(statuses[0].MPI_ERROR), class_of(statuses[1].MPI_ERROR));
  fail_among_others(lane, other);
#endif
}

static void requests(Lane *lane, int other) {
  int data[5] = {10, 20, 30, 40, 50}, got[5] = {0}, index = -7, count = -7, indices[5];
  MPI_Request all[5];
  MPI_Status status, statuses[5];
  if (lane->rank == 0) {
    for (int i = 0; i < 5; ++i) MPI_Isend(&data[i], 1, MPI_INT, other, 30 + i, lane->comm, &all[i]);
    say(lane, "Waitall %d", MPI_Waitall(5, all, statuses));
    MPI_Send(data, 1, MPI_INT, other, 40, lane->comm);
    MPI_Send(data, 1, MPI_INT, other, 41, lane->comm);
  } else {
    for (int i = 0; i < 5; ++i) MPI_Irecv(&got[i], 1, MPI_INT, other, 30 + i, lane->comm, &all[i]);
    int error = MPI_Waitall(5, all, statuses);
    say_ints(lane, "Waitall", error, got, 5);
    for (int i = 0; i < 5; ++i) say_status(lane, "of these", MPI_SUCCESS, &statuses[i], MPI_INT);
    /* One of three, between one that is none and one that is not started. */
    MPI_Request three[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Recv_init(got, 1, MPI_INT, other, 99, lane->comm, &three[1]);
    MPI_Irecv(got, 1, MPI_INT, other, 40, lane->comm, &three[2]);
    error = MPI_Waitany(3, three, &index, &status);
    say_status(lane, "Waitany", error, &status, MPI_INT);
    say(lane, "index %d null %d %d", index, three[1] == MPI_REQUEST_NULL, three[2] == MPI_REQUEST_NULL);
    MPI_Irecv(got, 1, MPI_INT, other, 41, lane->comm, &three[2]);
    error = MPI_Waitsome(3, three, &count, indices, statuses);
    say(lane, "Waitsome %d: %d of 3, number %d", class_of(error), count, indices[0]);
    say_status(lane, "of these", MPI_SUCCESS, &statuses[0], MPI_INT);
    error = MPI_Waitany(3, three, &index, &status);
    say(lane, "Waitany of none: %d, undefined %d", class_of(error), index == MPI_UNDEFINED);
    error = MPI_Waitsome(3, three, &count, indices, statuses);
    say(lane, "Waitsome of none: %d, undefined %d", class_of(error), count == MPI_UNDEFINED);
    error = MPI_Wait(&three[1], &status);
    say_status(lane, "Wait of one not started", error, &status, MPI_INT);
    MPI_Request_free(&three[1]);
  }
  MPI_Request none = MPI_REQUEST_NULL;
  int error = MPI_Wait(&none, &status);
  say_status(lane, "Wait of none", error, &status, MPI_INT);
}

static void persistent(Lane *lane, int other) {
  int data = 0;
  MPI_Request request;
  MPI_Status status;
  if (lane->rank == 0)
    MPI_Send_init(&data, 1, MPI_INT, other, 50, lane->comm, &request);
  else
    MPI_Recv_init(&data, 1, MPI_INT, other, 50, lane->comm, &request);
  for (int i = 1; i <= 3; ++i) {
    if (lane->rank == 0) data = i * 100;
    MPI_Start(&request);
    int error = MPI_Wait(&request, &status);
    say(lane, "persistent %d: %d, kept %d", class_of(error), data, request != MPI_REQUEST_NULL);
  }
  MPI_Request_free(&request);
}

static void cancelled(Lane *lane, int other) {
  int data = 0;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&data, 1, MPI_INT, other, 60, lane->comm, &request);
  MPI_Cancel(&request);
  int error = MPI_Wait(&request, &status), was = -1;
  MPI_Test_cancelled(&status, &was);
  say(lane, "Wait of a cancelled one %d: %d", class_of(error), was);
}

static void columns(Lane *lane, int other) {
  int data[4][4], got[4] = {0};
  MPI_Datatype column;
  for (int i = 0; i < 16; ++i) data[i / 4][i % 4] = i * (lane->rank + 1);
  MPI_Type_vector(4, 1, 4, MPI_INT, &column);
  MPI_Type_commit(&column);
  int error = MPI_Sendrecv(&data[0][1], 1, column, other, 70, got, 4, MPI_INT, other, 70, lane->comm, MPI_STATUS_IGNORE);
  say_ints(lane, "a column", error, got, 4);
  error = MPI_Sendrecv_replace(&data[0][2], 1, column, other, 71, other, 71, lane->comm, MPI_STATUS_IGNORE);
  say_ints(lane, "replaced", error, &data[0][0], 16);
  MPI_Type_free(&column);
}

static void epochs(Lane *lane, int other) {
  int window_data[4] = {0}, data = 77 + lane->rank;
  MPI_Win window;
  MPI_Group world, peer;
  MPI_Win_create(window_data, sizeof(window_data), sizeof(int), MPI_INFO_NULL, lane->comm, &window);
  MPI_Comm_group(lane->comm, &world);
  MPI_Group_incl(world, 1, &other, &peer);
  MPI_Win_post(peer, 0, window);
  MPI_Win_start(peer, 0, window);
  MPI_Put(&data, 1, MPI_INT, other, 2, 1, MPI_INT, window);
  MPI_Win_complete(window);
  int error = MPI_Win_wait(window);
  say_ints(lane, "Win_wait", error, window_data, 4);
  MPI_Group_free(&peer);
  MPI_Group_free(&world);
  MPI_Win_free(&window);
}

static void go(Lane *lane) {
  int other = 1 - lane->rank;
  messages(lane, other, 3);
  messages(lane, other, kLong);
  probes(lane, other);
  nobody(lane);
  errors(lane, other);
  requests(lane, other);
  persistent(lane, other);
  cancelled(lane, other);
  columns(lane, other);
  epochs(lane, other);
}

int main(int argc, char **argv) { return run_lanes(argc, argv, go); }
