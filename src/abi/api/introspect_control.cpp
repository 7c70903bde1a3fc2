// SPDX-License-Identifier: Apache-2.0
// The control variables in force, for tools. Any thread; keeps nothing.
#include "abi/api/extension.h"
#include "omp/environment/environment.h"
#include "tulle/introspect.h"

namespace {

using tulle::omp::Origin;

const char* name_of(Origin origin) {
  switch (origin) {
    case Origin::environment: return "environment";
    case Origin::affinity_mask: return "affinity mask";
    case Origin::cgroup_quota: return "cgroup quota";
    default: return "default";
  }
}

}  // namespace

TULLE_EXTENSION void tulle_each_control(
    void (*each)(void* context, const tulle_control* control), void* context) {
  const tulle::omp::GlobalIcv& icv = tulle::omp::global_icv();
  for (const tulle::omp::Variable& variable : tulle::omp::environment_variables()) {
    if (!variable.heads) continue;
    char value[1024];
    tulle::omp::TextBuffer out(value, sizeof value);
    variable.print(icv, out);
    const tulle::omp::Source& source = variable.source(icv);
    tulle_control control = {variable.name,   value,            name_of(source.origin),
                             source.variable, variable.accepts, variable.meaning};
    each(context, &control);
  }
}
