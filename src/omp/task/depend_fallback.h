// SPDX-License-Identifier: Apache-2.0
// A pass through a repeated graph ends before its end: its tasks that are not complete are entered into the ordinary
// table, so that later ones follow them. They wait for each other by their counters, as they did, so no edge leads to
// their nodes.
#pragma once

#include "omp/task/depend_table.h"
#include "omp/task/graph_run.h"

namespace tulle::omp {

// close(node): the task was complete meanwhile.
template <class Close>
void fall_back(DependenceMemory* memory, DependenceTable* table, GraphRun* run, Close close);

namespace detail {

// As a task of this kind would be entered, but that it follows nobody.
inline void enter_live(DependenceMemory* memory, DependenceEntry& entry, DependenceKind kind, DependenceNode* node) {
  if (kind == DependenceKind::mutexinoutset) kind = DependenceKind::out;  // they were put in order
  if (kind == DependenceKind::out || entry.kind != kind || entry.now.size() == 0) {
    entry.before.clear(memory);
    NodeList before = entry.before;
    entry.before = entry.now;
    entry.now = before;
    entry.kind = kind;
  }
  entry.now.push(memory, node);
}

}  // namespace detail

template <class Close>
void fall_back(DependenceMemory* memory, DependenceTable* table, GraphRun* run, Close close) {
  run->stop([&](std::span<const PatternItem> items, auto attach) {
    NewNode made(memory, true);
    DependenceNode* node = made.node();
    ++node->named;  // by this function
    table->reserve(memory, items.size());
    for (PatternItem item : items) {
      auto* address = reinterpret_cast<void*>(run->address(item));
      detail::enter_live(memory, *table->find_or_add(memory, address), static_cast<DependenceKind>(item.access()),
                         node);
    }
    made.finish();
    if (!attach(node)) close(node);
    unname(memory, node);
  });
}

}  // namespace tulle::omp
