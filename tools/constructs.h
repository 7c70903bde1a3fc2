// SPDX-License-Identifier: Apache-2.0
// What a construct takes on a machine that need not exist: the model of coherence (tools/coherence), run once for
// each runtime and each bound of what is not known of the machine.
#pragma once

#include <string>

namespace tulle::tools {

struct ConstructQuestion {
  std::string construct;  // barrier, region, fork, join, reduction, additions, dynamic, monotonic, guided
  std::string machine;    // a name of share/machines, or a file like those
  int threads = 0;        // 0: as many as the machine has cores
  bool json = false;
};

// Returns an exit status. Throws Failure if the model is not built or refuses.
int show_construct(const ConstructQuestion& question);

}  // namespace tulle::tools
