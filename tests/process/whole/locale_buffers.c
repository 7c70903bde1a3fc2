// SPDX-License-Identifier: Apache-2.0
// A locale of its own, and what strerror() and inet_ntoa() have returned, stay as they are while others call
// the same.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <locale.h>
#include <string.h>

#include "waits.h"

static locale_t locales[2];
static __typeof__(locales[0]) in_force(void) { return uselocale((locale_t)0); }

enum { kMost = 64 };
static const char *messages[kMost], *addresses[kMost];

static void check(int number, const char *where) {
  char text[64];
  EXPECT(in_force() == locales[number % 2], "thread %d has another locale: %s", number, where);
  snprintf(text, sizeof text, "Unknown error %d", 5000 + number);
  EXPECT(strcmp(messages[number], text) == 0, "thread %d reads \"%s\": %s", number, messages[number], where);
  snprintf(text, sizeof text, "10.1.2.%d", number);
  EXPECT(strcmp(addresses[number], text) == 0, "thread %d reads \"%s\": %s", number, addresses[number],
         where);
}

int main(void) {
  omp_set_dynamic(0);
  locales[0] = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  locales[1] = newlocale(LC_ALL_MASK, "POSIX", (locale_t)0);
  if (locales[1] == locales[0]) locales[1] = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
  EXPECT(locales[0] && locales[1], "no two locales");
  for (int round = 0; round < 10; round++) {
#pragma omp parallel num_threads(omp_get_max_threads() < kMost ? omp_get_max_threads() : kMost)
    {
      int own = omp_get_thread_num();
      struct in_addr address = {htonl(0x0a010200u + own)};
      uselocale(locales[own % 2]);
      messages[own] = strerror(5000 + own);
      addresses[own] = inet_ntoa(address);
      wait_in_many_ways(check);
    }
  }
  return 0;
}
