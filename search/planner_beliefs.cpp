// SPDX-License-Identifier: Apache-2.0
// Fitting of the response models: standardising, disturbed observations, drift, large studies.
#include "search/planner_beliefs.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "search/model/ehvi.hpp"
#include "search/model/jump.hpp"

namespace osdtune {

namespace {

constexpr Eigen::Index kFitLimit = 160;    ///< observations used to fit hyperparameters
constexpr Eigen::Index kExactLimit = 700;  ///< observations of an exact process
constexpr Eigen::Index kBasis = 300;       ///< of the sparse process beyond that
constexpr int kEvaluations = 40;           ///< of the evidence in one fit
/// Processes averaged over while data are few: sets of hyperparameters, and to judge also jumps.
constexpr Eigen::Index kSearching = 4, kJudging = 12;
/// Prior variance of the weight of a standardised trend: one if it explains all that is seen.
constexpr double kTrendVariance = 1.0;
constexpr double kDisturbedShare = 0.03;  ///< of trials, before anything is seen
constexpr double kDisturbedWidth = 8;     ///< standard deviation of a disturbed trial in units of the noise

/// One quantity as measured, before standardising.
struct Series {
  Eigen::MatrixXd x;
  Eigen::VectorXd y, count, within, time;
  Eigen::Index settings;  ///< columns of `x`; the others are trends
};

Series series_of(const Encoding& encoding, const std::vector<const Record*>& records) {
  const auto n = static_cast<Eigen::Index>(records.size());
  Series out{.x = Eigen::MatrixXd(n, encoding.column_count()),
             .y = Eigen::VectorXd::Zero(n),
             .count = Eigen::VectorXd::Ones(n),
             .within = Eigen::VectorXd::Zero(n),
             .time = Eigen::VectorXd(n),
             .settings = encoding.setting_columns()};
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
  Hyper smooth;                        ///< most probable without a jump
  std::vector<Hypothesis> hypotheses;  ///< best first
  double centre, scale;
};

/// That the trends say nothing, and that they say something: equally believed beforehand.
std::vector<Hypothesis> with_and_without_trend(const Samples& samples, const HyperPrior& prior,
                                               const Hyper& without) {
  Hyper start = without;
  start.trend_variance = kTrendVariance;
  const Hyper with = fit(samples, prior, start, kEvaluations);
  const double evidence = log_marginal(samples, prior, with) - log_marginal(samples, prior, without);
  const double probability = 1 / (1 + std::exp(-evidence));
  std::vector<Hypothesis> out{
      {.jump = {}, .hyper = with, .log_weight = evidence, .probability = probability},
      {.jump = {}, .hyper = without, .log_weight = 0, .probability = 1 - probability}};
  if (evidence < 0) std::swap(out[0], out[1]);
  return out;
}

/// Jumps are looked for only to judge: what is measured next is chosen without them, in a tenth of the time.
void explain(Fitted& fitted, const HyperPrior& prior, Purpose purpose) {
  fitted.hypotheses = {{.jump = {}, .hyper = fitted.smooth, .log_weight = 0, .probability = 1}};
  if (fitted.samples.x.cols() > fitted.smooth.log_length.size())
    fitted.hypotheses = with_and_without_trend(part_of(fitted.samples, kFitLimit), prior, fitted.smooth);
  if (purpose == Purpose::kJudge && fitted.samples.x.rows() <= kFitLimit)
    fitted.hypotheses = hypotheses(fitted.samples, prior, fitted.smooth);
}

Fitted fit_series(const Series& series, const HyperPrior& prior, bool drift, Purpose purpose) {
  const double scale = deviation(series.y);
  Fitted out{.samples = standardise(series, drift, series.y.mean(), scale > 1e-12 ? scale : 1.0),
             .smooth = {},
             .hypotheses = {},
             .centre = series.y.mean(),
             .scale = scale > 1e-12 ? scale : 1.0};
  const Hyper start = prior_medians(prior, series.settings);
  out.smooth = fit(part_of(out.samples, kFitLimit), prior, start, kEvaluations);
  explain(out, prior, purpose);
  return out;
}

/// Searching believes that settings matter: it has to find where. Judging must hold "all of it is noise" for
/// just as possible, or every study ends in a gain (measured: tests/bench/false_gains.cpp); and a drift
/// larger than all effects too, or what drifted in a short study is taken for an effect
/// (tests/bench/coverage.cpp).
HyperPrior prior_for(const Encoding& encoding, Purpose purpose) {
  HyperPrior prior{.settings = static_cast<double>(encoding.size())};
  if (purpose == Purpose::kSearch) return prior;
  prior.noise_mean = -1.5;
  prior.noise_sd = 1.5;
  prior.signal_sd = 1.5;
  prior.length_sd_above = 2.0;
  prior.drift_mean = -3.0;
  prior.drift_sd = 2.5;
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

/// Probability that each record was disturbed: a few trials come from a much wider distribution, towards the
/// bad side in all objectives at once (a neighbour's load does not make anything faster).
std::vector<double> suspicion_of(const std::vector<Fitted>& fitted) {
  const Eigen::Index n = fitted.front().samples.x.rows();
  Eigen::VectorXd log_ratio = Eigen::VectorXd::Constant(n, std::log(kDisturbedShare / (1 - kDisturbedShare)));
  for (const Fitted& each : fitted) {
    const Hypothesis& best = each.hypotheses.front();
    Samples samples = each.samples;
    samples.x = with_side(samples.x, best.jump);
    const LeaveOneOut loo = leave_one_out(GaussianProcess::exact(best.hyper, samples));
    const Eigen::VectorXd noise = noise_variance(best.hyper, samples);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double usual = loo.variance[i];
      const double disturbed = usual + kDisturbedWidth * kDisturbedWidth * noise[i];
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

/// `count` processes of one explanation: plausible hyperparameters, and places that fill the gap evenly.
void add_processes(const Hypothesis& from, Eigen::Index count, const Fitted& fitted, const HyperPrior& prior,
                   Response& out) {
  Samples samples = fitted.samples;
  samples.x = with_side(samples.x, from.jump);
  const Samples part = part_of(samples, kFitLimit);
  Random random(static_cast<std::uint64_t>(fitted.smooth.log_length.size()));
  Eigen::MatrixXd normals(pack(from.hyper, part.time.size() > 0).size(), count - 1);
  for (Eigen::Index i = 0; i < normals.size(); ++i) normals.data()[i] = random.normal();
  double place = 0.5;
  for (const Hyper& hyper : plausible(part, prior, from.hyper, normals)) {
    out.processes.push_back(condition(hyper, samples));
    out.jumps.push_back(from.jump);
    if (from.jump)
      out.jumps.back()->place =
          from.jump->below + place / static_cast<double>(count) * (from.jump->above - from.jump->below);
    place += 1;
  }
}

/// `count` processes, shared among the hypotheses by their probability.
Response response_of(const Fitted& fitted, const HyperPrior& prior, const std::vector<double>& suspicion,
                     Eigen::Index count) {
  Response out{.processes = {}, .jumps = {}, .centre = fitted.centre, .scale = fitted.scale};
  double reached = 0;
  Eigen::Index given = 0;
  for (const Hypothesis& each : fitted.hypotheses) {
    reached += each.probability;
    const auto until = static_cast<Eigen::Index>(std::lround(reached * static_cast<double>(count)));
    if (until > given) add_processes(each, until - given, fitted, prior, out);
    given = until;
  }
  if (fitted.samples.x.rows() <= kExactLimit) out.widening = widening_of(out.processes.front(), suspicion);
  return out;
}

/// The same observations as rates. Noise that is proportional to the rate stays so.
RateView rate_view_of(const Fitted& logs, const HyperPrior& prior, const std::vector<double>& suspicion) {
  const Eigen::ArrayXd rate = -(-logs.samples.y.array() * logs.scale).exp();
  const double spread = deviation(rate.matrix());
  Fitted rates = logs;
  rates.centre = rate.mean();
  rates.scale = spread > 1e-12 ? spread : 1.0;
  rates.samples.y = ((rate - rates.centre) / rates.scale).matrix();
  rates.samples.noise_factor.array() *= rate.square();
  rates.samples.noise_floor.array() *= (rate * logs.scale / rates.scale).square();
  rates.smooth = fit(rates.samples, prior, logs.smooth, kEvaluations);
  explain(rates, prior, Purpose::kJudge);
  return {.response = response_of(rates, prior, suspicion, kJudging), .origin = logs.centre};
}

LeftOut left_out_of(const Fitted& fitted, const Response& response) {
  const GaussianProcess& process = response.processes.front();
  const LeaveOneOut loo = leave_one_out(process);
  LeftOut out{.mean = ((fitted.samples.y - loo.residual).array() * fitted.scale + fitted.centre).matrix(),
              .sd = loo.variance.cwiseSqrt() * fitted.scale,
              .noise_sd = std::exp(0.5 * process.hyper().log_noise) * fitted.scale};
  if (fitted.samples.time.size() > 0) {
    const Marginals drift =
        process.predict_drift(Eigen::VectorXd::Constant(1, fitted.samples.time.maxCoeff()));
    out.drift = {drift.mean[0] * fitted.scale, std::sqrt(drift.variance[0]) * fitted.scale};
  }
  return out;
}

void learn_objectives(const Task& task, const Encoding& encoding, const std::vector<const Record*>& valued,
                      Purpose purpose, Beliefs& beliefs) {
  const HyperPrior prior = prior_for(encoding, purpose);
  std::vector<double>& suspicion = beliefs.suspicion;
  const bool drift = drift_is_visible(valued);
  std::vector<Fitted> fitted;
  std::vector<Series> series;
  for (std::size_t k = 0; k < task.objectives.size(); ++k) {
    series.push_back(series_of(encoding, valued));
    for (std::size_t i = 0; i < valued.size(); ++i) {
      series.back().y[static_cast<Eigen::Index>(i)] = (*valued[i]->costs)[k];
      series.back().within[static_cast<Eigen::Index>(i)] = valued[i]->within[k];
    }
    fitted.push_back(fit_series(series.back(), prior, drift, purpose));
  }
  if (valued.size() >= 8 && static_cast<Eigen::Index>(valued.size()) <= kExactLimit) {
    suspicion = suspicion_of(fitted);
    if (*std::max_element(suspicion.begin(), suspicion.end()) > 0.3) {
      for (Fitted& each : fitted) {
        for (std::size_t i = 0; i < suspicion.size(); ++i)
          each.samples.noise_factor[static_cast<Eigen::Index>(i)] *=
              1.0 + 200.0 * suspicion[i] * suspicion[i];
        each.smooth = fit(part_of(each.samples, kFitLimit), prior, each.smooth, kEvaluations / 2);
        explain(each, prior, purpose);
      }
    }
  }
  const bool many = static_cast<Eigen::Index>(valued.size()) > kFitLimit;
  const Eigen::Index count = many ? 1 : purpose == Purpose::kJudge ? kJudging : kSearching;
  for (const Fitted& each : fitted) {
    beliefs.objectives.push_back(response_of(each, prior, suspicion, count));
    beliefs.smooth.push_back(each.smooth);
    const bool both = purpose == Purpose::kJudge && !many && task.objectives[beliefs.rates.size()].log;
    beliefs.rates.push_back(both ? std::optional(rate_view_of(each, prior, suspicion)) : std::nullopt);
    beliefs.samples.push_back(part_of(each.samples, kFitLimit));
    if (each.samples.x.rows() <= kExactLimit)
      beliefs.left_out.push_back(left_out_of(each, beliefs.objectives.back()));
  }
}

std::vector<Response> learn_constraints(const Task& task, const Encoding& encoding,
                                        const std::vector<Record>& records) {
  std::vector<Response> out;
  const HyperPrior prior = prior_for(encoding, Purpose::kSearch);
  std::vector<const Record*> known;
  for (const Record& record : records)
    if (!record.constraints.empty()) known.push_back(&record);
  for (std::size_t k = 0; k < task.constraints.size() && !known.empty(); ++k) {
    Series series = series_of(encoding, known);
    for (std::size_t i = 0; i < known.size(); ++i)
      series.y[static_cast<Eigen::Index>(i)] = known[i]->constraints[k];
    out.push_back(response_of(fit_series(series, prior, false, Purpose::kSearch), prior, {}, 1));
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
  out.push_back(response_of(fit_series(series, prior, false, Purpose::kSearch), prior, {}, 1));
  return out;
}

}  // namespace

double utility(const Task& task, const Eigen::VectorXd& costs) {
  double total = 0;
  for (std::size_t k = 0; k < task.objectives.size(); ++k)
    total += task.objectives[k].weight * costs[static_cast<Eigen::Index>(k)];
  return total;
}

Beliefs learn(const Task& task, const Encoding& encoding, const std::vector<Record>& records,
              Purpose purpose) {
  std::vector<const Record*> valued;
  for (const Record& record : records)
    if (record.costs) valued.push_back(&record);
  if (valued.empty())
    throw Error(ErrorKind::kInput, "no trial has values: nothing can be learned from failures alone",
                "check why the configuration as found cannot be measured");
  Beliefs out;
  learn_objectives(task, encoding, valued, purpose, out);
  out.constraints = learn_constraints(task, encoding, records);
  for (const Record* record : valued)
    if (out.measured.empty() || out.measured.back() != record->levels) out.measured.push_back(record->levels);
  return out;
}

double log_bayes_factor(const Encoding& encoding, const Beliefs& beliefs, std::size_t objective,
                        const std::vector<std::size_t>& settings) {
  const HyperPrior prior = prior_for(encoding, Purpose::kJudge);
  const Samples& all = beliefs.samples[objective];
  const Hyper& best = beliefs.smooth[objective];
  std::vector<Eigen::Index> kept;
  for (std::size_t s = 0; s < encoding.size(); ++s) {
    if (std::find(settings.begin(), settings.end(), s) != settings.end()) continue;
    const auto [first, last] = encoding.columns_of(s);
    for (Eigen::Index c = first; c < last; ++c) kept.push_back(c);
  }
  Samples part = all;
  part.x = all.x(Eigen::all, kept);
  Hyper start = best;
  start.log_length = best.log_length(kept);
  const Hyper without = fit(part, prior, start, kEvaluations);
  return log_marginal(all, prior, best) - log_marginal(part, prior, without);
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
