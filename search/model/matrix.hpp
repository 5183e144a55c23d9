// SPDX-License-Identifier: Apache-2.0
// The vectors and matrices that the model speaks in, for those who call it.
#pragma once

#include <Eigen/Dense>
