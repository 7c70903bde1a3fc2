// SPDX-License-Identifier: Apache-2.0
// Calls without a non-blocking form of their own, and those that wait for requests of the program's.
#include <stdlib.h>

#include "entry.h"

namespace tulle::mpi {

namespace {

struct MessageComing : Awaited {
  MessageComing(int from, int with, MPI_Comm in)
      : Awaited([](Awaited* awaited) {
          auto* self = static_cast<MessageComing*>(awaited);
          int flag = 0;
          int error = real.Iprobe(self->source, self->tag, self->comm, &flag, MPI_STATUS_IGNORE);
          return error != MPI_SUCCESS || flag != 0;
        }),
        source(from), tag(with), comm(in) {}
  int source, tag;
  MPI_Comm comm;
};

// The test ends the epoch, so its answer is the call's.
struct EpochEnding : Awaited {
  explicit EpochEnding(MPI_Win which)
      : Awaited([](Awaited* awaited) {
          auto* self = static_cast<EpochEnding*>(awaited);
          int flag = 0;
          self->error = real.Win_test(self->window, &flag);
          return self->error != MPI_SUCCESS || flag != 0;
        }),
        window(which) {}
  MPI_Win window;
  int error = MPI_SUCCESS;
};

// Repeats a call that tests until it says that there is something, or that nothing will come.
template <class Test>
int until(Test test, Awaited& awaited) {
  for (;;) {
    {
      Inside inside;
      bool done = false;
      int error = test(done);
      if (error != MPI_SUCCESS || done) return error;
    }
    awaited.next = nullptr;
    awaited.suspension = {};
    wait_for(awaited);
  }
}

// Requests that are inactive count as complete: what is left are those that something will come of.
struct Active {
  Active(int length, const MPI_Request* all)
      : requests(static_cast<MPI_Request*>(malloc(sizeof(MPI_Request) * static_cast<size_t>(length > 0 ? length : 1)))) {
    Inside inside;
    for (int i = 0; i < length; ++i)
      if (!is_complete(all[i])) requests[count++] = all[i];
  }
  ~Active() { free(requests); }
  Active(const Active&) = delete;
  Active& operator=(const Active&) = delete;
  MPI_Request* requests;
  int count = 0;
};

// What Testany or Testsome says, once it says something. The look at the requests comes first: one that passes
// for inactive there and is not is complete, and the test says so.
template <class Test>
int until_some(int length, const MPI_Request* requests, Test test) {
  for (;;) {
    bool done = false;
    Active active(length, requests);
    {
      Inside inside;
      int error = test(done);
      if (error != MPI_SUCCESS || done) return error;
    }
    AnyComplete any(active.count, active.requests);
    if (active.count != 0) wait_for(any);
  }
}

struct Exchange {
  MPI_Comm comm;
  bool from_nobody;         // a request would not tell
  MPI_Request requests[2];  // the received one first
};

int end(Exchange& exchange, MPI_Status* status) {
  AllComplete all(2, exchange.requests);
  if (may_suspend()) wait_for(all);
  Inside inside;
  int sent = real.Wait(&exchange.requests[1], MPI_STATUS_IGNORE);
  if (exchange.from_nobody) real.Wait(&exchange.requests[0], MPI_STATUS_IGNORE);
  int received = exchange.from_nobody ? real.Recv(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, exchange.comm, status)
                                      : real.Wait(&exchange.requests[0], status);
  return received != MPI_SUCCESS ? received : sent;
}

// What was to be sent cannot be: nobody will answer.
int give_up(Exchange& exchange, int error) {
  real.Cancel(&exchange.requests[0]);
  real.Wait(&exchange.requests[0], MPI_STATUS_IGNORE);
  return error;
}

}  // namespace

int own_Sendrecv(const void* sent, int sent_count, MPI_Datatype sent_type, int dest, int sent_tag, void* received,
                 int received_count, MPI_Datatype received_type, int source, int received_tag, MPI_Comm comm,
                 MPI_Status* status) {
  Exchange exchange{comm, source == MPI_PROC_NULL, {}};
  {
    Inside inside;
    int error = real.Irecv(received, received_count, received_type, source, received_tag, comm, &exchange.requests[0]);
    if (error != MPI_SUCCESS) return error;
    error = real.Isend(sent, sent_count, sent_type, dest, sent_tag, comm, &exchange.requests[1]);
    if (error != MPI_SUCCESS) return give_up(exchange, error);
  }
  return end(exchange, status);
}

int own_Sendrecv_replace(void* data, int count, MPI_Datatype type, int dest, int sent_tag, int source,
                         int received_tag, MPI_Comm comm, MPI_Status* status) {
  int bytes = 0, position = 0;
  Exchange exchange{comm, source == MPI_PROC_NULL, {}};
  void* packed = nullptr;
  {
    Inside inside;
    int error = real.Pack_size(count, type, comm, &bytes);
    if (error != MPI_SUCCESS) return error;
    packed = malloc(static_cast<size_t>(bytes) + 1);
    if (packed == nullptr) return real.Sendrecv_replace(data, count, type, dest, sent_tag, source, received_tag, comm, status);
    error = real.Pack(data, count, type, packed, bytes, &position, comm);
    if (error == MPI_SUCCESS)
      error = real.Irecv(data, count, type, source, received_tag, comm, &exchange.requests[0]);
    if (error != MPI_SUCCESS) {
      free(packed);
      return error;
    }
    error = real.Isend(packed, position, MPI_PACKED, dest, sent_tag, comm, &exchange.requests[1]);
    if (error != MPI_SUCCESS) {
      error = give_up(exchange, error);
      free(packed);
      return error;
    }
  }
  int error = end(exchange, status);
  free(packed);
  return error;
}

int own_Wait(MPI_Request* request, MPI_Status* status) { return finish(request, status); }

int own_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  if (count > 0 && may_suspend()) {
    AllComplete all(count, requests);
    wait_for(all);
  }
  Inside inside;
  return real.Waitall(count, requests, statuses);
}

int own_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  if (!may_suspend()) return real.Waitany(count, requests, index, status);
  return until_some(count, requests, [=](bool& done) {
    int flag = 0;
    int error = real.Testany(count, requests, index, &flag, status);
    done = flag != 0;
    return error;
  });
}

int own_Waitsome(int count, MPI_Request* requests, int* done_count, int* indices, MPI_Status* statuses) {
  if (!may_suspend()) return real.Waitsome(count, requests, done_count, indices, statuses);
  return until_some(count, requests, [=](bool& done) {
    int error = real.Testsome(count, requests, done_count, indices, statuses);
    done = *done_count != 0;  // MPI_UNDEFINED where none is active
    return error;
  });
}

int own_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  if (!may_suspend()) return real.Probe(source, tag, comm, status);
  MessageComing coming(source, tag, comm);
  return until([=](bool& done) {
    int flag = 0;
    int error = real.Iprobe(source, tag, comm, &flag, status);
    done = flag != 0;
    return error;
  }, coming);
}

int own_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  if (!may_suspend()) return real.Mprobe(source, tag, comm, message, status);
  MessageComing coming(source, tag, comm);
  return until([=](bool& done) {
    int flag = 0;
    int error = real.Improbe(source, tag, comm, &flag, message, status);
    done = flag != 0;
    return error;
  }, coming);
}

int own_Win_wait(MPI_Win window) {
  if (!may_suspend()) return real.Win_wait(window);
  EpochEnding ending(window);
  wait_for(ending);
  return ending.error;
}

void tested_in_vain() {
  if (may_suspend()) tulle_looked_in_vain();
}

}  // namespace tulle::mpi
