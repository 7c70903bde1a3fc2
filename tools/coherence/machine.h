// SPDX-License-Identifier: Apache-2.0
// A machine as the model of coherence knows it: three levels of distance between cores, from public matrices of
// latencies (share/machines), and what a core itself takes. Immutable once read.
#pragma once

#include <string>

namespace tulle::coherence {

enum class Bound { low, middle, high };

// How long a cache line takes from one core to another, in ns.
struct Latencies {
  double cluster = 0;  // within the cores that share a last cache; 0: no such clusters
  double socket = 0;   // within the socket, for a line whose home is there
  double away = 0;     // within the socket, for a line whose home is another socket; 0: as the above
  double across = 0;   // from one socket to another; 0: there is one
};

struct Machine {
  std::string name, source;
  int cores = 0;    // in all
  int cluster = 1;  // cores
  int socket = 1;   // cores
  Latencies latency;
  double pause = 10;        // ns of the instruction in polling loops
  double atomic = 6;        // of a read-modify-write on a line that the core has
  double hit = 0.5;         // of an access to one, with what is computed around it
  double shared_read = 10;  // for which a line is busy with a reader
  double invalidation = 1;  // of each further sharer
  int misses = 10;          // outstanding ones of a core

  int cluster_of(int core) const { return core / cluster; }
  int socket_of(int core) const { return core / socket; }
};

// Quartiles of the matrix and a range of what no matrix tells, or the middle of both. Throws std::runtime_error
// with one line if the file is not such a description.
Machine read_machine(const std::string& path, Bound bound);

}  // namespace tulle::coherence
