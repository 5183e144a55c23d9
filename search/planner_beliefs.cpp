// SPDX-License-Identifier: Apache-2.0
// Fitting of the response models: standardising, disturbed observations, drift, large studies.
#include "search/planner_beliefs.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "search/model/ehvi.hpp"
#include "search/model/fit.hpp"

namespace osdtune {

namespace {

constexpr Eigen::Index kFitLimit = 160;    ///< observations used to fit hyperparameters
constexpr Eigen::Index kExactLimit = 700;  ///< observations of an exact process
constexpr Eigen::Index kBasis = 300;       ///< of the sparse process beyond that

/// One quantity as measured, before standardising.
struct Series {
  Eigen::MatrixXd x;
  Eigen::VectorXd y, count, within, time;
};

Series series_of(const Encoding& encoding, const std::vector<const Record*>& records) {
  const auto n = static_cast<Eigen::Index>(records.size());
  Series out{.x = Eigen::MatrixXd(n, encoding.column_count()),
             .y = Eigen::VectorXd::Zero(n),
             .count = Eigen::VectorXd::Ones(n),
             .within = Eigen::VectorXd::Zero(n),
             .time = Eigen::VectorXd(n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    const Record& record = *records[static_cast<std::size_t>(i)];
    out.x.row(i) = encoding.columns(record.levels).transpose();
    out.count[i] = record.count;
    out.time[i] = record.time;
  }
  return out;
}

double deviation(const Eigen::VectorXd& y) {
  if (y.size() < 2) return 0;
  return std::sqrt((y.array() - y.mean()).square().sum() / static_cast<double>(y.size() - 1));
}

Samples standardise(const Series& series, bool drift, double centre, double scale) {
  return {.x = series.x,
          .y = ((series.y.array() - centre) / scale).matrix(),
          .noise_factor = series.count.cwiseInverse(),
          .noise_floor = series.within / (scale * scale),
          .time = drift ? series.time : Eigen::VectorXd()};
}

/// Evenly spread part of the samples, at most `limit`.
Samples part_of(const Samples& all, Eigen::Index limit) {
  const Eigen::Index n = all.x.rows();
  if (n <= limit) return all;
  Samples out{.x = Eigen::MatrixXd(limit, all.x.cols()),
              .y = Eigen::VectorXd(limit),
              .noise_factor = Eigen::VectorXd(limit),
              .noise_floor = Eigen::VectorXd(limit),
              .time = Eigen::VectorXd(all.time.size() > 0 ? limit : 0)};
  for (Eigen::Index i = 0; i < limit; ++i) {
    const Eigen::Index from = i * n / limit;
    out.x.row(i) = all.x.row(from);
    out.y[i] = all.y[from];
    out.noise_factor[i] = all.noise_factor[from];
    out.noise_floor[i] = all.noise_floor[from];
    if (all.time.size() > 0) out.time[i] = all.time[from];
  }
  return out;
}

GaussianProcess condition(const Hyper& hyper, const Samples& samples) {
  if (samples.x.rows() <= kExactLimit) return GaussianProcess::exact(hyper, samples);
  Samples timeless = samples;
  timeless.time.resize(0);
  return GaussianProcess::sparse(hyper, timeless, part_of(timeless, kBasis).x);
}

struct Fitted {
  Samples samples;
  Hyper hyper;
  double centre, scale;
};

Fitted fit_series(const Series& series, const HyperPrior& prior, bool drift) {
  const double scale = deviation(series.y);
  Fitted out{.samples = standardise(series, drift, series.y.mean(), scale > 1e-12 ? scale : 1.0),
             .hyper = {},
             .centre = series.y.mean(),
             .scale = scale > 1e-12 ? scale : 1.0};
  const Samples part = part_of(out.samples, kFitLimit);
  const Hyper start = prior_medians(prior, series.x.cols());
  out.hyper = fit(part, prior, start, static_cast<int>(40));
  if (1 > 1) {
    Hyper second = start;
    second.log_length.array() -= 1.0;
    second.log_noise = -1.0;
    second = fit(part, prior, second, static_cast<int>(40));
    if (evidence(second, part, prior).value > evidence(out.hyper, part, prior).value) out.hyper = second;
  }
  return out;
}

HyperPrior prior_for(const Encoding& encoding) {
  HyperPrior prior;
  prior.settings = static_cast<double>(encoding.size());
  prior.length_sd = 1.0;
  prior.noise_mean = std::log(0.05);
  prior.drift_mean = std::log(0.02);
  return prior;
}

/// Some configuration was measured again later, so that drift can be told from progress.
bool drift_is_visible(const std::vector<const Record*>& records) {
  if (records.size() < 6) return false;
  for (std::size_t i = 1; i < records.size(); ++i)
    if (records[i]->levels == records[i - 1]->levels && records[i]->time - records[i - 1]->time >= 3.0)
      return true;
  return false;
}

/// Probability that each record was disturbed: a share `kShare` of trials comes from a distribution ten times
/// as wide, towards the bad side in all objectives at once (a neighbour's load does not make anything
/// faster).
std::vector<double> suspicion_of(const std::vector<Fitted>& fitted) {
  const double share = 0.03;
  const double wide = 8.0;
  const Eigen::Index n = fitted.front().samples.x.rows();
  Eigen::VectorXd log_ratio = Eigen::VectorXd::Constant(n, std::log(share / (1 - share)));
  for (const Fitted& each : fitted) {
    const GaussianProcess process = GaussianProcess::exact(each.hyper, each.samples);
    const LeaveOneOut loo = leave_one_out(process);
    const Eigen::VectorXd noise = noise_variance(each.hyper, each.samples);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double usual = loo.variance[i];
      const double disturbed = usual + wide * wide * noise[i];
      const double r2 = loo.residual[i] * loo.residual[i];
      const double side = loo.residual[i] > 0 ? std::log(2.0) : std::log(0.05);
      log_ratio[i] += 0.5 * (r2 / usual - r2 / disturbed) + 0.5 * std::log(usual / disturbed) + side;
    }
  }
  std::vector<double> out;
  for (Eigen::Index i = 0; i < n; ++i) out.push_back(1.0 / (1.0 + std::exp(-log_ratio[i])));
  return out;
}

/// Standard deviations are multiplied by this: the root mean square of leave-one-out errors in units of their
/// prediction, never below one, pulled towards one while observations are few.
double widening_of(const GaussianProcess& process, const std::vector<double>& suspicion) {
  const LeaveOneOut loo = leave_one_out(process);
  double sum = 0;
  double weight = 0;
  for (Eigen::Index i = 0; i < loo.residual.size(); ++i) {
    const double w = suspicion.empty() ? 1.0 : 1.0 - suspicion[static_cast<std::size_t>(i)];
    sum += w * std::min(9.0, loo.residual[i] * loo.residual[i] / loo.variance[i]);
    weight += w;
  }
  constexpr double kPrior = 10;
  return std::sqrt(std::max(1.0, (sum + kPrior) / (weight + kPrior)));
}

Response response_of(Fitted fitted, const std::vector<double>& suspicion) {
  Response out{
      .process = condition(fitted.hyper, fitted.samples), .centre = fitted.centre, .scale = fitted.scale};
  if (fitted.samples.x.rows() <= kExactLimit) out.widening = widening_of(out.process, suspicion);
  return out;
}

std::vector<Response> learn_objectives(const Task& task, const Encoding& encoding,
                                       const std::vector<const Record*>& valued,
                                       std::vector<double>& suspicion) {
  const HyperPrior prior = prior_for(encoding);
  const bool drift = 1 > 0 && drift_is_visible(valued);
  std::vector<Fitted> fitted;
  std::vector<Series> series;
  for (std::size_t k = 0; k < task.objectives.size(); ++k) {
    series.push_back(series_of(encoding, valued));
    for (std::size_t i = 0; i < valued.size(); ++i) {
      series.back().y[static_cast<Eigen::Index>(i)] = (*valued[i]->costs)[k];
      series.back().within[static_cast<Eigen::Index>(i)] = valued[i]->within[k];
    }
    fitted.push_back(fit_series(series.back(), prior, drift));
  }
  if (1 > 0 && valued.size() >= 8 && static_cast<Eigen::Index>(valued.size()) <= kExactLimit) {
    suspicion = suspicion_of(fitted);
    if (*std::max_element(suspicion.begin(), suspicion.end()) > 0.3) {
      for (Fitted& each : fitted) {
        for (std::size_t i = 0; i < suspicion.size(); ++i)
          each.samples.noise_factor[static_cast<Eigen::Index>(i)] *=
              1.0 + 200.0 * suspicion[i] * suspicion[i];
        each.hyper = fit(part_of(each.samples, kFitLimit), prior, each.hyper, static_cast<int>(20));
      }
    }
  }
  std::vector<Response> out;
  for (Fitted& each : fitted) out.push_back(response_of(std::move(each), suspicion));
  return out;
}

std::vector<Response> learn_constraints(const Task& task, const Encoding& encoding,
                                        const std::vector<Record>& records) {
  std::vector<Response> out;
  const HyperPrior prior = prior_for(encoding);
  std::vector<const Record*> known;
  for (const Record& record : records)
    if (!record.constraints.empty()) known.push_back(&record);
  for (std::size_t k = 0; k < task.constraints.size() && !known.empty(); ++k) {
    Series series = series_of(encoding, known);
    for (std::size_t i = 0; i < known.size(); ++i)
      series.y[static_cast<Eigen::Index>(i)] = known[i]->constraints[k];
    out.push_back(response_of(fit_series(series, prior, false), {}));
  }
  // Failures that no constraint explains: +1 where a trial failed, -1 where it did not.
  const bool failures = std::any_of(records.begin(), records.end(),
                                    [](const Record& r) { return !r.costs && r.constraints.empty(); });
  if (!failures) return out;
  std::vector<const Record*> all;
  for (const Record& record : records)
    if (record.costs || record.constraints.empty()) all.push_back(&record);
  Series series = series_of(encoding, all);
  for (std::size_t i = 0; i < all.size(); ++i)
    series.y[static_cast<Eigen::Index>(i)] = all[i]->costs ? -1.0 : 1.0;
  out.push_back(response_of(fit_series(series, prior, false), {}));
  return out;
}

}  // namespace

Marginals Response::predict(const Eigen::MatrixXd& x) const {
  Marginals out = process.predict(x);
  out.mean = (out.mean.array() * scale + centre).matrix();
  out.variance *= scale * scale;
  return out;
}

Eigen::VectorXd Response::mean(const Eigen::MatrixXd& x) const {
  return (process.mean(x).array() * scale + centre).matrix();
}

Joint Response::predict_joint(const Eigen::MatrixXd& x) const {
  Joint out = process.predict_joint(x);
  out.mean = (out.mean.array() * scale + centre).matrix();
  out.covariance *= scale * scale;
  return out;
}

double utility(const Task& task, const Eigen::VectorXd& costs) {
  double total = 0;
  for (std::size_t k = 0; k < task.objectives.size(); ++k)
    total += task.objectives[k].weight * costs[static_cast<Eigen::Index>(k)];
  return total;
}

Beliefs learn(const Task& task, const Encoding& encoding, const std::vector<Record>& records) {
  std::vector<const Record*> valued;
  for (const Record& record : records)
    if (record.costs) valued.push_back(&record);
  if (valued.empty())
    throw Error(ErrorKind::kInput, "no trial has values: nothing can be learned from failures alone",
                "check why the configuration as found cannot be measured");
  Beliefs out;
  out.objectives = learn_objectives(task, encoding, valued, out.suspicion);
  out.constraints = learn_constraints(task, encoding, records);
  for (const Record* record : valued)
    if (out.measured.empty() || out.measured.back() != record->levels) out.measured.push_back(record->levels);
  return out;
}

Eigen::VectorXd feasibility(const Beliefs& beliefs, const Eigen::MatrixXd& x) {
  Eigen::VectorXd out = Eigen::VectorXd::Ones(x.rows());
  for (const Response& constraint : beliefs.constraints) {
    const Marginals at = constraint.predict(x);
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      out[i] *= normal_cumulative(-at.mean[i] / (constraint.widening * std::sqrt(at.variance[i])));
  }
  return out;
}

}  // namespace osdtune
