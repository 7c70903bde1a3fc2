// SPDX-License-Identifier: Apache-2.0
// A device that is another process of the same program, reached by a transport: a rank of MPI. Its memory is a range of
// addresses that host and rank both keep free. The host deals it out, and writes in its own copy what a
// region is called with, which goes along with the order. Functions and variables are found there by their place in the
// code (code_place.h), once each. One region is under way at a time; copies move beside it.
#pragma once

#include "offload/device.h"
#include "offload/remote/line.h"

namespace tulle::offload {

// One of so many devices. False: the rank cannot be had, or there is no memory or OS thread for it. The calling OS thread is attached.
TULLE_MAY_SUSPEND bool start_rank(Device& device, Line& line, int rank, int devices);

}  // namespace tulle::offload
