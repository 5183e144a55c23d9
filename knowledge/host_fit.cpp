// SPDX-License-Identifier: Apache-2.0
// Least squares on logarithms with log-normal priors.
#include "knowledge/host_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <unsupported/Eigen/LevenbergMarquardt>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/error.hpp"

namespace osdtune {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kIopsSd = 0.06;  // what is expected of the model before it has been tried
constexpr double kP99Sd = 0.2;
constexpr double kStageSd = 0.3;       // counters hold more than the model's stage does
constexpr double kCoresSd = 0.1;       // process accounting, and what else runs on the host
constexpr double kPerDoubling = 0.08;  // sd of log IOPS added per doubling beyond what was measured
constexpr double kNormal95 = 1.96;

VectorXd prior_mean() {
  VectorXd out(host_costs_prior().size());
  for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = std::log(host_costs_prior()[i].median);
  return out;
}

OsdCosts costs_of(const VectorXd& logs) {
  OsdCosts out;
  out.clock_ghz = kCostsClockGhz;
  for (Eigen::Index i = 0; i < logs.size(); ++i) out.*host_costs_prior()[i].cost = std::exp(logs[i]);
  return out;
}

/// What the observations have measured, as logarithms, with the model's answer in the same order.
struct Residuals {
  VectorXd measured, modelled, sd;
};

Residuals residuals(const std::vector<HostObservation>& observations, const OsdCosts& costs, double iops_sd,
                    double p99_sd) {
  std::vector<double> measured, modelled, sd;
  const auto add = [&](const std::optional<double>& seen, double told, double spread) {
    if (!seen) return;
    measured.push_back(std::log(*seen));
    modelled.push_back(std::log(told));
    sd.push_back(spread);
  };
  for (const HostObservation& one : observations) {
    const HostPrediction told = predict(one.host, one.osds, costs, one.load);
    add(one.iops, told.iops, iops_sd);
    add(one.p99_us, told.p99_us, p99_sd);
    add(one.cores_used, told.cores_used, kCoresSd);
    if (told.kv_us > 0) add(one.kv_us, told.kv_us, kStageSd);
  }
  const auto vector = [](const std::vector<double>& values) -> VectorXd {
    return Eigen::Map<const VectorXd>(values.data(), values.size());
  };
  return {vector(measured), vector(modelled), vector(sd)};
}

/// Residuals over their deviations, then the distances of the costs from the prior over theirs.
VectorXd misfits(const std::vector<HostObservation>& observations, const VectorXd& logs, double iops_sd,
                 double p99_sd) {
  const Residuals seen = residuals(observations, costs_of(logs), iops_sd, p99_sd);
  VectorXd out(seen.measured.size() + logs.size());
  out.head(seen.measured.size()) = (seen.modelled - seen.measured).cwiseQuotient(seen.sd);
  const VectorXd mean = prior_mean();
  for (Eigen::Index i = 0; i < logs.size(); ++i)
    out[seen.measured.size() + i] = (logs[i] - mean[i]) / host_costs_prior()[i].sd;
  return out;
}

using Function = std::function<VectorXd(const VectorXd&)>;

MatrixXd jacobian(const Function& function, const VectorXd& at) {
  constexpr double kStep = 1e-4;
  MatrixXd out;
  for (Eigen::Index i = 0; i < at.size(); ++i) {
    VectorXd up = at, down = at;
    up[i] += kStep;
    down[i] -= kStep;
    const VectorXd slope = (function(up) - function(down)) / (2 * kStep);
    if (out.size() == 0) out.resize(slope.size(), at.size());
    out.col(i) = slope;
  }
  return out;
}

/// What Eigen's Levenberg-Marquardt asks of a problem.
struct LeastSquares {
  using Scalar = double;
  using InputType = VectorXd;
  using ValueType = VectorXd;
  using JacobianType = MatrixXd;
  using QRSolver = Eigen::ColPivHouseholderQR<MatrixXd>;
  const Function& function;
  int unknowns, equations;
  int inputs() const { return unknowns; }
  int values() const { return equations; }
  int operator()(const VectorXd& at, VectorXd& value) const {
    value = function(at);
    return 0;
  }
  int df(const VectorXd& at, MatrixXd& slope) const {
    slope = jacobian(function, at);
    return 0;
  }
};

VectorXd least_squares(const Function& function, VectorXd start, int evaluations) {
  LeastSquares problem{function, static_cast<int>(start.size()), static_cast<int>(function(start).size())};
  Eigen::LevenbergMarquardt<LeastSquares> search(problem);
  search.setMaxfev(evaluations);
  search.setFtol(1e-8);
  search.setXtol(1e-8);
  search.minimize(start);
  return start;
}

/// The best of short searches from the prior's medians and from each cost far above its own, then a long one.
VectorXd most_believable(const Function& function) {
  constexpr double kFar = 2.5;
  constexpr int kShort = 12, kLong = 100;
  std::vector<VectorXd> starts = {prior_mean()};
  for (Eigen::Index i = 0; i < starts.front().size(); ++i) {
    starts.push_back(starts.front());
    starts.back()[i] += kFar * host_costs_prior()[i].sd;
  }
  VectorXd best = starts.front();
  for (const VectorXd& start : starts) {
    const VectorXd found = least_squares(function, start, kShort);
    if (function(found).squaredNorm() < function(best).squaredNorm()) best = found;
  }
  return least_squares(function, best, kLong);
}

/// Root mean square of the residuals of one kind, with three observations' worth of belief in `before`.
double spread(const std::vector<HostObservation>& observations, const OsdCosts& costs, double before,
              std::optional<double> HostObservation::*seen, double HostPrediction::*told) {
  double sum = 3 * before * before, count = 3;
  for (const HostObservation& one : observations)
    if (one.*seen) {
      const double off =
          std::log(*(one.*seen)) - std::log(predict(one.host, one.osds, costs, one.load).*told);
      sum += off * off;
      ++count;
    }
  return std::sqrt(sum / count);
}

void check(const std::vector<HostObservation>& observations) {
  if (observations.empty()) throw Error(ErrorKind::kInput, "calibration of the host model: no measurements");
  for (const HostObservation& one : observations)
    for (const std::optional<double>& value : {one.iops, one.p99_us, one.cores_used, one.kv_us})
      if (value && !(*value > 0 && std::isfinite(*value)))
        throw Error(ErrorKind::kInput,
                    fmt::format("calibration of the host model: {} is no measurement", *value));
}

/// Normal approximation at `logs`, the logarithms of the costs.
void set_posterior(HostFit* fit, const VectorXd& logs, const MatrixXd& covariance) {
  fit->covariance.assign(covariance.data(), covariance.data() + covariance.size());
  for (Eigen::Index i = 0; i < logs.size(); ++i) {
    const double sd = std::sqrt(covariance(i, i));
    const CostPrior& prior = host_costs_prior()[i];
    fit->fitted.push_back(
        {prior.name,
         {std::exp(logs[i]), std::exp(logs[i] - kNormal95 * sd), std::exp(logs[i] + kNormal95 * sd)},
         sd < 0.5 * prior.sd});
  }
}

double doublings_beyond(double value, const std::vector<double>& seen) {
  const auto [low, high] = std::minmax_element(seen.begin(), seen.end());
  return std::max({0.0, std::log2(*low / value), std::log2(value / *high)});
}

double distance(const std::vector<HostObservation>& observations, const HostObservation& asked) {
  using Dimension = double (*)(const HostObservation&);
  static constexpr Dimension kDimensions[] = {
      [](const HostObservation& o) { return o.host.cores / (o.host.devices * o.osds.osds_per_device); },
      [](const HostObservation& o) { return o.osds.osds_per_device; },
      [](const HostObservation& o) { return o.osds.shards * o.osds.threads_per_shard; },
      [](const HostObservation& o) { return o.osds.replicas; },
      [](const HostObservation& o) { return o.load.customers / (o.host.hosts * o.host.devices); },
  };
  double sum = 0;
  for (const Dimension dimension : kDimensions) {
    std::vector<double> seen;
    for (const HostObservation& one : observations) seen.push_back(dimension(one));
    sum += doublings_beyond(dimension(asked), seen);
  }
  return sum;
}

}  // namespace

const std::vector<CostPrior>& host_costs_prior() {
  // Medians of the right size, wide: processor time of a 4 KiB read near 100 us and of a copy of a write near
  // 250 us (tests/bench/tables/01 and 30), without contention for a shard's lock (20 shows how much there can
  // be), latency of a lone write below 1 ms (fact F13). Their deviations are judgement, not measurement.
  static const std::vector<CostPrior> kPrior = {
      {"messenger_us", &OsdCosts::messenger_us, 15, 0.7},
      {"kib_us", &OsdCosts::kib_us, 1.5, 0.7},  // large reads of tests/bench/tables/01
      {"read_us", &OsdCosts::read_us, 45, 0.6},
      {"write_us", &OsdCosts::write_us, 120, 0.6},
      {"kv_us", &OsdCosts::kv_us, 20, 0.6},
      {"commit_us", &OsdCosts::commit_us, 150, 1.0},
      {"wake_us", &OsdCosts::wake_us, 80, 0.7},
      {"client_us", &OsdCosts::client_us, 150, 0.8},
      {"contention", &OsdCosts::contention, 0.05, 2.0},
      {"switching", &OsdCosts::switching, 0.03, 0.8},
      {"sharing", &OsdCosts::sharing, 0.4, 0.5},
      {"tail", &OsdCosts::tail, 3, 0.5},
      {"stall_us", &OsdCosts::stall_us, 1000, 2.0},
  };
  return kPrior;
}

OsdCosts typical_costs() {
  return costs_of(prior_mean());
}

HostFit uncalibrated() {
  HostFit fit{.costs = typical_costs(), .iops_sd = kIopsSd, .p99_sd = kP99Sd};
  VectorXd variance(prior_mean().size());
  for (Eigen::Index i = 0; i < variance.size(); ++i) variance[i] = std::pow(host_costs_prior()[i].sd, 2);
  set_posterior(&fit, prior_mean(), variance.asDiagonal());
  return fit;
}

HostFit calibrate(const std::vector<HostObservation>& observations) {
  check(observations);
  HostFit fit{.iops_sd = kIopsSd, .p99_sd = kP99Sd, .observations = observations};
  VectorXd logs = prior_mean();
  const Function misfit = [&](const VectorXd& at) {
    return misfits(observations, at, fit.iops_sd, fit.p99_sd);
  };
  for (int round = 0; round < 3; ++round) {
    logs = round == 0 ? most_believable(misfit) : least_squares(misfit, logs, 100);
    fit.costs = costs_of(logs);
    fit.iops_sd = spread(observations, fit.costs, kIopsSd, &HostObservation::iops, &HostPrediction::iops);
    fit.p99_sd = spread(observations, fit.costs, kP99Sd, &HostObservation::p99_us, &HostPrediction::p99_us);
  }
  const MatrixXd slope = jacobian(misfit, logs);
  set_posterior(&fit, logs,
                (slope.transpose() * slope).ldlt().solve(MatrixXd::Identity(logs.size(), logs.size())));
  return fit;
}

HostOutlook outlook(const HostFit& fit, const HostShape& host, const OsdShape& osds, const HostLoad& load) {
  HostOutlook out;
  out.at = predict(host, osds, fit.costs, load);
  out.doublings =
      fit.observations.empty() ? 0 : distance(fit.observations, {.host = host, .osds = osds, .load = load});
  VectorXd logs(host_costs_prior().size());
  for (Eigen::Index i = 0; i < logs.size(); ++i) logs[i] = std::log(fit.costs.*host_costs_prior()[i].cost);
  const MatrixXd slope = jacobian(
      [&](const VectorXd& at) -> VectorXd {
        const HostPrediction told = predict(host, osds, costs_of(at), load);
        return Eigen::Vector2d(std::log(told.iops), std::log(told.p99_us));
      },
      logs);
  const MatrixXd covariance = Eigen::Map<const MatrixXd>(fit.covariance.data(), logs.size(), logs.size());
  const Eigen::Vector2d known = (slope * covariance * slope.transpose()).diagonal();
  const auto around = [&](double value, double variance, double noise, double per_doubling) {
    const double sd = std::sqrt(variance + noise * noise + std::pow(per_doubling * out.doublings, 2));
    return Interval{value, value * std::exp(-kNormal95 * sd), value * std::exp(kNormal95 * sd)};
  };
  out.iops = around(out.at.iops, known[0], fit.iops_sd, kPerDoubling);
  out.p99_us = around(out.at.p99_us, known[1], fit.p99_sd, 2 * kPerDoubling);
  return out;
}

}  // namespace osdtune
