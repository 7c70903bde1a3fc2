// SPDX-License-Identifier: Apache-2.0
#include "os/secure.h"

#include <sys/auxv.h>

namespace tulle::os {

bool has_more_rights_than_caller() { return getauxval(AT_SECURE) != 0; }

}  // namespace tulle::os
