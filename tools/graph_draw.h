// SPDX-License-Identifier: Apache-2.0
// A task graph as a picture: a row for each level, a colour for each construct. Pure.
#pragma once

#include <string>

#include "graph_measure.h"

namespace tulle::tools {

// For Graphviz.
std::string dot_of(const omp::TaskGraph& graph);
std::string svg_of(const omp::TaskGraph& graph, const GraphLevels& levels);

}  // namespace tulle::tools
