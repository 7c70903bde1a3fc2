// SPDX-License-Identifier: Apache-2.0
#include "omp/graph/graph_file.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <new>

#include "arch/system_call.h"
#include "base/crc.h"

namespace tulle::omp {

RecordedGraphs::~RecordedGraphs() {
  for (size_t i = 0; i < count; ++i) graphs[i].~RecordedGraph();
  free(static_cast<void*>(graphs));
}

bool RecordedGraphs::allocate(size_t graphs_count) {
  graphs = static_cast<RecordedGraph*>(malloc((graphs_count + 1) * sizeof(RecordedGraph)));
  if (graphs == nullptr) return false;
  for (; count < graphs_count; ++count) new (&graphs[count]) RecordedGraph();
  return true;
}

namespace {

constexpr char kMagic[8] = {'t', 'u', 'l', 'l', 'e', 'g', 'r', '\n'};
constexpr char kShort[] = "it is cut or longer than it was";
constexpr char kNoMemory[] = "there is no memory for it";

struct FileHeader {
  char magic[sizeof kMagic];
  uint32_t version;
  uint32_t checksum;  // of the rest of the header and all behind it
  uint64_t bytes;
  uint32_t modules;
  uint32_t graphs;
};

uint32_t checksum_of(std::span<const char> bytes) {
  return crc32(bytes.subspan(offsetof(FileHeader, bytes)));
}

class Writer {
 public:
  explicit Writer(Array<char>& bytes) : bytes_(bytes) {}

  template <class T>
  void put(const T& value) {
    put_all(&value, 1);
  }
  template <class T>
  void put_all(const T* values, size_t count) {
    size_t at = bytes_.size(), length = count * sizeof(T);
    if (bytes_.resize(at + length) && length != 0) memcpy(bytes_.data() + at, values, length);
  }
  template <class T>
  void put_array(const Array<T>& array) {
    put(static_cast<uint64_t>(array.size()));
    put_all(array.data(), array.size());
  }

 private:
  Array<char>& bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const char> bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }
  template <class T>
  bool get(T& value) {
    return get_all(&value, 1);
  }
  template <class T>
  bool get_all(T* values, size_t count) {
    if (count > bytes_.size() / sizeof(T)) return false;
    if (count != 0) memcpy(static_cast<void*>(values), bytes_.data(), count * sizeof(T));
    bytes_ = bytes_.subspan(count * sizeof(T));
    return true;
  }
  template <class T>
  bool get_array(Array<T>& array) {
    uint64_t size = 0;
    if (!get(size) || size > bytes_.size() / sizeof(T) || !array.resize(size)) return false;
    return get_all(array.data(), size);
  }
  // The next bytes; null: there are not so many.
  const char* pass(uint64_t count) {
    if (count > bytes_.size()) return nullptr;
    const char* from = bytes_.data();
    bytes_ = bytes_.subspan(count);
    return from;
  }

 private:
  std::span<const char> bytes_;
};

void write_graph(Writer& writer, const RecordedGraph& graph) {
  writer.put(graph.region);
  writer.put(graph.id);
  writer.put(static_cast<uint64_t>(graph.graph.bytes()));
  writer.put_all(static_cast<const char*>(graph.graph.block()), graph.graph.bytes());
  writer.put_array(graph.constructs);
  writer.put_array(graph.item_counts);
  writer.put_array(graph.items);
}

const char* fault_of(const RecordedGraph& graph, size_t modules) {
  if (graph.region.module >= modules) return "a region is in no module of it";
  if (graph.constructs.size() != graph.graph.constructs()) return "a construct is missing";
  for (const CodePlace& construct : graph.constructs)
    if (construct.module >= modules) return "a construct is in no module of it";
  if (graph.item_counts.size() != graph.graph.tasks()) return "a task's dependences are missing";
  size_t items = 0;
  for (uint16_t count : graph.item_counts) items += count;
  return items == graph.items.size() ? nullptr : "a dependence is missing";
}

// Null: it is right.
const char* read_graph(Reader& reader, RecordedGraph& graph, size_t modules) {
  uint64_t bytes = 0;
  if (!reader.get(graph.region) || !reader.get(graph.id) || !reader.get(bytes)) return kShort;
  const char* block = reader.pass(bytes);
  if (block == nullptr) return kShort;
  const char* problem = nullptr;
  graph.graph = TaskGraph::take(block, bytes, &problem);
  if (problem != nullptr) return problem;
  if (!reader.get_array(graph.constructs) || !reader.get_array(graph.item_counts) ||
      !reader.get_array(graph.items))
    return kShort;
  return fault_of(graph, modules);
}

const char* read_header(std::span<const char> bytes, FileHeader& header) {
  if (bytes.size() < sizeof header) return kShort;
  memcpy(&header, bytes.data(), sizeof header);
  if (memcmp(header.magic, kMagic, sizeof kMagic) != 0) return "it is no file of task graphs";
  if (header.version != kGraphFileVersion) return "it is of another version";
  if (header.bytes != bytes.size()) return kShort;
  return header.checksum == checksum_of(bytes) ? nullptr : "it was altered";
}

const char* read_all(std::span<const char> bytes, RecordedGraphs& graphs) {
  FileHeader header;
  const char* problem = read_header(bytes, header);
  if (problem != nullptr) return problem;
  Reader reader(bytes.subspan(sizeof header));
  // A graph takes more bytes than this.
  if (header.graphs > bytes.size() / sizeof(uint64_t)) return kShort;
  if (header.modules > bytes.size() / sizeof(BuildId)) return kShort;
  if (!graphs.modules.resize(header.modules) || !graphs.allocate(header.graphs)) return kNoMemory;
  if (!reader.get_all(graphs.modules.data(), header.modules)) return kShort;
  for (const BuildId& module : graphs.modules)
    if (module.size > BuildId::kMost) return "a build id is too long";
  for (size_t i = 0; problem == nullptr && i < graphs.count; ++i)
    problem = read_graph(reader, graphs.graphs[i], header.modules);
  return problem != nullptr || reader.at_end() ? problem : kShort;
}

// The text of errno: of the errors that files have, one that stays. (strerrordesc_np is not in old libraries.)
const char* reason() { return strerror(errno); }

bool write_file(const char* path, std::span<const char> bytes) {
  FILE* file = fopen(path, "we");
  if (file == nullptr) return false;
  bool written = fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return (fclose(file) == 0) && written;
}

bool read_file(const char* path, Array<char>& bytes) {
  FILE* file = fopen(path, "re");
  if (file == nullptr) return false;
  // By pieces, and in the end no more than there is: a graph is to take little memory.
  constexpr size_t kPiece = 4 * 1024;
  // By the kernel: the function would need a newer C library.
  struct stat about;
  if (arch::system_call(SYS_fstat, fileno(file), reinterpret_cast<long>(&about)) == 0 && about.st_size > 0)
    bytes.reserve(static_cast<size_t>(about.st_size) + kPiece);
  size_t size = 0, got = 1;
  while (got != 0 && bytes.resize(size + kPiece)) {
    got = fread(bytes.data() + size, 1, kPiece, file);
    size += got;
  }
  bool whole = ferror(file) == 0 && !bytes.short_of_memory();
  bytes.resize(size);
  fclose(file);
  return whole;
}

}  // namespace

bool encode_graphs(const RecordedGraphs& graphs, Array<char>& bytes) {
  Writer writer(bytes);
  FileHeader header{};
  memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kGraphFileVersion;
  header.modules = static_cast<uint32_t>(graphs.modules.size());
  header.graphs = static_cast<uint32_t>(graphs.count);
  writer.put(header);
  writer.put_all(graphs.modules.data(), graphs.modules.size());
  for (size_t i = 0; i < graphs.count; ++i) write_graph(writer, graphs.graphs[i]);
  if (bytes.short_of_memory()) return false;
  header.bytes = bytes.size();
  memcpy(bytes.data(), &header, sizeof header);
  header.checksum = checksum_of({bytes.data(), bytes.size()});
  memcpy(bytes.data(), &header, sizeof header);
  return true;
}

bool decode_graphs(std::span<const char> bytes, RecordedGraphs& graphs, const char** problem) {
  *problem = read_all(bytes, graphs);
  return *problem == nullptr;
}

bool save_graphs(const char* path, const RecordedGraphs& graphs, const char** problem) {
  Array<char> bytes;
  char beside[4096];
  *problem = kNoMemory;
  if (!encode_graphs(graphs, bytes)) return false;
  int length = snprintf(beside, sizeof beside, "%s.%d", path, static_cast<int>(getpid()));
  *problem = "its name is too long";
  if (length < 0 || static_cast<size_t>(length) >= sizeof beside) return false;
  if (write_file(beside, {bytes.data(), bytes.size()}) && rename(beside, path) == 0) return true;
  *problem = reason();
  unlink(beside);
  return false;
}

bool load_graphs(const char* path, RecordedGraphs& graphs, const char** problem) {
  Array<char> bytes;
  if (!read_file(path, bytes)) {
    *problem = bytes.short_of_memory() ? kNoMemory : reason();
    return false;
  }
  return decode_graphs({bytes.data(), bytes.size()}, graphs, problem);
}

}  // namespace tulle::omp
