// SPDX-License-Identifier: Apache-2.0
// Expected improvement of one cost, and expected hypervolume improvement of two, in closed form.
#pragma once

#include <Eigen/Dense>

#include "search/model/pareto.hpp"

namespace osdtune {

double normal_density(double z);
double normal_cumulative(double z);

/// E[max(0, limit - Y)] for Y ~ N(mean, sd^2).
double expected_shortfall(double limit, double mean, double sd);

/// Expected volume that a point with independent normal costs adds to the staircase: the sum over its strips
/// of (psi1(right) - psi1(left)) psi2(ceiling), psi = expected shortfall (Emmerich et al. 2016 in one sum).
double expected_improvement(const Staircase& stairs, const double* mean, const double* sd);

}  // namespace osdtune
