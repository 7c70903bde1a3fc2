// SPDX-License-Identifier: Apache-2.0
// The version of the runtime, for the extension API. Constant; any thread.
#include "abi/api/extension.h"

TULLE_EXTENSION const char* tulle_version() {
  return TULLE_VERSION_STRING;
}
