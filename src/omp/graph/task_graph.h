// SPDX-License-Identifier: Apache-2.0
// A static task graph as a sparse matrix (P-SOCRATES book, section 6.3.1), in one block of memory: identifiers
// in ascending order, which are searched by bisection, compressed rows of successors, and the number of inputs
// of each task in 16 bits. Every number is as wide as the graph's largest one needs. Of a graph in the order of
// its creation, position p has the identifier sid + T * M * p: then only the numbers of the constructs are kept.
// Immutable once built: any thread. The block is what a file holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tulle::omp {

class TaskGraph {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint32_t kMostInputs = UINT16_MAX;

  struct Header {
    uint32_t tasks;
    uint32_t trips;            // M of Equation 6.1
    uint16_t constructs;       // T
    uint8_t id_bytes;          // 2: numbers of constructs, by position; 4 or 8: identifiers
    uint8_t offset_bytes : 4;  // of the beginning of a row: 2 or 4
    uint8_t row_bytes : 4;     // of a successor: 2 or 4
  };
  static_assert(sizeof(Header) == 12);

  TaskGraph() = default;
  ~TaskGraph();
  TaskGraph(TaskGraph&& other) noexcept { swap(other); }
  TaskGraph& operator=(TaskGraph&& other) noexcept {
    swap(other);
    return *this;
  }
  void swap(TaskGraph& other) noexcept {
    Header* mine = header_;
    header_ = other.header_;
    other.header_ = mine;
  }

  // A block whose sizes the header and the number of edges give; what follows the header is for the caller to
  // fill in. Empty where there is no memory.
  static TaskGraph allocate(const Header& header, uint32_t edges);
  // A copy of a block from elsewhere. Empty if it is not that of a graph; `problem` says why.
  static TaskGraph take(const void* block, size_t bytes, const char** problem);

  explicit operator bool() const { return header_ != nullptr; }
  uint32_t tasks() const { return header_->tasks; }
  uint32_t edges() const { return offset(tasks()); }
  uint32_t constructs() const { return header_->constructs; }
  uint32_t trips() const { return header_->trips; }
  uint32_t inputs(uint32_t task) const { return load<uint16_t>(inputs_at(), task); }
  // visit(task, inputs) for each task.
  template <class Visit>
  void for_each_inputs(Visit visit) const {
    const char* const inputs = inputs_at();
    for (uint32_t i = 0, end = tasks(); i < end; ++i) visit(i, uint32_t{load<uint16_t>(inputs, i)});
  }
  uint64_t id(uint32_t task) const;
  uint32_t construct(uint32_t task) const {
    if (header_->id_bytes == 2) return load<uint16_t>(ids_at(), task);
    return static_cast<uint32_t>(id(task) % header_->constructs);
  }
  // kNone: there is no such task.
  uint32_t find(uint64_t id) const;

  // visit(task) for each that depends on this one, in ascending order.
  template <class Visit>
  void for_each_output(uint32_t task, Visit visit) const {
    uint32_t end = offset(task + 1);
    if (header_->row_bytes == 2)
      for (uint32_t i = offset(task); i < end; ++i) visit(uint32_t{load<uint16_t>(rows_at(), i)});
    else
      for (uint32_t i = offset(task); i < end; ++i) visit(load<uint32_t>(rows_at(), i));
  }

  // The same in descending order.
  template <class Visit>
  void for_each_output_back(uint32_t task, Visit visit) const {
    const uint32_t begin = offset(task);
    if (header_->row_bytes == 2)
      for (uint32_t i = offset(task + 1); i > begin; --i) visit(uint32_t{load<uint16_t>(rows_at(), i - 1)});
    else
      for (uint32_t i = offset(task + 1); i > begin; --i) visit(load<uint32_t>(rows_at(), i - 1));
  }

  // All that it takes.
  const void* block() const { return header_; }
  size_t bytes() const { return bytes_of(*header_, edges()); }

 private:
  friend class TaskGraphBuilder;

  static size_t bytes_of(const Header& header, uint64_t edges) {
    return sizeof(Header) + size_t{header.tasks} * (header.id_bytes + sizeof(uint16_t)) +
           (size_t{header.tasks} + 1) * header.offset_bytes + edges * header.row_bytes;
  }

  char* ids_at() const { return reinterpret_cast<char*>(header_ + 1); }
  char* offsets_at() const { return ids_at() + size_t{tasks()} * header_->id_bytes; }
  char* inputs_at() const { return offsets_at() + (size_t{tasks()} + 1) * header_->offset_bytes; }
  char* rows_at() const { return inputs_at() + size_t{tasks()} * sizeof(uint16_t); }

  uint32_t offset(uint32_t task) const {
    return header_->offset_bytes == 2 ? load<uint16_t>(offsets_at(), task)
                                      : load<uint32_t>(offsets_at(), task);
  }

  // The parts lie close: a number need not be aligned.
  template <class T>
  static T load(const char* part, size_t at) {
    T value;
    memcpy(&value, part + at * sizeof(T), sizeof value);
    return value;
  }
  static void store(char* part, uint8_t width, size_t at, uint64_t value) {
    memcpy(part + at * width, &value, width);  // little end first, as on every processor there is a port for
  }

  const char* fault() const;

  Header* header_ = nullptr;
};

}  // namespace tulle::omp
