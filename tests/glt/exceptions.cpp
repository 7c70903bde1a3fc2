// SPDX-License-Identifier: Apache-2.0
// Work units that let others go on while they handle exceptions: each handles its own.
#include <tulle/glt.h>

#include <stdexcept>
#include <string>

#include "expect.h"

namespace {

constexpr int kUnits = 16, kRounds = 50;

void handle(void* number) {
  const std::string name = std::to_string(reinterpret_cast<long>(number));
  for (int round = 0; round < kRounds; ++round) {
    try {
      throw std::runtime_error(name);
    } catch (const std::exception& first) {
      glt_yield();
      try {
        throw;
      } catch (const std::exception& again) {
        glt_yield();
        EXPECT(again.what() == name, "another unit's exception");
      }
      EXPECT(first.what() == name);
    }
    EXPECT(std::current_exception() == nullptr);
  }
}

}  // namespace

int main(int argc, char** argv) {
  GLT_ult ults[kUnits];
  glt_init(argc, argv);
  for (long i = 0; i < kUnits; ++i)
    glt_ult_create_to(handle, reinterpret_cast<void*>(i), &ults[i], static_cast<int>(i) % glt_get_num_threads());
  for (GLT_ult& ult : ults) glt_ult_free(&ult);
  glt_finalize();
}
