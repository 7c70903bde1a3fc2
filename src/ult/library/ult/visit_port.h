// SPDX-License-Identifier: Apache-2.0
// Frames of the library's lie on stacks beside: ult/visit_contract.h says what these owe.
#pragma once

namespace tulle::ult::port {

void* end_of_frames(void* context);
bool is_between();

}  // namespace tulle::ult::port
