// SPDX-License-Identifier: Apache-2.0
// The MPI of the process, below the entries that stand in its place: its functions, found by name in the
// library that is loaded, so that one that a module of Python brings is found too; and those of a tool
// between, that intercepts MPI_ calls and passes them on by PMPI_. Compiled once for each MPI's header.
#pragma once

#include <mpi.h>

// This object is loaded into the program's children too, which may have no MPI.
#ifdef OPEN_MPI
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_mpi_byte
#pragma weak ompi_mpi_comm_null
#pragma weak ompi_mpi_int
#pragma weak ompi_mpi_op_max
#pragma weak ompi_mpi_packed
#endif

namespace tulle::mpi {

#define TULLE_MPI_REAL(name) decltype(&PMPI_##name) name;
struct Real {
#include <tulle_mpi_real.inc>
};
#undef TULLE_MPI_REAL

#define TULLE_MPI_TOOL(name) decltype(&PMPI_##name) name;
struct Tools {
#include <tulle_mpi_tools.inc>
};
#undef TULLE_MPI_TOOL

// W: when the library is loaded, or by the first call; R: all. Null: the library has none, no tool has one.
extern Real real;
extern Tools tools;
bool has_tools();

// Finds both. Once; ends the process with a message if there is no MPI that this object was built for.
void find_library();

void report(const char* line);

}  // namespace tulle::mpi
