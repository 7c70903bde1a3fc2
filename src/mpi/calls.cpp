// SPDX-License-Identifier: Apache-2.0
// Calls without a non-blocking form of their own, and those that wait for requests of the program's.
#include <stdlib.h>

#include "entry.h"

namespace tulle::mpi {

namespace {

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

// The result of Testany or Testsome, once there is one. The look at the requests comes first: one that passes
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
  wait_for(all);
  int sent = finish(&exchange.requests[1], MPI_STATUS_IGNORE, true);
  int received = finish(&exchange.requests[0], exchange.from_nobody ? MPI_STATUS_IGNORE : status, true);
  if (exchange.from_nobody) {
    Inside inside;
    received = real.Recv(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, exchange.comm, status);
  }
  return tell(exchange.comm, received != MPI_SUCCESS ? received : sent);
}

// The message cannot be sent: nobody will answer.
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

int own_Wait(MPI_Request* request, MPI_Status* status) { return finish(request, status, false); }

int own_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  if (count > 0) {
    AllComplete all(count, requests);  // with an error among them MPI_Testall says other things than MPI_Waitall
    wait_for(all);
  }
  Inside inside;
  return real.Waitall(count, requests, statuses);
}

int own_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  auto test = [=](bool& done) {
    int flag = 0;
    int error = real.Testany(count, requests, index, &flag, status);
    done = flag != 0;
    return error;
  };
  return until_some(count, requests, test);
}

int own_Waitsome(int count, MPI_Request* requests, int* done_count, int* indices, MPI_Status* statuses) {
  auto test = [=](bool& done) {
    int error = real.Testsome(count, requests, done_count, indices, statuses);
    done = *done_count != 0;  // MPI_UNDEFINED where none is active
    return error;
  };
  return until_some(count, requests, test);
}

int own_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return wait_by([=](bool& done) {
    int flag = 0;
    int error = real.Iprobe(source, tag, comm, &flag, status);
    done = flag != 0;
    return error;
  });
}

int own_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  return wait_by([=](bool& done) {
    int flag = 0;
    int error = real.Improbe(source, tag, comm, &flag, message, status);
    done = flag != 0;
    return error;
  });
}

int own_Win_wait(MPI_Win window) {
  return wait_by([=](bool& done) {
    int flag = 0;
    int error = real.Win_test(window, &flag);
    done = flag != 0;
    return error;
  });
}

void tested_in_vain() {
  if (may_suspend()) tulle_looked_in_vain();
}

}  // namespace tulle::mpi
