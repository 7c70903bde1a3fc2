// SPDX-License-Identifier: Apache-2.0
// OS threads that are the runtime's, though another library has started them.
#pragma once

namespace tulle::os {

// The calling one ends by end_thread() alone (os/thread.h): where its frames call pthread_exit the process ends with a
// message, as it does for those that were started here.
void adopt_thread();

}  // namespace tulle::os
