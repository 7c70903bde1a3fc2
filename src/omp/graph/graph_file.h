// SPDX-License-Identifier: Apache-2.0
// Recorded graphs as a file: a header {magic, version, number of graphs, length, checksum}, then modules and
// graphs. The checksum is a CRC-32 of all that the file holds, which finds every altered byte; what gets
// through it and the length is looked at in every number all the same. One thread.
#pragma once

#include "omp/graph/recorded_graph.h"

namespace tulle::omp {

inline constexpr uint32_t kGraphFileVersion = 1;

// False: no memory.
bool encode_graphs(const RecordedGraphs& graphs, Array<char>& bytes);
// False: `problem` says what is wrong with them.
bool decode_graphs(std::span<const char> bytes, RecordedGraphs& graphs, const char** problem);

// The file is replaced as a whole or left alone. False: `problem` says why.
bool save_graphs(const char* path, const RecordedGraphs& graphs, const char** problem);
bool load_graphs(const char* path, RecordedGraphs& graphs, const char** problem);

}  // namespace tulle::omp
