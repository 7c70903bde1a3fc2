// SPDX-License-Identifier: Apache-2.0
// Whether the process has rights that who started it may lack (set-user-ID, set-group-ID, file capabilities): then
// its environment is that of a stranger. Any thread, also before main.
#pragma once

namespace tulle::os {

bool has_more_rights_than_caller();

}  // namespace tulle::os
