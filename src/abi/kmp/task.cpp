// SPDX-License-Identifier: Apache-2.0
//
// Explicit tasks of Clang, Flang and Intel's compilers. The entry of an untied task comes in parts:
// at a scheduling point it notes where it goes on, hands the running task to __kmpc_omp_task again
// and returns; any thread may call the next part. A task is complete when an invocation has ended
// that did not do so; then the destructors of its privates are called.
// A task that is called where it is submitted is a bare body (omp/task/task_bare.h): what it is given is
// the memory of a record that nobody knows.
#include <algorithm>

#include "abi/kmp/record.h"
#include "abi/kmp/target_task.h"
#include "abi/kmp/task_head.h"
#include "base/look.h"
#include "offload/devices.h"
#include "omp/replay/graph_region.h"
#include "omp/task/task_allocation.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_cancel.h"
#include "omp/task/task_choice.h"
#include "omp/task/task_end.h"
#include "omp/task/task_submit.h"
#include "omp/thread/thread.h"
#include "omp/tool/called.h"
#include "omp/tool/events.h"
#include "omp/tool/record.h"
#include "omp/worksharing/told.h"
#include "ult/sanitizer.h"

namespace tulle::kmp {
namespace {

void take_priority(TaskHead* head) {
  if ((head->flags & kTaskPriority) == 0) return;
  head->record->priority =
      std::min(task_of(head)->data2.priority, omp::global_icv().max_task_priority.value);
}

int32_t gtid() { return static_cast<int32_t>(omp::self()->gtid); }

void destroy_privates(TaskHead* head) {
  Task* task = task_of(head);
  if (head->flags & kTaskDestructors) task->data1.destructors(gtid(), task);
}

// The last part to end, which need not be the last to begin, calls the destructors.
void end_part(TaskHead* head) {
  // Release: what the part wrote; acquire: what the others wrote. Pairs with itself.
  if (head->parts.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy_privates(head);
}

void run_task(void* data) {
  auto* head = static_cast<TaskHead*>(data);
  head->progress = Progress::begun;
  if (head->record->bits & omp::kTaskUndeferred)
    run_parts(head);
  else
    task_of(head)->entry(gtid(), task_of(head));
  end_part(head);
}

// A task of a target construct, where there are devices: its body may leave its event to a region.
void run_target_task(void* data) {
  auto* head = static_cast<TaskHead*>(data);
  head->progress = Progress::begun;
  task_of(head)->entry(gtid(), task_of(head));
  if (!head->launched) omp::fulfill_event(head->record);
  end_part(head);
}

// run_task() where cancellation is on: a task that is dropped before it begins has privates to end, too.
void run_task_unless_cancelled(void* data) {
  auto* head = static_cast<TaskHead*>(data);
  if (head->progress == Progress::begun || !omp::task_cancelled(head->record)) return run_task(data);
  omp::Task* record = head->record;
  if ((record->bits & omp::kTaskObserved) != 0) omp::tool::discard(record, !omp::parallel_cancelled(record->team));
  end_part(head);
}

// A running untied task asks for its next part to be called.
void continue_later(omp::Thread* thread, TaskHead* head) {
  if (!head->enrolled || (head->record->bits & omp::kTaskUndeferred)) {
    head->again = true;
    return;
  }
  head->parts.fetch_add(1, std::memory_order_relaxed);  // before this part's own end
  head->record->holds.fetch_add(1, std::memory_order_relaxed);  // the same for the record
  omp::requeue_untied(thread, head->record);
}

// The parts of an untied task hold its record, as an event holds that of a detachable one.
uint32_t task_bits(uint32_t flags) {
  bool held = !(flags & kTaskTied) || (flags & (kTaskDetachable | kTaskProxy));
  return bare_bits(flags) | (held ? omp::kTaskDetachable : 0u);
}

constexpr uint32_t kNotPlain = kTaskPriority | kTaskDetachable | kTaskProxy;

bool is_plain(uint32_t flags) {
  return TULLE_LIKELY((flags & kNotPlain) == 0 && !ult::race_detector && omp::nobody_looks());
}

// Race detectors and tools know a task by its record, and so does whoever may drop it.
bool needs_record(uint32_t flags) {
  return (flags & kNotPlain) || ult::race_detector || !omp::never_cancelled() || omp::tasks_observed();
}

void enroll(omp::Thread* thread, TaskHead* head) {
  omp::Task* record = head->record;
  omp::enroll_task(thread, record, &run_task,
                   task_bits(head->flags) | (head->undeferred ? omp::kTaskUndeferred : 0u));
  const int32_t event = head->flags & (kTaskDetachable | kTaskProxy) ? 1 : 0;
  if (record->bits & omp::kTaskCancellable) {
    omp::never_drop(record);
    // The body itself may fulfill the event.
    if (!event) record->function = &run_task_unless_cancelled;
  }
  record->holds.store(1 + event, std::memory_order_relaxed);  // published with the task
  head->parts.store(1, std::memory_order_relaxed);            // the same
  record->site = site_of(head);
  head->enrolled = true;
  if (omp::tasks_observed()) omp::tool::of(record).body = reinterpret_cast<const void*>(task_of(head)->entry);
}

// A new task that is not plain.
TULLE_COLD void prepare(omp::Thread* thread, TaskHead* head) {
  if (omp::somebody_records() || omp::tasks_observed()) head->progress = Progress::looked_at;
  if (needs_record(head->flags)) enroll(thread, head);
}

void need_record(omp::Thread* thread, TaskHead* head) {
  if (!head->enrolled) enroll(thread, head);
}

// Flang 22 does not say of a detachable task that it is one when it makes it.
TULLE_COLD void add_event(omp::Thread* thread, TaskHead* head) {
  head->flags |= kTaskDetachable;
  if (!head->enrolled) return enroll(thread, head);
  omp::Task* record = head->record;
  set_looked_at(record->bits, record->bits | omp::kTaskDetachable);
  record->function = &run_task;
  record->holds.fetch_add(1, std::memory_order_relaxed);  // published with the task
}

// A target task whose maker waits for it.
TULLE_COLD void drop_event(TaskHead* head) {
  head->flags &= ~(kTaskTarget | kTaskDetachable);
  omp::Task* record = head->record;
  record->function = &run_task;
  set_looked_at(record->bits, record->bits & ~uint32_t{omp::kTaskDetachable});
  record->holds.fetch_sub(1, std::memory_order_relaxed);  // nobody else knows of the task
}

bool can_be_bare(const omp::Thread* thread, const TaskHead* head) {
  return !head->enrolled && omp::can_be_bare(thread->task(), bare_bits(head->flags));
}

TULLE_MAY_SUSPEND omp::Choice choose(omp::Thread* thread, const TaskHead* head, uint32_t more_bits) {
  const uint32_t undeferred = head->undeferred ? omp::kTaskUndeferred : 0u;
  return omp::choose(thread, {site_of(head), bare_bits(head->flags) | undeferred | more_bits,
                              !can_be_bare(thread, head)});
}

TULLE_INLINE void end_bare(TaskHead* head, omp::Task* parent) {
  destroy_privates(head);
  omp::Thread* thread = omp::self();
  omp::end_bare(thread, parent);
  omp::give_back_task(thread, head->record);
}

TULLE_MAY_SUSPEND void call_bare(omp::Thread* thread, TaskHead* head) {
  omp::Task* parent = omp::begin_bare(thread);
  head->progress = Progress::begun;
  {
    arch::KeepShortFloatControl keep;
    head->again = false;
    task_of(head)->entry(static_cast<int32_t>(thread->gtid), task_of(head));
    if (TULLE_UNLIKELY(head->again)) run_parts(head);
  }
  end_bare(head, parent);
}

}  // namespace

void run_parts(TaskHead* head) {
  Task* task = task_of(head);
  do {
    head->again = false;
    task->entry(gtid(), task);
  } while (head->again);
}

static TULLE_INLINE TaskHead* make(omp::Thread* thread, uint32_t flags, size_t task_bytes, size_t shareds_bytes,
                                   TaskEntry entry, bool undeferred) {
  const size_t alignment = alignment_of(task_bytes);
  const size_t task_at = std::max(alignment, sizeof(TaskHead));
  const size_t shareds_at = shareds_offset(task_bytes);
  omp::Task* record = omp::allocate_task(thread, task_at + shareds_at + shareds_bytes, alignment);
  auto* task = reinterpret_cast<Task*>(static_cast<char*>(record->data) + task_at);
  TaskHead* head = head_of(task);
  record->data = head;
  head->record = record;
  head->flags = flags;
  head->task_bytes = static_cast<uint32_t>(task_bytes);
  head->shareds_bytes = static_cast<uint32_t>(shareds_bytes);
  head->progress = Progress::none;
  head->again = head->enrolled = head->launched = false;
  head->undeferred = undeferred;
  task->shareds = shareds_bytes != 0 ? reinterpret_cast<char*>(task) + shareds_at : nullptr;
  task->entry = entry;
  task->part = 0;
  task->data1 = task->data2 = {};
  if (!is_plain(flags)) prepare(thread, head);
  return head;
}

TaskHead* make_task(omp::Thread* thread, uint32_t flags, size_t task_bytes, size_t shareds_bytes,
                    TaskEntry entry, bool undeferred) {
  return make(thread, flags, task_bytes, shareds_bytes, entry, undeferred);
}

// Handed over again by a part of it, or for the first time while somebody records or tools are told of tasks.
TULLE_MAY_SUSPEND static void submit_in_progress(TaskHead* head, const void* code) {
  if (head->progress == Progress::begun) return continue_later(omp::self(), head);
  if (omp::tool::active()) omp::tool::called_from(omp::self_or_attach(), code);
  omp::Thread* thread = omp::self_or_attach();
  record_task(thread, head, nullptr, 0);
  submit(thread, head);
}

uint16_t site_of(const TaskHead* head) {
  return omp::TaskSites::number_of(reinterpret_cast<const void*>(task_of(head)->entry));
}

void submit(omp::Thread* thread, TaskHead* head) {
  const omp::Choice choice = choose(thread, head, 0);
  thread = omp::self();
  if (choice == omp::Choice::bare) {
    call_bare(thread, head);
    return;
  }
  need_record(thread, head);
  take_priority(head);
  if (choice == omp::Choice::keep)
    omp::defer_task(thread, head->record);
  else
    omp::submit_task(thread, head->record);
}

// As choose() would say, with fewer questions where the maker has no children and nobody looks at tasks.
bool call_at_once(omp::Thread* thread, TaskHead* head) {
  const uint32_t bits = bare_bits(head->flags);
  if (TULLE_LIKELY(omp::nobody_looks() && !head->enrolled && omp::follows_nothing(thread, bits))) {
    if (!omp::follower_called(thread, site_of(head), bits, !head->undeferred)) return false;
    call_bare(thread, head);
    return true;
  }
  if (choose(thread, head, omp::kTaskFollows) != omp::Choice::bare) return false;
  call_bare(omp::self(), head);
  return true;
}

void submit(omp::Thread* thread, TaskHead* head, const omp::Dependence* list, size_t count) {
  need_record(thread, head);
  take_priority(head);
  omp::submit_task(thread, head->record, list, count, reinterpret_cast<const void*>(task_of(head)->entry));
}

void begin_inline(omp::Thread* thread, TaskHead* head) {
  head->progress = Progress::begun;
  if (can_be_bare(thread, head)) {
    set_looked_at(head->record->parent, omp::begin_bare(thread));  // kept there for end_inline()
    return;
  }
  need_record(thread, head);
  if (TULLE_UNLIKELY((head->flags & kTaskTarget) != 0)) drop_event(head);
  set_looked_at(head->record->bits, head->record->bits | omp::kTaskUndeferred);
  omp::begin_undeferred(thread, head->record, nullptr, 0);
}

void end_inline(TaskHead* head) {
  if (head->again) run_parts(head);
  if (!head->enrolled) {
    end_bare(head, head->record->parent);
    return;
  }
  end_part(head);
  omp::end_undeferred(omp::self(), head->record);
}

TULLE_KMP Task* __kmpc_omp_task_alloc(Ident*, int32_t, int32_t flags, size_t task_bytes,
                                      size_t shareds_bytes, TaskEntry entry) {
  return task_of(make(omp::self_or_attach(), static_cast<uint32_t>(flags), task_bytes, shareds_bytes, entry, false));
}

TaskHead* launching_task(omp::Thread* thread) {
  omp::Task* record = thread->task();
  if (record->function != &run_target_task || record->bare.load(std::memory_order_relaxed) != 0) return nullptr;
  auto* head = static_cast<TaskHead*>(record->data);
  return head->launched ? nullptr : head;
}

void call_again(void* data) {
  auto* head = static_cast<TaskHead*>(data);
  task_of(head)->entry(gtid(), task_of(head));
}

// Where there are no devices a target task is an ordinary task of the encountering team. With them it has an event.
TULLE_KMP Task* __kmpc_omp_target_task_alloc(Ident*, int32_t, int32_t flags, size_t task_bytes,
                                             size_t shareds_bytes, TaskEntry entry, int64_t) {
  const bool devices = offload::device_count() != 0;
  const uint32_t more = devices ? kTaskTarget | kTaskDetachable : 0;
  TaskHead* head = make_task(omp::self_or_attach(), static_cast<uint32_t>(flags) | more, task_bytes, shareds_bytes,
                             entry);
  if (devices) head->record->function = &run_target_task;
  return task_of(head);
}

TULLE_KMP int32_t __kmpc_omp_task(Ident*, int32_t, Task* task) {
  TaskHead* head = head_of(task);
  if (head->progress != Progress::none)
    submit_in_progress(head, __builtin_return_address(0));
  else
    submit(omp::self_or_attach(), head);
  return 0;
}

// Older compilers' name for the same.
TULLE_KMP int32_t __kmpc_omp_task_parts(Ident* location, int32_t gtid, Task* task) {
  return __kmpc_omp_task(location, gtid, task);
}

TULLE_KMP void __kmpc_omp_task_begin_if0(Ident*, int32_t, Task* task) {
  TULLE_CALLED();
  omp::Thread* thread = omp::self_or_attach();
  if (omp::somebody_records()) record_undeferred(thread, head_of(task));
  begin_inline(thread, head_of(task));
}

TULLE_KMP void __kmpc_omp_task_complete_if0(Ident*, int32_t, Task* task) {
  end_inline(head_of(task));
}

TULLE_KMP int32_t __kmpc_omp_taskwait(Ident*, int32_t) {
  omp::wait_for_children();
  return 0;
}

TULLE_KMP int32_t __kmpc_omp_taskyield(Ident*, int32_t, int32_t) {
  omp::taskyield(omp::self_or_attach());
  return 0;
}

// The handle is what omp_fulfill_event takes, whoever compiled its caller.
TULLE_KMP void* __kmpc_task_allow_completion_event(Ident*, int32_t, Task* task) {
  TaskHead* head = head_of(task);
  if (!(head->flags & (kTaskDetachable | kTaskProxy))) add_event(omp::self(), head);
  return head->record;
}

TULLE_KMP void __kmpc_proxy_task_completed(int32_t, Task* task) {
  omp::fulfill_event(head_of(task)->record);
}

TULLE_KMP void __kmpc_proxy_task_completed_ooo(Task* task) {
  omp::fulfill_event(head_of(task)->record);
}

// Where the task's data lie: the largest part decides. 0 accepts the wish.
TULLE_KMP int32_t __kmpc_omp_reg_task_with_affinity(Ident*, int32_t, Task* task, int32_t count,
                                                    const Affinity* list) {
  const Affinity* largest = std::max_element(
      list, list + count,
      [](const Affinity& a, const Affinity& b) { return a.length < b.length; });
  if (count > 0) {
    need_record(omp::self_or_attach(), head_of(task));
    omp::set_affinity(head_of(task)->record, reinterpret_cast<const void*>(largest->address));
  }
  return 0;
}

}  // namespace tulle::kmp
