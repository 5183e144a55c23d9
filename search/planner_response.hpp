// SPDX-License-Identifier: Apache-2.0
// The model of one quantity: an average over Gaussian processes, in the unit of the quantity.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "search/model/jump.hpp"

namespace osdtune {

/// The model of one quantity in its own unit.
struct Response {
  std::vector<GaussianProcess>
      processes;  ///< equally believed; the first has the most probable hyperparameters
  std::vector<std::optional<Jump>> jumps;  ///< of each process
  double centre = 0;
  double scale = 1;
  double widening = 1;  ///< of the standard deviations, from leave-one-out errors

  Marginals predict(const Eigen::MatrixXd& x) const;
  Eigen::VectorXd mean(const Eigen::MatrixXd& x) const;
  Joint predict_joint(const Eigen::MatrixXd& x) const;
};

/// The model of a logarithmic cost as a rate, -exp(origin - cost): the IOPS themselves, or one over a
/// latency.
struct RateView {
  Response response;
  double origin = 0;
};

/// 95 % interval of the noise-free cost at one row. Settings may multiply a rate (a sum on the logarithmic
/// scale) or add to it; measurements in the good part of a space hardly tell which, and a collapse elsewhere
/// is much deeper if they add. Both are equally believed, and the interval holds the middle 95 % of their
/// mixture: a warped Gaussian process (Snelson et al. 2004) averaged over two warps. Without `rates` it is
/// that of the normal belief.
std::pair<double, double> interval_95(const Response& costs, const std::optional<RateView>& rates,
                                      const Eigen::RowVectorXd& x);

}  // namespace osdtune
