/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <tulle/introspect.h>
#include <tulle/tulle.h>

int main(void) {
  puts(tulle_present() ? tulle_version() : "another runtime");
  return 0;
}
