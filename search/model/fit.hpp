// SPDX-License-Identifier: Apache-2.0
// Hyperparameters of a Gaussian process: the most probable ones under priors that suit 5 to 80 observations.
#pragma once

#include <vector>

#include "search/model/gp.hpp"

namespace osdtune {

/// Normal priors on the logarithms. Lengths: median 0.5 sqrt(settings), so that more settings do not mean a
/// rougher response (Hvarfner et al. 2024, arXiv 2402.02746).
struct HyperPrior {
  double settings = 1;  ///< the number of settings behind the columns
  double length_median = 0.5;
  double length_sd = 1.0;
  double length_sd_above = 1.0;  ///< wider on the long side: a setting may not matter at all
  double signal_sd = 0.7;
  double noise_mean = -3.0;  ///< log 0.05
  double noise_sd = 1.2;
  double drift_mean = -4.0;
  double drift_sd = 1.5;
  double drift_length_mean = 3.4;  ///< log 30
  double drift_length_sd = 0.5;
};

/// Log posterior of the hyperparameters (up to a constant) and its gradient in the order of `pack`.
struct Evidence {
  double value = 0;
  Eigen::VectorXd gradient;
};

/// log_length..., log_signal, log_noise, and with drift log_drift, log_drift_length.
Eigen::VectorXd pack(const Hyper& hyper, bool drift);
Hyper unpack(const Eigen::VectorXd& packed, bool drift, double trend_variance = 0);

Evidence evidence(const Hyper& hyper, const Samples& samples, const HyperPrior& prior);

/// The prior's medians.
Hyper prior_medians(const HyperPrior& prior, Eigen::Index columns);

/// Climbs from `start` (L-BFGS) with at most `evaluations` of the evidence.
Hyper fit(const Samples& samples, const HyperPrior& prior, const Hyper& start, int evaluations);

/// Logarithm of the probability of the observations, hyperparameters integrated out (Laplace's approximation
/// at `best`, no wider than the prior). Comparable between fits of the same outputs and noise factors.
double log_marginal(const Samples& samples, const HyperPrior& prior, const Hyper& best);

/// `best` and `normals.cols()` more hyperparameters that are about as believable: draws from the normal
/// approximation of the posterior at `best` (Laplace), no wider than the prior. `normals`: size of `pack` x
/// draws.
std::vector<Hyper> plausible(const Samples& samples, const HyperPrior& prior, const Hyper& best,
                             const Eigen::MatrixXd& normals);

}  // namespace osdtune
