// SPDX-License-Identifier: Apache-2.0
// Whether processes that `tulle trace` watches have stopped: for some time no event came, and hardly any CPU time was used.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace tulle::tools {

class Standstill {
 public:
  Standstill(std::string folder, double seconds) : folder_(std::move(folder)), seconds_(seconds) {}

  // True once for each standstill. To be asked often.
  bool has_come();

 private:
  using Clock = std::chrono::steady_clock;

  std::string folder_;
  double seconds_;
  Clock::time_point since_ = Clock::now(), looked_ = Clock::now();
  std::uint64_t events_ = 0;
  double cpu_ = 0;
  bool told_ = false;
};

}  // namespace tulle::tools
