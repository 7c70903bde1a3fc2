// SPDX-License-Identifier: Apache-2.0
// Takes most of the static TLS that the C library keeps for libraries that are opened late.
static __thread char taken[1400] __attribute__((tls_model("initial-exec")));

char *take(void) {
  taken[0]++;
  return taken;
}
