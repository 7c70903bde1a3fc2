// SPDX-License-Identifier: Apache-2.0
// What the host and a rank that is a device say to each other. A packet has a head and as many bytes behind it as it
// says; longer data move by streams. Addresses are the rank's. Both sides are the same build of this library.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tulle/remote.h"

namespace tulle::offload {

struct Packet {
  enum Kind : uint32_t {
    // The host's orders, and what the rank answers.
    hello,     // that memory is to be the device's -> welcome: it has `bytes` CPUs; `address` 0: it cannot have it
    run,       // the function of that address with the bytes behind, if any, at `address` -> ran, in its turn
    more_wait, // regions of the priority, at the host: until one is run with `more` 0: no answer
    put,       // the bytes behind to `address`: no answer; or `bytes` that come by a stream -> taken
    get,       // `bytes` from `address` -> given, with them behind; or they come by a stream: no answer
    find,      // what has that place in the code -> found; 0: it is not there
    empty,     // `bytes` from `address` are of no use: no answer
    end,       // no answer
    welcome,
    ran,
    taken,
    given,
    found,
  } kind;
  uint32_t number;  // hello: the device's; run: the thread limit; find: whether it is a name of the device's code
  uint64_t address;
  uint64_t bytes;
  uint64_t code;  // hello: how many devices there are; run: the function; find: the module
  uint32_t priority = 0;  // run, more_wait, ran
  uint32_t more = 0;      // run: others of the priority wait at the host

  static const size_t kMostRest;
  static constexpr uint32_t kMostAhead = 16;  // regions of a priority that are not answered
};
inline constexpr size_t Packet::kMostRest = TULLE_REMOTE_PACKET - sizeof(Packet);

// Lanes of streams.
inline constexpr int kToDevice = 0;
inline constexpr int kFromDevice = 1;

}  // namespace tulle::offload
