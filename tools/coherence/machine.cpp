// SPDX-License-Identifier: Apache-2.0
#include "coherence/machine.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tulle::coherence {
namespace {

// What no matrix of latencies tells, from the fewest to the most that is plausible.
struct Unknown {
  double shared_read, invalidation;
  int misses;
};
constexpr Unknown kUnknown[] = {{4, 0, 16}, {10, 1, 10}, {25, 3, 4}};

double quartile(const nlohmann::json& file, const char* level, Bound bound) {
  if (!file.at("latencies").contains(level)) return 0;
  return file.at("latencies").at(level).at(static_cast<std::size_t>(bound)).get<double>();
}

Machine parse(const nlohmann::json& file, Bound bound) {
  Machine machine;
  machine.name = file.at("name");
  machine.source = file.at("source");
  machine.cores = file.at("cores");
  machine.cluster = file.at("cluster");
  machine.socket = file.at("socket");
  machine.pause = file.at("pause");
  machine.latency = {quartile(file, "cluster", bound), quartile(file, "socket", bound),
                     quartile(file, "away", bound), quartile(file, "across", bound)};
  const Unknown& unknown = kUnknown[static_cast<int>(bound)];
  machine.shared_read = unknown.shared_read;
  machine.invalidation = unknown.invalidation;
  machine.misses = unknown.misses;
  return machine;
}

bool is_whole(const Machine& m) {
  return m.cores > 1 && m.cores <= 500 && m.cluster > 0 && m.socket > 0 && m.cores % m.socket == 0 && m.socket % m.cluster == 0 &&
         m.latency.socket > 0 && (m.cluster == 1) == (m.latency.cluster == 0) &&
         (m.cores == m.socket) == (m.latency.across == 0);
}

}  // namespace

Machine read_machine(const std::string& path, Bound bound) {
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error(path + ": cannot be read");
  Machine machine;
  try {
    machine = parse(nlohmann::json::parse(stream), bound);
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(path + ": not a machine: " + error.what());
  }
  if (!is_whole(machine)) throw std::runtime_error(path + ": its cores, clusters, sockets and latencies do not fit");
  return machine;
}

}  // namespace tulle::coherence
