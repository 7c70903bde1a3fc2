// SPDX-License-Identifier: Apache-2.0
// What cannot be over Tulle: glt_can_*() say so beforehand, and one line to who calls it all the same.
#include <string.h>
#include <tulle/glt.h>

#include "glt/object.h"

using namespace tulle;
using namespace tulle::glt;

namespace {

void has_no_schedulers(const char* function) {
  os::report("%s: programs cannot bring schedulers; see glt_can_manage_scheduler()", function);
}

void has_no_events(const char* function) {
  os::report("%s: there are no events; see glt_can_event_functions()", function);
}

}  // namespace

GLT_ENTRY int glt_can_event_functions() { return 0; }
GLT_ENTRY int glt_can_manage_scheduler() { return 0; }
GLT_ENTRY int glt_can_scheduler() { return 0; }

GLT_ENTRY void glt_scheduler_config_free(GLT_sched_config*) { has_no_schedulers("glt_scheduler_config_free"); }

GLT_ENTRY void glt_scheduler_create(GLT_sched_def*, int, int*, GLT_sched_config, GLT_sched* newsched) {
  has_no_schedulers("glt_scheduler_create");
  *newsched = nullptr;
}

GLT_ENTRY void glt_scheduler_create_basic(GLT_sched_predef, int, int*, GLT_sched_config, GLT_sched* newsched) {
  has_no_schedulers("glt_scheduler_create_basic");
  *newsched = nullptr;
}

GLT_ENTRY void glt_schededuler_create_basic(GLT_sched_predef, int, int*, GLT_sched_config, GLT_sched* newsched) {
  has_no_schedulers("glt_schededuler_create_basic");
  *newsched = nullptr;
}

GLT_ENTRY void glt_scheduler_free(GLT_sched*) { has_no_schedulers("glt_scheduler_free"); }
GLT_ENTRY void glt_scheduler_finish(GLT_sched) { has_no_schedulers("glt_scheduler_finish"); }
GLT_ENTRY void glt_scheduler_exit(GLT_sched) { has_no_schedulers("glt_scheduler_exit"); }

GLT_ENTRY void glt_scheduler_has_to_stop(GLT_sched, GLT_bool* stop) {
  has_no_schedulers("glt_scheduler_has_to_stop");
  *stop = GLT_TRUE;
}

GLT_ENTRY void glt_scheduler_set_data(GLT_sched, void*) { has_no_schedulers("glt_scheduler_set_data"); }

GLT_ENTRY void glt_scheduler_get_data(GLT_sched, void** data) {
  has_no_schedulers("glt_scheduler_get_data");
  *data = nullptr;
}

GLT_ENTRY void glt_scheduler_get_size(GLT_sched, size_t* size) {
  has_no_schedulers("glt_scheduler_get_size");
  *size = 0;
}

GLT_ENTRY void glt_scheduler_get_total_size(GLT_sched, size_t* size) {
  has_no_schedulers("glt_scheduler_get_total_size");
  *size = 0;
}

GLT_ENTRY void glt_event_add_callbac(GLT_event_kind, GLT_event_cb_fn, void*, GLT_event_cb_fn, void*, int* cb_id) {
  has_no_events("glt_event_add_callbac");
  *cb_id = -1;
}

GLT_ENTRY void glt_event_del_callback(GLT_event_kind, int) { has_no_events("glt_event_del_callback"); }

GLT_ENTRY void glt_get_error_str(int error, char* str, size_t* len) {
  const char* text = strerror(error);
  size_t takes = strlen(text) + 1;
  if (str != nullptr && *len != 0) {
    size_t copied = takes <= *len ? takes : *len;
    memcpy(str, text, copied);
    str[copied - 1] = '\0';
  }
  *len = takes;
}
