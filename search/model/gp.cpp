// SPDX-License-Identifier: Apache-2.0
// Posterior algebra of the Gaussian process.
#include "search/model/gp.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace osdtune {

namespace {

const double kRoot5 = std::sqrt(5.0);

/// Squared distances after division by the lengths.
Eigen::MatrixXd scaled_distance2(const Hyper& hyper, const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  const Eigen::RowVectorXd inverse = (-hyper.log_length.array()).exp().matrix().transpose();
  const Eigen::MatrixXd u = a.leftCols(inverse.size()).array().rowwise() * inverse.array();
  const Eigen::MatrixXd v = b.leftCols(inverse.size()).array().rowwise() * inverse.array();
  Eigen::MatrixXd out = -2.0 * (u * v.transpose());
  out.colwise() += u.rowwise().squaredNorm();
  out.rowwise() += v.rowwise().squaredNorm().transpose();
  return out.cwiseMax(0.0);
}

Eigen::MatrixXd matern(const Eigen::MatrixXd& distance2) {
  const Eigen::ArrayXXd s = kRoot5 * distance2.array().sqrt();
  return ((1.0 + s + s.square() / 3.0) * (-s).exp()).matrix();
}

Eigen::MatrixXd matern_time(const Eigen::VectorXd& a, const Eigen::VectorXd& b, double length) {
  Eigen::MatrixXd gap = a.replicate(1, b.size()) - b.transpose().replicate(a.size(), 1);
  return matern((gap.array() / length).square().matrix());
}

void require_finite(const Samples& samples) {
  if (!samples.x.allFinite() || !samples.y.allFinite() || !samples.time.allFinite())
    throw Error(ErrorKind::kInput, "the model was given a value that is not a finite number");
}

/// Cholesky factor; a diagonal that rounding made too small is raised until it exists.
Eigen::LLT<Eigen::MatrixXd> factor(Eigen::MatrixXd matrix) {
  for (double jitter = 1e-10; jitter < 1e-1; jitter *= 10) {
    Eigen::LLT<Eigen::MatrixXd> llt(matrix);
    if (llt.info() == Eigen::Success) return llt;
    matrix.diagonal().array() += jitter * std::max(1.0, matrix.diagonal().maxCoeff());
  }
  throw Error(ErrorKind::kInput, "the observations contradict the model: no positive definite covariance");
}

/// The diagonal of `covariance`.
Eigen::VectorXd prior_variance(const Hyper& hyper, const Eigen::MatrixXd& x) {
  const Eigen::Index trends = x.cols() - hyper.log_length.size();
  const double same = std::exp(hyper.log_signal) + kConstantVariance;
  return (same + hyper.trend_variance * x.rightCols(trends).rowwise().squaredNorm().array()).matrix();
}

}  // namespace

Eigen::MatrixXd covariance(const Hyper& hyper, const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  Eigen::MatrixXd out =
      (std::exp(hyper.log_signal) * matern(scaled_distance2(hyper, a, b)).array() + kConstantVariance)
          .matrix();
  const Eigen::Index trends = a.cols() - hyper.log_length.size();
  if (hyper.trend_variance > 0)
    out.noalias() += hyper.trend_variance * a.rightCols(trends) * b.rightCols(trends).transpose();
  return out;
}

Eigen::MatrixXd drift_covariance(const Hyper& hyper, const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  const double length = std::exp(hyper.log_drift_length);
  const Eigen::VectorXd start = Eigen::VectorXd::Zero(1);
  const Eigen::MatrixXd anchored =
      matern_time(a, b, length) - matern_time(a, start, length) * matern_time(start, b, length);
  return std::exp(hyper.log_drift) * anchored;
}

Eigen::VectorXd noise_variance(const Hyper& hyper, const Samples& samples) {
  return std::exp(hyper.log_noise) * samples.noise_factor + samples.noise_floor;
}

GaussianProcess GaussianProcess::exact(const Hyper& hyper, const Samples& samples) {
  require_finite(samples);
  Eigen::MatrixXd k = covariance(hyper, samples.x, samples.x);
  if (samples.time.size() > 0) k += drift_covariance(hyper, samples.time, samples.time);
  k.diagonal() += noise_variance(hyper, samples);
  const auto llt = factor(std::move(k));
  GaussianProcess out;
  out.hyper_ = hyper;
  out.basis_ = samples.x;
  out.time_ = samples.time;
  out.reduction_ = llt.solve(Eigen::MatrixXd::Identity(samples.x.rows(), samples.x.rows()));
  out.weights_ = llt.solve(samples.y);
  return out;
}

GaussianProcess GaussianProcess::sparse(const Hyper& hyper, const Samples& samples,
                                        const Eigen::MatrixXd& basis) {
  require_finite(samples);
  const Eigen::Index m = basis.rows();
  Eigen::MatrixXd inner = covariance(hyper, basis, basis);
  inner.diagonal().array() += 1e-8 * inner.diagonal().maxCoeff();
  Eigen::MatrixXd total = inner;
  Eigen::VectorXd right = Eigen::VectorXd::Zero(m);
  const Eigen::VectorXd precision = noise_variance(hyper, samples).cwiseInverse();
  constexpr Eigen::Index kBlock = 512;
  for (Eigen::Index at = 0; at < samples.x.rows(); at += kBlock) {
    const Eigen::Index count = std::min(kBlock, samples.x.rows() - at);
    const Eigen::MatrixXd cross = covariance(hyper, basis, samples.x.middleRows(at, count));
    const Eigen::MatrixXd weighted = cross * precision.segment(at, count).asDiagonal();
    total.noalias() += weighted * cross.transpose();
    right.noalias() += weighted * samples.y.segment(at, count);
  }
  const auto outer = factor(std::move(total));
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(m, m);
  GaussianProcess out;
  out.hyper_ = hyper;
  out.basis_ = basis;
  out.reduction_ = factor(std::move(inner)).solve(identity) - outer.solve(identity);
  out.weights_ = outer.solve(right);
  return out;
}

Eigen::VectorXd GaussianProcess::mean(const Eigen::MatrixXd& x) const {
  constexpr Eigen::Index kBlock = 128;  // rows whose covariances stay in the cache
  Eigen::VectorXd out(x.rows());
  for (Eigen::Index at = 0; at < x.rows(); at += kBlock) {
    const Eigen::Index count = std::min(kBlock, x.rows() - at);
    out.segment(at, count) = covariance(hyper_, x.middleRows(at, count), basis_) * weights_;
  }
  return out;
}

Marginals GaussianProcess::predict(const Eigen::MatrixXd& x) const {
  const Eigen::MatrixXd cross = covariance(hyper_, x, basis_);
  const Eigen::VectorXd explained = (cross * reduction_).cwiseProduct(cross).rowwise().sum();
  const Eigen::VectorXd prior = prior_variance(hyper_, x);
  return {cross * weights_, (prior - explained).cwiseMax(1e-12 * prior)};
}

Joint GaussianProcess::predict_joint(const Eigen::MatrixXd& x) const {
  const Eigen::MatrixXd cross = covariance(hyper_, x, basis_);
  return {cross * weights_, covariance(hyper_, x, x) - (cross * reduction_) * cross.transpose()};
}

Eigen::MatrixXd GaussianProcess::posterior_covariance(const Eigen::MatrixXd& a,
                                                      const Eigen::MatrixXd& b) const {
  return covariance(hyper_, a, b) -
         (covariance(hyper_, a, basis_) * reduction_) * covariance(hyper_, basis_, b);
}

Marginals GaussianProcess::predict_drift(const Eigen::VectorXd& time) const {
  if (time_.size() == 0) return {Eigen::VectorXd::Zero(time.size()), Eigen::VectorXd::Zero(time.size())};
  const Eigen::MatrixXd cross = drift_covariance(hyper_, time, time_);
  const Eigen::VectorXd explained = (cross * reduction_).cwiseProduct(cross).rowwise().sum();
  const Eigen::VectorXd prior = drift_covariance(hyper_, time, time).diagonal();
  return {cross * weights_, (prior - explained).cwiseMax(0.0)};
}

LeaveOneOut leave_one_out(const GaussianProcess& exact) {
  const Eigen::ArrayXd diagonal = exact.reduction().diagonal().array();
  return {(exact.weights().array() / diagonal).matrix(), diagonal.inverse().matrix()};
}

ConditionalDraws::ConditionalDraws(const GaussianProcess& process, const Eigen::MatrixXd& points,
                                   const Eigen::MatrixXd& normals)
    : process_(process), points_(points) {
  const Eigen::MatrixXd cross = covariance(process.hyper(), process.basis(), points);
  reduced_ = process.reduction() * cross;
  Eigen::MatrixXd own = covariance(process.hyper(), points, points) - cross.transpose() * reduced_;
  own.diagonal().array() += 1e-7 * std::exp(process.hyper().log_signal);
  factor_ = factor(std::move(own));
  const Eigen::MatrixXd shift = factor_.matrixL() * normals;
  pull_ = factor_.solve(shift);
  values_ = shift.colwise() + cross.transpose() * process.weights();
}

ConditionalDraws::Conditional ConditionalDraws::predict(const Eigen::MatrixXd& x) const {
  const Hyper& hyper = process_.hyper();
  const Eigen::MatrixXd known = covariance(hyper, x, process_.basis());
  const Eigen::MatrixXd shared = covariance(hyper, x, points_) - known * reduced_;
  const Eigen::VectorXd explained = (known * process_.reduction()).cwiseProduct(known).rowwise().sum();
  const Eigen::VectorXd settled =
      factor_.matrixL().solve(shared.transpose()).colwise().squaredNorm().transpose();
  const Eigen::VectorXd prior = prior_variance(hyper, x);
  Conditional out{.mean = shared * pull_, .variance = (prior - explained - settled).cwiseMax(1e-10 * prior)};
  out.mean.colwise() += known * process_.weights();
  return out;
}

Eigen::MatrixXd draw(const Joint& joint, const Eigen::MatrixXd& normals) {
  const auto llt = factor(joint.covariance);
  Eigen::MatrixXd out = llt.matrixL() * normals;
  out.colwise() += joint.mean;
  return out;
}

}  // namespace osdtune
