// SPDX-License-Identifier: Apache-2.0
// How teams begin, meet and end: this runtime's own code, and, written here from their public descriptions, the
// algorithms of other runtimes, which is all that the model knows of these. Built with instrumentation.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace tulle::coherence {

class Protocol {
 public:
  virtual ~Protocol() = default;
  // On core 0: a region of `threads`, each of which calls body(argument, its number).
  virtual void region(void (*body)(void* argument, int number), void* argument) = 0;
  // In a region's body.
  virtual void barrier(int number) = 0;
};

inline constexpr std::string_view kProtocols[] = {"tulle", "libgomp", "flags", "hyper", "dist", "tree"};

// Cluster and socket: cores of each. Null: there is none of that name.
std::unique_ptr<Protocol> make_protocol(std::string_view name, int threads, int cluster, int socket);

std::unique_ptr<Protocol> make_runtime(int threads);

}  // namespace tulle::coherence
