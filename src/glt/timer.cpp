// SPDX-License-Identifier: Apache-2.0
#include <tulle/glt.h>

#include "glt/object.h"
#include "os/clock.h"

using namespace tulle;
using namespace tulle::glt;

struct tulle_glt_timer {
  uint64_t start = 0;
  uint64_t stop = 0;
};

GLT_ENTRY double glt_get_wtime() { return static_cast<double>(os::now()) * 1e-9; }

GLT_ENTRY void glt_timer_create(GLT_timer* timer) { *timer = new_object<tulle_glt_timer>("a timer"); }
GLT_ENTRY void glt_timer_free(GLT_timer* timer) { delete_object(timer); }
GLT_ENTRY void glt_timer_start(GLT_timer timer) { timer->start = os::now(); }
GLT_ENTRY void glt_timer_stop(GLT_timer timer) { timer->stop = os::now(); }

GLT_ENTRY void glt_timer_get_secs(GLT_timer timer, double* secs) {
  *secs = static_cast<double>(timer->stop - timer->start) * 1e-9;
}
