// SPDX-License-Identifier: Apache-2.0
// Log posterior of the hyperparameters with its analytic gradient, climbed by NLopt.
#include "search/model/fit.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace osdtune {

namespace {

const double kRoot5 = std::sqrt(5.0);

struct Range {
  double low, high;
};
constexpr Range kLengthRange{-4.0, 5.0};
constexpr Range kSignalRange{-5.0, 4.0};
constexpr Range kNoiseRange{-13.0, 1.5};
constexpr Range kDriftRange{-12.0, 2.0};
constexpr Range kDriftLengthRange{2.0, 7.0};

/// Means and deviations of the priors, in the order of `pack`.
struct PriorVector {
  Eigen::ArrayXd mean, sd;
};

PriorVector prior_vector(const HyperPrior& prior, Eigen::Index columns, bool drift) {
  const Eigen::Index count = columns + (drift ? 4 : 2);
  PriorVector out{Eigen::ArrayXd(count), Eigen::ArrayXd(count)};
  out.mean.head(columns) = std::log(prior.length_median) + 0.5 * std::log(std::max(1.0, prior.settings));
  out.sd.head(columns) = prior.length_sd;
  out.mean[columns] = 0.0;
  out.sd[columns] = prior.signal_sd;
  out.mean[columns + 1] = prior.noise_mean;
  out.sd[columns + 1] = prior.noise_sd;
  if (drift) {
    out.mean.tail(2) << prior.drift_mean, prior.drift_length_mean;
    out.sd.tail(2) << prior.drift_sd, prior.drift_length_sd;
  }
  return out;
}

/// Matern 5/2 over time gaps, and its derivative by the log length.
struct TimeKernel {
  Eigen::ArrayXXd value, slope;
};

TimeKernel time_kernel(const Eigen::VectorXd& a, const Eigen::VectorXd& b, double length) {
  const Eigen::ArrayXXd gap = (a.replicate(1, b.size()) - b.transpose().replicate(a.size(), 1)).array();
  const Eigen::ArrayXXd s = kRoot5 * gap.abs() / length;
  const Eigen::ArrayXXd decay = (-s).exp();
  return {(1.0 + s + s.square() / 3.0) * decay, s.square() * (1.0 + s) / 3.0 * decay};
}

/// Drift covariance divided by its variance, and its derivative by the log length.
TimeKernel anchored_time_kernel(const Eigen::VectorXd& time, double length) {
  const Eigen::VectorXd start = Eigen::VectorXd::Zero(1);
  const TimeKernel both = time_kernel(time, time, length);
  const TimeKernel zero = time_kernel(time, start, length);
  const Eigen::VectorXd v = zero.value.matrix();
  const Eigen::VectorXd d = zero.slope.matrix();
  return {both.value - (v * v.transpose()).array(),
          both.slope - (v * d.transpose()).array() - (d * v.transpose()).array()};
}

struct Problem {
  const Samples& samples;
  const HyperPrior& prior;
  bool drift;
  double trend_variance;
};

double minus_evidence(unsigned count, const double* x, double* gradient, void* data) {
  const auto& problem = *static_cast<const Problem*>(data);
  const Eigen::VectorXd packed = Eigen::Map<const Eigen::VectorXd>(x, count);
  const Evidence at =
      evidence(unpack(packed, problem.drift, problem.trend_variance), problem.samples, problem.prior);
  if (gradient) Eigen::Map<Eigen::VectorXd>(gradient, count) = -at.gradient;
  return -at.value;
}

Eigen::VectorXd bounds(Eigen::Index columns, bool drift, double Range::*side) {
  Eigen::VectorXd out(columns + (drift ? 4 : 2));
  out.head(columns).setConstant(kLengthRange.*side);
  out[columns] = kSignalRange.*side;
  out[columns + 1] = kNoiseRange.*side;
  if (drift) out.tail(2) << kDriftRange.*side, kDriftLengthRange.*side;
  return out;
}

/// Normal approximation of the posterior: deviations along orthogonal axes.
struct Laplace {
  Eigen::MatrixXd axes;
  Eigen::VectorXd sd;
};

Laplace laplace(const Samples& samples, const HyperPrior& prior, const Hyper& best) {
  const bool drift = samples.time.size() > 0;
  const Eigen::VectorXd at = pack(best, drift);
  const Eigen::Index count = at.size();
  const Eigen::VectorXd gradient = evidence(best, samples, prior).gradient;
  constexpr double kStep = 0.05;
  Eigen::MatrixXd curvature(count, count);
  for (Eigen::Index j = 0; j < count; ++j) {
    Eigen::VectorXd moved = at;
    moved[j] += kStep;
    curvature.col(j) =
        (gradient - evidence(unpack(moved, drift, best.trend_variance), samples, prior).gradient) / kStep;
  }
  const Eigen::MatrixXd symmetric = 0.5 * (curvature + curvature.transpose());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  const double widest =
      std::max(prior.length_sd_above, prior_vector(prior, best.log_length.size(), drift).sd.maxCoeff());
  return {solver.eigenvectors(),
          solver.eigenvalues().cwiseMax(1 / (widest * widest)).cwiseSqrt().cwiseInverse()};
}

}  // namespace

Eigen::VectorXd pack(const Hyper& hyper, bool drift) {
  const Eigen::Index columns = hyper.log_length.size();
  Eigen::VectorXd out(columns + (drift ? 4 : 2));
  out.head(columns) = hyper.log_length;
  out[columns] = hyper.log_signal;
  out[columns + 1] = hyper.log_noise;
  if (drift) out.tail(2) << hyper.log_drift, hyper.log_drift_length;
  return out;
}

Hyper unpack(const Eigen::VectorXd& packed, bool drift, double trend_variance) {
  const Eigen::Index columns = packed.size() - (drift ? 4 : 2);
  Hyper out{
      .log_length = packed.head(columns), .log_signal = packed[columns], .log_noise = packed[columns + 1]};
  out.trend_variance = trend_variance;
  if (drift) {
    out.log_drift = packed[columns + 2];
    out.log_drift_length = packed[columns + 3];
  }
  return out;
}

Evidence evidence(const Hyper& hyper, const Samples& samples, const HyperPrior& prior) {
  const Eigen::Index n = samples.x.rows();
  const Eigen::Index d = hyper.log_length.size();
  const Eigen::Index trends = samples.x.cols() - d;
  const bool drift = samples.time.size() > 0;
  const double signal = std::exp(hyper.log_signal);

  const Eigen::MatrixXd u = samples.x.leftCols(d).array().rowwise() *
                            (-hyper.log_length.array()).exp().matrix().transpose().array();
  const Eigen::VectorXd norm = u.rowwise().squaredNorm();
  Eigen::MatrixXd distance2 = -2.0 * (u * u.transpose());
  distance2.colwise() += norm;
  distance2.rowwise() += norm.transpose();
  const Eigen::ArrayXXd s = kRoot5 * distance2.cwiseMax(0.0).array().sqrt();
  const Eigen::ArrayXXd decay = signal * (-s).exp();
  const Eigen::ArrayXXd smooth = (1.0 + s + s.square() / 3.0) * decay;

  Eigen::MatrixXd k = (smooth + kConstantVariance).matrix();
  if (hyper.trend_variance > 0)
    k.noalias() +=
        hyper.trend_variance * samples.x.rightCols(trends) * samples.x.rightCols(trends).transpose();
  const double noise = std::exp(hyper.log_noise);
  k.diagonal() += noise * samples.noise_factor + samples.noise_floor;
  TimeKernel time;
  const double drift_variance = drift ? std::exp(hyper.log_drift) : 0.0;
  if (drift) {
    time = anchored_time_kernel(samples.time, std::exp(hyper.log_drift_length));
    k += (drift_variance * time.value).matrix();
  }
  k.diagonal().array() += 1e-9;
  const Eigen::LLT<Eigen::MatrixXd> llt(k);
  Evidence out{.value = -std::numeric_limits<double>::max(),
               .gradient = Eigen::VectorXd::Zero(d + (drift ? 4 : 2))};
  if (llt.info() != Eigen::Success) return out;
  const Eigen::VectorXd weights = llt.solve(samples.y);
  const double log_det = llt.matrixLLT().diagonal().array().log().sum();
  out.value = -0.5 * samples.y.dot(weights) - log_det;

  // d value / d theta = 1/2 tr(M dK/dtheta), M = a a^T - K^-1
  Eigen::MatrixXd m = -llt.solve(Eigen::MatrixXd::Identity(n, n));
  m.noalias() += weights * weights.transpose();
  const Eigen::MatrixXd pull = (m.array() * (5.0 / 3.0) * (1.0 + s) * decay).matrix();
  const Eigen::VectorXd row_sum = pull.rowwise().sum();
  const Eigen::MatrixXd pulled = pull * u;
  for (Eigen::Index j = 0; j < d; ++j)
    out.gradient[j] = row_sum.dot(u.col(j).cwiseAbs2()) - u.col(j).dot(pulled.col(j));
  out.gradient[d] = 0.5 * (m.array() * smooth).sum();
  out.gradient[d + 1] = 0.5 * noise * m.diagonal().dot(samples.noise_factor);
  if (drift) {
    out.gradient[d + 2] = 0.5 * drift_variance * (m.array() * time.value).sum();
    out.gradient[d + 3] = 0.5 * drift_variance * (m.array() * time.slope).sum();
  }
  const PriorVector p = prior_vector(prior, d, drift);
  const Eigen::ArrayXd off = pack(hyper, drift).array() - p.mean;
  Eigen::ArrayXd sd = p.sd;
  sd.head(d) = (off.head(d) > 0).select(prior.length_sd_above, sd.head(d));
  out.value -= 0.5 * (off / sd).square().sum();
  out.gradient -= (off / sd.square()).matrix();
  return out;
}

Hyper prior_medians(const HyperPrior& prior, Eigen::Index columns) {
  return unpack(prior_vector(prior, columns, true).mean.matrix(), true);
}

Hyper fit(const Samples& samples, const HyperPrior& prior, const Hyper& start, int evaluations) {
  const bool drift = samples.time.size() > 0;
  const Eigen::Index d = start.log_length.size();
  const Eigen::VectorXd low = bounds(d, drift, &Range::low);
  const Eigen::VectorXd high = bounds(d, drift, &Range::high);
  Eigen::VectorXd at = pack(start, drift).cwiseMax(low).cwiseMin(high);
  Problem problem{samples, prior, drift, start.trend_variance};
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> climb(
      nlopt_create(NLOPT_LD_LBFGS, static_cast<unsigned>(at.size())), nlopt_destroy);
  nlopt_set_min_objective(climb.get(), minus_evidence, &problem);
  nlopt_set_lower_bounds(climb.get(), low.data());
  nlopt_set_upper_bounds(climb.get(), high.data());
  nlopt_set_maxeval(climb.get(), evaluations);
  nlopt_set_ftol_abs(climb.get(), 1e-3);
  const double before = evidence(unpack(at, drift, start.trend_variance), samples, prior).value;
  Eigen::VectorXd best = at;
  double reached = 0;
  // Stopping short (evaluations used up, rounding) leaves the best point so far in `best`.
  nlopt_optimize(climb.get(), best.data(), &reached);
  return unpack(best.allFinite() && -reached >= before ? best : at, drift, start.trend_variance);
}

double log_marginal(const Samples& samples, const HyperPrior& prior, const Hyper& best) {
  const bool drift = samples.time.size() > 0;
  const Eigen::Index d = best.log_length.size();
  const Laplace posterior = laplace(samples, prior, best);
  Eigen::ArrayXd width = prior_vector(prior, d, drift).sd;
  width.head(d) = 0.5 * (width.head(d) + prior.length_sd_above);
  return evidence(best, samples, prior).value + posterior.sd.array().log().sum() - width.log().sum();
}

std::vector<Hyper> plausible(const Samples& samples, const HyperPrior& prior, const Hyper& best,
                             const Eigen::MatrixXd& normals) {
  std::vector<Hyper> out{best};
  if (normals.cols() == 0) return out;
  const bool drift = samples.time.size() > 0;
  const Eigen::VectorXd at = pack(best, drift);
  const Laplace posterior = laplace(samples, prior, best);
  const Eigen::VectorXd low = bounds(best.log_length.size(), drift, &Range::low);
  const Eigen::VectorXd high = bounds(best.log_length.size(), drift, &Range::high);
  for (Eigen::Index i = 0; i < normals.cols(); ++i) {
    const Eigen::VectorXd shift = posterior.axes * posterior.sd.cwiseProduct(normals.col(i));
    out.push_back(unpack((at + shift).cwiseMax(low).cwiseMin(high), drift, best.trend_variance));
  }
  return out;
}

}  // namespace osdtune
