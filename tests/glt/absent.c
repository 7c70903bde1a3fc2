// SPDX-License-Identifier: Apache-2.0
// What glt_can_*() deny: each call is told of in one line, and results are null.
#include <tulle/glt.h>

#include "expect.h"

int main(int argc, char **argv) {
  int threads[1] = {0}, id = 7;
  size_t size = 7;
  GLT_bool stop = GLT_FALSE;
  GLT_sched_def definition = {GLT_SCHED_TYPE_ULT, 0, 0, 0, 0};
  GLT_sched scheduler = &id;
  GLT_sched_config config = GLT_NULL;
  void *data = &id;
  glt_init(argc, argv);
  EXPECT_EQ(glt_can_manage_scheduler(), 0);
  EXPECT_EQ(glt_can_scheduler(), 0);
  EXPECT_EQ(glt_can_event_functions(), 0);
  glt_scheduler_create(&definition, 1, threads, config, &scheduler);
  EXPECT(scheduler == GLT_NULL);
  scheduler = &id;
  glt_scheduler_create_basic(GLT_SCHED_BASIC, 1, threads, config, &scheduler);
  EXPECT(scheduler == GLT_NULL);
  scheduler = &id;
  glt_schededuler_create_basic(GLT_SCHED_BASIC, 1, threads, config, &scheduler);
  EXPECT(scheduler == GLT_NULL);
  glt_scheduler_config_free(&config);
  glt_scheduler_finish(scheduler);
  glt_scheduler_exit(scheduler);
  glt_scheduler_has_to_stop(scheduler, &stop);
  EXPECT_EQ(stop, GLT_TRUE);
  glt_scheduler_set_data(scheduler, data);
  glt_scheduler_get_data(scheduler, &data);
  EXPECT(data == NULL);
  glt_scheduler_get_size(scheduler, &size);
  EXPECT_EQ(size, 0);
  size = 7;
  glt_scheduler_get_total_size(scheduler, &size);
  EXPECT_EQ(size, 0);
  glt_scheduler_free(&scheduler);
  glt_event_add_callbac(GLT_NULL, GLT_NULL, GLT_NULL, GLT_NULL, GLT_NULL, &id);
  EXPECT_EQ(id, -1);
  glt_event_del_callback(GLT_NULL, id);
  glt_finalize();
  return 0;
}
