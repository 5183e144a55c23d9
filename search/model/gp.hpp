// SPDX-License-Identifier: Apache-2.0
// Gaussian process regression on vectors: Matern 5/2 with a length per column, a constant, weighted trends,
// and a drift over time.
//
//   symbol   meaning                                                          shape
//   x        inputs, one row per observation: d settings scaled to about      n x (d + trends)
//            [0, 1], then what other models expect (trends), standardised
//   y        outputs, about standardised                                      n
//   k(x,x')  signal (1 + s + s^2/3) exp(-s) + constant + weight variance t . t' over
//            the trends (O'Hagan 1978, a linear mean integrated out),
//            s = sqrt(5) |(x-x')/length| over the settings
//   T        drift (m(t,t') - m(t,0) m(0,t')), m Matern 5/2 over time: zero at time 0
//   N        noise of each observation, diagonal
//   a        (K + T + N)^-1 y                                                 n
#pragma once

#include <Eigen/Dense>

namespace osdtune {

/// What is fitted, as logarithms: lengths of the columns and variances.
struct Hyper {
  Eigen::VectorXd log_length;  ///< of the settings; further columns are trends
  double log_signal = 0;
  double log_noise = 0;
  double log_drift = 0;         ///< used only if times are given
  double log_drift_length = 0;  ///< in the unit of the times
  double trend_variance = 0;    ///< prior variance of a trend's weight; not fitted
};

/// Observations of one quantity.
struct Samples {
  Eigen::MatrixXd x;
  Eigen::VectorXd y;
  Eigen::VectorXd noise_factor;  ///< multiplies the fitted noise: 25 for an outlier, 1/4 for the mean of four
  Eigen::VectorXd noise_floor;   ///< known variance on top
  Eigen::VectorXd time;          ///< empty: no drift
};

/// Means and variances of single points.
struct Marginals {
  Eigen::VectorXd mean, variance;
};

/// Mean and covariance of several points together.
struct Joint {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
};

/// Covariance of the noise-free response between the rows of `a` and `b`, without drift.
Eigen::MatrixXd covariance(const Hyper& hyper, const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// Covariance of the drift between times.
Eigen::MatrixXd drift_covariance(const Hyper& hyper, const Eigen::VectorXd& a, const Eigen::VectorXd& b);

/// Variance of the noise of each observation.
Eigen::VectorXd noise_variance(const Hyper& hyper, const Samples& samples);

/// Prior variance of the constant, relative to standardised outputs.
inline constexpr double kConstantVariance = 1.0;

/// A fitted process: mean(x) = k(x, basis) weights, covariance = k - k(x, basis) reduction k(basis, x').
/// The exact process has the observations as its basis, the sparse one a part of them.
class GaussianProcess {
 public:
  /// Exact; O(n^3). Throws Error{kInput} if a number is not finite.
  static GaussianProcess exact(const Hyper& hyper, const Samples& samples);
  /// Projected onto `basis` (rows); O(n m^2), memory O(block m). Drift is not modelled: `samples.time` must
  /// be empty. Seeger et al. 2003, "Fast forward selection"; variances keep the part that the basis cannot
  /// explain.
  static GaussianProcess sparse(const Hyper& hyper, const Samples& samples, const Eigen::MatrixXd& basis);

  /// Noise-free values at time 0 (drift left out).
  Marginals predict(const Eigen::MatrixXd& x) const;
  Eigen::VectorXd mean(const Eigen::MatrixXd& x) const;
  Joint predict_joint(const Eigen::MatrixXd& x) const;
  /// Covariance of the values at the rows of `a` with those at the rows of `b`.
  Eigen::MatrixXd posterior_covariance(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) const;
  /// Drift at the given times.
  Marginals predict_drift(const Eigen::VectorXd& time) const;

  const Hyper& hyper() const { return hyper_; }
  const Eigen::MatrixXd& basis() const { return basis_; }
  const Eigen::MatrixXd& reduction() const { return reduction_; }
  const Eigen::VectorXd& weights() const { return weights_; }

 private:
  Hyper hyper_;
  Eigen::MatrixXd basis_;
  Eigen::VectorXd time_;
  Eigen::VectorXd weights_;
  Eigen::MatrixXd reduction_;
};

/// What the other observations say about each one: (y - mean) and its variance, noise included. Rasmussen &
/// Williams 2006, 5.12.
struct LeaveOneOut {
  Eigen::VectorXd residual, variance;
};
LeaveOneOut leave_one_out(const GaussianProcess& exact);

/// Values drawn at some points, and what they say about others: the process given each draw.
class ConditionalDraws {
 public:
  /// `normals` (points x draws) are standard normal numbers.
  ConditionalDraws(const GaussianProcess& process, const Eigen::MatrixXd& points,
                   const Eigen::MatrixXd& normals);
  /// The drawn values, points x draws.
  const Eigen::MatrixXd& values() const { return values_; }
  /// Means per draw (x.rows() x draws) and the variances, which all draws share.
  struct Conditional {
    Eigen::MatrixXd mean;
    Eigen::VectorXd variance;
  };
  Conditional predict(const Eigen::MatrixXd& x) const;

 private:
  const GaussianProcess& process_;
  Eigen::MatrixXd points_;
  Eigen::MatrixXd reduced_;  ///< reduction k(basis, points)
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::MatrixXd pull_;  ///< C^-1 (values - mean)
  Eigen::MatrixXd values_;
};

/// Draws from N(mean, covariance), one per column; `normals` (points x draws) are standard normal numbers.
Eigen::MatrixXd draw(const Joint& joint, const Eigen::MatrixXd& normals);

}  // namespace osdtune
