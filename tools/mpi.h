// SPDX-License-Identifier: Apache-2.0
// Which of Tulle's objects for an MPI goes under a program. One thread.
#pragma once

#include <filesystem>
#include <string>

namespace tulle::tools {

// The object in `folder` for the MPI that the program, a word of a command line, or a library of it is linked
// with; empty if it is linked with none, or with one that there is no object for.
std::filesystem::path mpi_object(const std::string& program, const std::filesystem::path& folder);

}  // namespace tulle::tools
