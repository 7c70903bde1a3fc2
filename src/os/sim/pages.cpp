// SPDX-License-Identifier: Apache-2.0
// Each socket of the model's machine is a memory node.
#include "os/pages.h"

#include "arch/simulation.h"

namespace tulle::os {

bool lock_pages(void*, size_t) { return false; }
void spread_pages(void*, size_t, PageSpread) {}

int memory_node_count() {
  const TulleSimulatedShape shape = tulle_sim_shape();
  return (shape.cores + shape.socket - 1) / shape.socket;
}

int current_memory_node() { return tulle_sim_core() / tulle_sim_shape().socket; }
void put_at_node(void* address, size_t bytes, int node) { tulle_sim_place(address, bytes, node); }

}  // namespace tulle::os
