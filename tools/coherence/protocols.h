// SPDX-License-Identifier: Apache-2.0
// How teams begin, meet and end: this runtime's own code, and, written here from their public descriptions, the
// algorithms of other runtimes, which is all that the model knows of these. Built with instrumentation.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace tulle::coherence {

enum class Deal { one_by_one, rising, shrinking };  // schedule(dynamic), with monotonic too, schedule(guided)

class Protocol {
 public:
  virtual ~Protocol() = default;
  // On core 0: a region of `threads`, each of which calls body(argument, its number).
  virtual void region(void (*body)(void* argument, int number), void* argument) = 0;
  // In a region's body.
  virtual void barrier(int number) = 0;
  // In a region's body: what all threads have goes to one value, combined on the way to each other where the runtime does
  // that, or by an atomic addition of each.
  virtual void reduce(int number) = 0;
  // In a region's body, by all threads: a loop of so many trips, each of which computes for a while. Once in a region.
  virtual void loop(std::uint64_t trips, Deal deal, void (*compute)(std::uint64_t trips)) = 0;

  // Of this runtime alone; nobody may ask the others for them.
  // In a region's body: tasks of a priority, each of which computes; they end with the region.
  virtual void tasks(int, int, void (*)(void*)) { std::abort(); }
  // In a region's body, by all threads: `compute` in a critical section.
  virtual void critical(void (*)()) { std::abort(); }
  // In a region's body, by all threads: a region of so many inside of it.
  virtual void nest(int, void (*)(void* argument, int number)) { std::abort(); }

 protected:
  struct alignas(64) Value {
    std::uint64_t of = 0;
  };
  static void add(Value& sum) { __atomic_fetch_add(&sum.of, 1, __ATOMIC_RELAXED); }
  static void add(Value& to, const Value& other) { to.of += other.of; }
};

inline constexpr std::string_view kProtocols[] = {"tulle", "libgomp", "flags", "hyper", "dist", "tree"};

// Cluster and socket: cores of each. Null: there is none of that name.
std::unique_ptr<Protocol> make_protocol(std::string_view name, int threads, int cluster, int socket);

std::unique_ptr<Protocol> make_runtime(int threads);

}  // namespace tulle::coherence
