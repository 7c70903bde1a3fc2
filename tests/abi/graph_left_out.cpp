// SPDX-License-Identifier: Apache-2.0
// What no graph can repeat: its code runs each time, and the user is told once. usage: graph_left_out CASE
#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tulle/graph.h"
#include "tulle/task_graph.h"

namespace {

constexpr int kTimes = 4;
int sum, runs;

struct Object {
  int value;
  explicit Object(int v) : value(v) {}
  Object(const Object& other) : value(other.value) {}
  ~Object() { value = -1; }
};

void detach() {
  omp_event_handle_t event = {};
#pragma omp task detach(event) depend(out : sum)
  omp_fulfill_event(event);
#pragma omp task depend(inout : sum)
  sum++;
}

void object() {
  Object o(1);
#pragma omp task firstprivate(o)
#pragma omp atomic
  sum += o.value;
}

void taskloop() {
#pragma omp taskloop
  for (int i = 0; i < 4; i++) {
    if (i == 3) sum++;
  }
}

void reduction() {
#pragma omp taskgroup task_reduction(+ : sum)
  {
#pragma omp task in_reduction(+ : sum)
    sum++;
  }
}

void inside() {
  if (tulle_graph_begin(2)) {
#pragma omp task depend(inout : sum)
    sum++;
  }
  tulle_graph_end();
}

void built() {
  tulle_task_graph* graph = tulle_task_graph_create(0, 0);
  tulle_task_graph_add(graph, 0, nullptr, 0, [](void*) { sum++; }, nullptr, 0);
  tulle_task_graph_run(graph);
  tulle_task_graph_destroy(graph);
}

void cancel() {
#pragma omp taskgroup
  {
#pragma omp task depend(inout : sum) if (0)
    sum++;
#pragma omp task
    {
#pragma omp cancel taskgroup
    }
  }
}

void target() {
#pragma omp target nowait map(tofrom : sum)
  sum++;
}

void asked() {
  tulle_graph_leave_out("the program asks for it");
#pragma omp task
  sum++;
}

const struct {
  const char* name;
  void (*create)();
} cases[] = {{"detach", detach}, {"object", object}, {"taskloop", taskloop}, {"reduction", reduction},
             {"inside", inside}, {"built", built}, {"cancel", cancel}, {"target", target}, {"asked", asked}};

void repeat(void (*create)()) {
  for (int r = 1; r <= kTimes; r++) {
#pragma omp parallel
#pragma omp single
    {
      if (tulle_graph_begin(1)) {
        runs++;
        create();
      }
      tulle_graph_end();
      if (sum != r || runs != r) std::printf("%d and %d in repetition %d\n", sum, runs, r);
    }
  }
}

// A task may forget the end: its tasks are awaited where its children are.
void unended() {
  for (int r = 1; r <= kTimes; r++) {
#pragma omp parallel
#pragma omp single
    {
      if (tulle_graph_begin(1)) {
#pragma omp task
        sum++;
      }
    }
    if (sum != r) std::printf("%d in repetition %d\n", sum, r);
  }
}

}  // namespace

int main(int count, char** arguments) {
  setvbuf(stdout, nullptr, _IONBF, 0);
  const char* name = count > 1 ? arguments[1] : "";
  if (std::strcmp(name, "unended") == 0) unended();
  if (std::strcmp(name, "end") == 0) tulle_graph_end();
  for (auto& each : cases)
    if (std::strcmp(name, each.name) == 0) repeat(each.create);
  std::puts("right");
}
