// SPDX-License-Identifier: Apache-2.0
// The version of the runtime, for the extension API. Constant; any thread.

extern "C" __attribute__((visibility("default"))) const char *tulle_version() {
  return TULLE_VERSION_STRING;
}
