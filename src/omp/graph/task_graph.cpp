// SPDX-License-Identifier: Apache-2.0
#include "omp/graph/task_graph.h"

#include <bit>
#include <cstdlib>

namespace tulle::omp {

static_assert(std::endian::native == std::endian::little);

TaskGraph::~TaskGraph() { free(header_); }

TaskGraph TaskGraph::allocate(const Header& header, uint32_t edges) {
  TaskGraph graph;
  graph.header_ = static_cast<Header*>(malloc(bytes_of(header, edges)));
  if (graph.header_ != nullptr) *graph.header_ = header;
  return graph;
}

TaskGraph TaskGraph::take(const void* block, size_t bytes, const char** problem) {
  Header header;
  *problem = "it is cut";
  if (bytes < sizeof header) return {};
  memcpy(&header, block, sizeof header);
  auto is_one_of = [](uint8_t width, uint8_t a, uint8_t b, uint8_t c) {
    return width == a || width == b || width == c;
  };
  *problem = "its numbers have no width that there is";
  if (!is_one_of(header.id_bytes, 2, 4, 8) || !is_one_of(header.offset_bytes, 2, 4, 4) ||
      !is_one_of(header.row_bytes, 2, 4, 4) || header.constructs == 0)
    return {};
  *problem = "its length is not that of its tasks";
  size_t without_rows = bytes_of(header, 0);
  if (bytes < without_rows || header.tasks == kNone) return {};
  TaskGraph graph;
  *problem = "there is no memory for it";
  graph.header_ = static_cast<Header*>(malloc(bytes));
  if (graph.header_ == nullptr) return {};
  memcpy(graph.header_, block, bytes);
  *problem = "its length is not that of its edges";
  if (bytes_of(header, graph.edges()) != bytes) return {};
  *problem = graph.fault();
  return *problem == nullptr ? static_cast<TaskGraph&&>(graph) : TaskGraph();
}

// A fault that would lead a reader astray: rows and inputs that do not agree, identifiers out of order, and cycles.
const char* TaskGraph::fault() const {
  uint32_t count = tasks();
  uint64_t last = 0;
  if (header_->id_bytes == 2 &&
      __builtin_mul_overflow(uint64_t{header_->constructs} * header_->trips, uint64_t{count}, &last))
    return "its identifiers do not fit";
  for (uint32_t i = 0; i < count; ++i) {
    if (offset(i) > offset(i + 1) || offset(i + 1) > edges()) return "its rows overlap";
    if (i != 0 && id(i - 1) >= id(i)) return "its identifiers are not in order";
    if (header_->id_bytes == 2 && load<uint16_t>(ids_at(), i) >= header_->constructs)
      return "it has a construct too many";
  }
  auto* missing = static_cast<uint32_t*>(calloc(2 * size_t{count} + 1, sizeof(uint32_t)));
  if (missing == nullptr) return "there is no memory to look at it";
  uint32_t* ready = missing + count;
  const char* problem = nullptr;
  for (uint32_t i = 0; i < count; ++i)
    for_each_output(i, [&](uint32_t output) {
      if (output < count)
        ++missing[output];
      else
        problem = "an edge leads nowhere";
    });
  uint32_t begun = 0, known = 0;
  for (uint32_t i = 0; problem == nullptr && i < count; ++i) {
    if (missing[i] != inputs(i)) problem = "its edges do not add up";
    if (missing[i] == 0) ready[known++] = i;
  }
  while (problem == nullptr && begun < known)
    for_each_output(ready[begun++], [&](uint32_t output) {
      if (--missing[output] == 0) ready[known++] = output;
    });
  if (problem == nullptr && known != count) problem = "it has a cycle";
  free(missing);
  return problem;
}

uint64_t TaskGraph::id(uint32_t task) const {
  switch (header_->id_bytes) {
    case 2:
      return load<uint16_t>(ids_at(), task) +
             uint64_t{header_->constructs} * header_->trips * task;
    case 4: return load<uint32_t>(ids_at(), task);
    default: return load<uint64_t>(ids_at(), task);
  }
}

uint32_t TaskGraph::find(uint64_t id) const {
  uint32_t low = 0, high = tasks();
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (this->id(middle) < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < tasks() && this->id(low) == id ? low : kNone;
}

}  // namespace tulle::omp
