// SPDX-License-Identifier: Apache-2.0
// Queries of an interoperability object that is none: no values, and return codes that say so
// (OpenMP 5.2 §18.12).
#include <omp.h>
#include "expect.h"

int main(void) {
#pragma omp parallel
  {
    omp_interop_t none = omp_interop_none;
    int code = 1;
    EXPECT(omp_get_num_interop_properties(none) >= 0, "%d", omp_get_num_interop_properties(none));
    EXPECT_EQ(omp_get_interop_int(none, omp_ipr_fr_id, &code), 0);
    EXPECT(code < 0, "return code %d for an integer", code);
    code = 1;
    EXPECT(omp_get_interop_ptr(none, omp_ipr_device, &code) == NULL, "a pointer");
    EXPECT(code < 0, "return code %d for a pointer", code);
    code = 1;
    EXPECT(omp_get_interop_str(none, omp_ipr_vendor_name, &code) == NULL, "a string");
    EXPECT(code < 0, "return code %d for a string", code);
  }
  return 0;
}
