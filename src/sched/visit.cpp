// SPDX-License-Identifier: Apache-2.0
#include "sched/visit.h"

#include "arch/cpu.h"
#include "os/fault.h"
#include "os/fence.h"
#include "os/visitor.h"
#include "sched/in_force.h"
#include "sched/ult.h"
#include "ult/visit_contract.h"

namespace tulle::sched {

namespace {

bool lies_on(const memory::Stack* stack, uintptr_t address) {
  return address - reinterpret_cast<uintptr_t>(stack->lowest) < stack->bytes;
}

// What has switched there from another stack has its parked loop on that one.
bool left_its_loop(const Worker* w, uintptr_t here) {
  return w->parked_stack == nullptr || !lies_on(w->parked_stack, here);
}

// Nobody goes on with it meanwhile. Null: what lies there is about to be left, or cannot be.
void* end_of_frames(uintptr_t base, const memory::Stack* stack) {
  ult::TlsBlock* block = ult::lent_block(base);
  if (block != nullptr && !look(stack->occupied)) return block->top;
  void* const* context = look(stack->left);
  if (auto* ult = static_cast<const Ult*>(look(stack->suspended))) context = &ult->context;
  return context != nullptr ? ult::port::end_of_frames(__atomic_load_n(context, __ATOMIC_ACQUIRE)) : nullptr;
}

}  // namespace

memory::Stack* own_stack(uintptr_t base) {
  if (ult::sanitized) return nullptr;
  if (ult::TlsBlock* block = ult::lent_block(base)) return block->top != nullptr ? &block->stack : nullptr;
  Worker* owner = foreign_owner(base);
  return owner != nullptr ? &owner->native_stack : nullptr;
}

// Frames of a foreign thread may lie elsewhere, where the program switches stacks by itself. An explicit task is nowhere
// at its place, and handles what it gets.
bool is_at_its_place(const Worker* w, const void* frame) {
  if (ult::port::is_between()) return false;
  const memory::Stack* own = own_stack(w->tls);
  if (own == nullptr) return true;
  auto here = reinterpret_cast<uintptr_t>(frame);
  bool is_foreign = ult::lent_block(w->tls) == nullptr;
  if (lies_on(own, here)) return is_foreign || look(own->occupied);
  if (os::lies_on_alternate_stack(frame)) return false;  // in a handler of another signal
  if (is_foreign && w->stack == own) return left_its_loop(w, here);
  const Entity* entity = current_of_os_thread();
  return entity != nullptr && entity->frame != nullptr && entity->frame->depth != 0;
}

bool is_departing(const Worker* w) {
  auto* ult = static_cast<const Ult*>(look(w->stack->suspended));
  return ult != nullptr && look(ult->context) == nullptr;
}

bool begin_visit(uintptr_t base, memory::Stack* stack, int (*run)(void*)) {
  uint32_t none = 0;
  if (!stack->visitor.compare_exchange_strong(none, kClaimed, std::memory_order_acq_rel)) return false;
  arch::full_fence();  // before the looks; pairs with await_visitor
  void* below = worker_under(base) == nullptr ? end_of_frames(base, stack) : nullptr;
  if (below != nullptr) {
    os::heavy_fence();  // all that lies above is there for whoever looks at the stack
    if (os::start_visitor(run, below, base, stack->visitor)) return true;
  }
  os::leave_to_others(stack->visitor);
  return false;
}

bool has_no_visitor(const memory::Stack* stack) {
  arch::full_fence();  // after what the caller stored; pairs with begin_visit
  return TULLE_LIKELY(stack->visitor.load(std::memory_order_acquire) == 0);
}

void await_visitor(const memory::Stack* stack) {
  if (!has_no_visitor(stack)) os::await_none(stack->visitor);
}

}  // namespace tulle::sched
