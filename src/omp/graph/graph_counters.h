// SPDX-License-Identifier: Apache-2.0
// The state of each task of a static graph during one replay: the paper's counter (P-SOCRATES book, section
// 6.3.1), -1: not created yet, or finished; 0: ready; n: so many of its inputs are created and not finished.
// A branch that is not taken leaves its tasks at -1, and nobody waits for them.
// The paper's matrix holds inputs too, and a new task asks them; here, with rows of outputs alone, a new task
// tells its outputs, which are not created yet, that they have one more to wait for. So inputs have to be
// created before what follows them, as any sequential program does; create() says if they are not.
// Who knows that no branch is left out may have the words count all inputs from the beginning, created or not: then a
// new task tells nobody (expect_all(), create_expected()).
// Ordering: a word is a sequence of read-modify-writes, acquire and release each: who takes it to 0, the last
// input or the creation, sees what all inputs wrote, and there is one that does. Models: tests/models/graph_counters.pml,
// graph_expected.pml.
// Thread-safe: create(): the thread that creates; complete(): who ran the task; state(): any.
#pragma once

#include <atomic>
#include <cstdlib>

#include "omp/graph/task_graph.h"

namespace tulle::omp {

class GraphCounters {
 public:
  enum class Created { ready, waits, out_of_order };

  // No task is created. Not usable if there is no memory.
  explicit GraphCounters(const TaskGraph& graph)
      : graph_(graph),
        words_(static_cast<Word*>(malloc((size_t{graph.tasks()} + 1) * sizeof(Word)))) {
    if (words_ == nullptr) return;
    for (uint32_t i = 0, end = graph.tasks(); i < end; ++i) new_word(i, kAbsent);
  }
  ~GraphCounters() { free(static_cast<void*>(words_)); }
  GraphCounters(const GraphCounters&) = delete;
  GraphCounters& operator=(const GraphCounters&) = delete;

  bool usable() const { return words_ != nullptr; }

  int32_t state(uint32_t task) const {
    int32_t word = words_[task].load(std::memory_order_acquire);
    return word < 0 ? -1 : word;
  }

  // All tasks are created at once, while nobody else looks. ready(task) for each without inputs.
  template <class Ready>
  void create_all(Ready ready) {
    Word* const words = words_;
    graph_.for_each_inputs([=](uint32_t task, uint32_t inputs) {
      words[task].store(static_cast<int32_t>(inputs), std::memory_order_relaxed);  // nobody else knows it yet
      if (inputs == 0) ready(task);
    });
  }

  // complete(), still while nobody else looks.
  template <class Ready>
  void complete_unseen(uint32_t task, Ready ready) {
    new_word(task, kAbsent);
    graph_.for_each_output(task, [&](uint32_t output) {
      const int32_t left = words_[output].load(std::memory_order_relaxed) - 1;  // the same as in new_word()
      new_word(output, left);
      if (left == 0) ready(output);
    });
  }

  // No task is created, and each will follow all inputs that the graph has, which will be created before it. While
  // nobody else looks.
  void expect_all() {
    Word* const words = words_;
    graph_.for_each_inputs([=](uint32_t task, uint32_t inputs) {
      words[task].store(kAbsent + static_cast<int32_t>(inputs), std::memory_order_relaxed);  // nobody else knows it yet
    });
  }

  // After expect_all(). True: nothing is missing, and the caller sees to it that the task runs.
  bool create_expected(uint32_t task) {
    // Where all inputs are complete nobody else changes the word any more.
    if (words_[task].load(std::memory_order_acquire) == kAbsent) {
      words_[task].store(0, std::memory_order_relaxed);  // published with the task
      return true;
    }
    return words_[task].fetch_sub(kAbsent, std::memory_order_acq_rel) == kAbsent;
  }

  // `ready`: the caller sees to it that the task runs; `waits`: complete() of its last input does.
  Created create(uint32_t task) {
    if (state(task) >= 0) return Created::out_of_order;
    bool in_order = true;
    // Absent tasks stay so: no one but the caller creates.
    graph_.for_each_output(task, [&](uint32_t output) { in_order &= state(output) < 0; });
    if (!in_order) return Created::out_of_order;
    graph_.for_each_output(task, [&](uint32_t output) {
      words_[output].fetch_add(1, std::memory_order_relaxed);  // its creation publishes it
    });
    int32_t inputs = words_[task].fetch_sub(kAbsent, std::memory_order_acq_rel) - kAbsent;
    return inputs == 0 ? Created::ready : Created::waits;
  }

  // ready(output) for each that waited for this task last, the oldest at last.
  template <class Ready>
  void complete(uint32_t task, Ready ready) {
    words_[task].store(kAbsent, std::memory_order_release);  // pairs with state(): what the task did is seen
    graph_.for_each_output_back(task, [&](uint32_t output) {
      if (one_less(words_[output])) ready(output);
    });
  }

 private:
  using Word = std::atomic<int32_t>;
  static constexpr int32_t kAbsent = -(1 << 30);

  void new_word(uint32_t task, int32_t value) {
    words_[task].store(value, std::memory_order_relaxed);  // nobody else knows it yet
  }

  // The last one needs no exchange where the word is 1: the task is created, and nobody else changes it.
  static bool one_less(Word& word) {
    if (word.load(std::memory_order_acquire) == 1) {
      word.store(0, std::memory_order_relaxed);  // published with the task
      return true;
    }
    return word.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

  const TaskGraph& graph_;
  Word* words_;
};

}  // namespace tulle::omp
