// SPDX-License-Identifier: Apache-2.0
// Recommendations by expected hypervolume and expected utility, predictions with intervals, shares of
// variance.
#include "search/planner_recommend.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>

#include "search/model/ehvi.hpp"
#include "search/model/pareto.hpp"
#include "search/planner_acquisition.hpp"

namespace osdtune {

namespace {

constexpr std::size_t kNotable = 400;      ///< measured configurations that are looked at again and again
constexpr double kPositiveEvidence = 1.1;  ///< log Bayes factor of 3 (Kass & Raftery 1995)
constexpr double kEqual = 0.002;           ///< costs this near (0.2 %) are equal for all practical purposes

Eigen::MatrixXd costs_at(const Beliefs& beliefs, const Eigen::MatrixXd& x, double sds) {
  Eigen::MatrixXd out(x.rows(), static_cast<Eigen::Index>(beliefs.objectives.size()));
  for (std::size_t k = 0; k < beliefs.objectives.size(); ++k) {
    const Marginals at = beliefs.objectives[k].predict(x);
    out.col(static_cast<Eigen::Index>(k)) = (at.mean.array() + sds * at.variance.array().sqrt()).matrix();
  }
  return out;
}

void drop_infeasible(const Beliefs& beliefs, const Encoding& encoding, std::vector<Levels>& pool,
                     double least) {
  if (beliefs.constraints.empty()) return;
  const Eigen::VectorXd share = feasibility(beliefs, encoding.columns(pool));
  std::vector<Levels> kept;
  for (std::size_t i = 0; i < pool.size(); ++i)
    if (share[static_cast<Eigen::Index>(i)] >= least) kept.push_back(pool[i]);
  if (!kept.empty()) pool = std::move(kept);
}

void append_front(const Eigen::MatrixXd& costs, const std::vector<Levels>& pool, std::vector<Levels>& out,
                  std::size_t limit) {
  const auto front = front_of(costs);
  for (std::size_t i = 0; i < front.size(); ++i) {
    // Thin a long front evenly.
    if (front.size() > limit && i * limit / front.size() == (i + 1) * limit / front.size() &&
        i + 1 < front.size())
      continue;
    out.push_back(pool[static_cast<std::size_t>(front[i])]);
  }
}

/// What was measured; of much, what comes nearest to the front.
std::vector<Levels> notable(const Encoding& encoding, const Beliefs& beliefs) {
  if (beliefs.measured.size() <= kNotable) return beliefs.measured;
  std::vector<Levels> out;
  for (const Eigen::Index i :
       nearest_to_front(costs_at(beliefs, encoding.columns(beliefs.measured), 0), kNotable))
    out.push_back(beliefs.measured[static_cast<std::size_t>(i)]);
  return out;
}

void sort_unique(std::vector<Levels>& pool) {
  std::sort(pool.begin(), pool.end());
  pool.erase(std::unique(pool.begin(), pool.end()), pool.end());
}

/// Evidence is computed from all observations or not at all: with many, the intervals speak for themselves.
bool testable(const Beliefs& beliefs) {
  return !beliefs.left_out.empty() &&
         beliefs.samples.front().y.size() == beliefs.left_out.front().mean.size();
}

/// Zero with probability `spike`, else normal.
struct SpikedNormal {
  double spike, mean, sd;
};

double quantile(const SpikedNormal& belief, double q) {
  if (belief.sd <= 0) return q < belief.spike || belief.mean == 0 ? 0 : belief.mean;
  const double below = (1 - belief.spike) * normal_cumulative(-belief.mean / belief.sd);
  if (q >= below && q <= below + belief.spike) return 0;
  const double rest = (q < below ? q : q - belief.spike) / (1 - belief.spike);
  return belief.mean + belief.sd * boost::math::quantile(boost::math::normal(), rest);
}

Eigen::VectorXd utilities(const Task& task, const Eigen::MatrixXd& costs) {
  Eigen::VectorXd out(costs.rows());
  for (Eigen::Index i = 0; i < costs.rows(); ++i) out[i] = utility(task, costs.row(i).transpose());
  return out;
}

}  // namespace

std::vector<Levels> promising(const Task& task, const Encoding& encoding, const Beliefs& beliefs,
                              Random& random) {
  const std::vector<Levels> known = notable(encoding, beliefs);
  std::vector<Levels> pool = known;
  for (int i = 0; i < 800; ++i)
    if (auto levels = encoding.sample(random)) pool.push_back(std::move(*levels));
  for (const double step : {0.2, 0.1, 0.05, 0.03, 0.01}) {
    sort_unique(pool);
    std::vector<Levels> kept = pool;
    drop_infeasible(beliefs, encoding, kept, 0.5);
    const Eigen::MatrixXd costs = costs_at(beliefs, encoding.columns(kept), 0);
    std::vector<Levels> elite;
    append_front(costs, kept, elite, 40);
    Eigen::Index best = 0;
    utilities(task, costs).minCoeff(&best);
    const Levels top = kept[static_cast<std::size_t>(best)];
    pool = elite;
    pool.insert(pool.end(), known.begin(), known.end());
    for (int i = 0; i < 200; ++i)
      pool.push_back(encoding.mutate(elite[random.index(elite.size())], step, random));
    for (int i = 0; i < 40; ++i) pool.push_back(encoding.mutate(top, step, random));
  }
  sort_unique(pool);
  drop_infeasible(beliefs, encoding, pool, 0.5);
  const Eigen::MatrixXd x = encoding.columns(pool);
  std::vector<Levels> out;
  for (const double sds : {-0.7, 0.0, 0.7}) append_front(costs_at(beliefs, x, sds), pool, out, 45);
  std::vector<Levels> measured = known;
  drop_infeasible(beliefs, encoding, measured, 0.5);
  append_front(costs_at(beliefs, encoding.columns(measured), 0), measured, out, 45);
  const Eigen::VectorXd rating = utilities(task, costs_at(beliefs, x, 0));
  Eigen::Index best = 0;
  rating.minCoeff(&best);
  out.push_back(pool[static_cast<std::size_t>(best)]);
  sort_unique(out);
  return out;
}

std::vector<Levels> best_set(const Encoding& encoding, const Beliefs& beliefs,
                             const std::vector<Levels>& pool, std::size_t limit, Random& random) {
  constexpr Eigen::Index draws = 48;
  const Eigen::VectorXd reference = reference_costs(encoding, beliefs, random);
  const Eigen::MatrixXd x = encoding.columns(pool);
  const auto normals = [&] {
    Eigen::MatrixXd out(x.rows(), draws);
    for (Eigen::Index j = 0; j < out.cols(); ++j)
      for (Eigen::Index i = 0; i < out.rows(); ++i) out(i, j) = random.normal();
    return out;
  };
  std::vector<Eigen::MatrixXd> costs, bounds;
  for (const Response& response : beliefs.objectives)
    costs.push_back(draw(response.predict_joint(x), normals()));
  for (const Response& response : beliefs.constraints)
    bounds.push_back(draw(response.predict_joint(x), normals()));
  std::vector<Staircase> stairs(static_cast<std::size_t>(draws), Staircase(reference));
  std::vector<Levels> out;
  std::vector<bool> used(pool.size(), false);
  const auto cost_of = [&](std::size_t i, Eigen::Index s) {
    Eigen::VectorXd cost(static_cast<Eigen::Index>(costs.size()));
    for (std::size_t k = 0; k < costs.size(); ++k)
      cost[static_cast<Eigen::Index>(k)] = costs[k](static_cast<Eigen::Index>(i), s);
    return cost;
  };
  const auto holds = [&](std::size_t i, Eigen::Index s) {
    return std::all_of(bounds.begin(), bounds.end(),
                       [&](const Eigen::MatrixXd& b) { return b(static_cast<Eigen::Index>(i), s) <= 0; });
  };
  while (out.size() < limit) {
    double most = 0;
    std::size_t best = pool.size();
    for (std::size_t i = 0; i < pool.size(); ++i) {
      if (used[i]) continue;
      double total = 0;
      for (Eigen::Index s = 0; s < draws; ++s)
        if (holds(i, s)) total += stairs[static_cast<std::size_t>(s)].gain(cost_of(i, s).data());
      if (total > most) {
        most = total;
        best = i;
      }
    }
    if (best == pool.size()) break;
    used[best] = true;
    out.push_back(pool[best]);
    for (Eigen::Index s = 0; s < draws; ++s)
      if (holds(best, s)) stairs[static_cast<std::size_t>(s)].add(cost_of(best, s).data());
  }
  return out;
}

Levels best_single(const Task& task, const Encoding& encoding, const Beliefs& beliefs,
                   const std::vector<Levels>& pool, Random& random) {
  const Eigen::MatrixXd x = encoding.columns(pool);
  const Eigen::VectorXd costs = utilities(task, costs_at(beliefs, x, 0));
  const Eigen::VectorXd feasible = feasibility(beliefs, x);
  const double poor = utility(task, reference_costs(encoding, beliefs, random));
  Eigen::Index best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const double expected = feasible[i] * costs[i] + (1 - feasible[i]) * std::max(poor, costs[i]);
    if (expected < least) {
      least = expected;
      best = i;
    }
  }
  return pool[static_cast<std::size_t>(best)];
}

namespace {

/// What is tried to be put back at a time: each setting, and each two that interact.
std::vector<std::vector<std::size_t>> undone_together(const Task& task) {
  std::vector<std::vector<std::size_t>> out;
  const auto& settings = task.space.settings;
  const auto interact = [&](const std::string& a, const std::string& b) {
    return std::any_of(task.groups.begin(), task.groups.end(), [&](const auto& group) {
      return std::count(group.begin(), group.end(), a) > 0 && std::count(group.begin(), group.end(), b) > 0;
    });
  };
  for (std::size_t s = 0; s < settings.size(); ++s) out.push_back({s});
  for (std::size_t s = 0; s < settings.size(); ++s)
    for (std::size_t t = s + 1; t < settings.size(); ++t)
      if (interact(settings[s].name, settings[t].name)) out.push_back({s, t});
  return out;
}

}  // namespace

Levels simplest(const Task& task, const Encoding& encoding, const Beliefs& beliefs, const Levels& best) {
  const Levels found = encoding.levels(default_config(task.space));
  const double least = feasibility(beliefs, encoding.columns(std::vector<Levels>{best}))[0] - 0.02;
  const auto excess_of = [&](const Levels& other) {
    const Eigen::MatrixXd x = encoding.columns(std::vector<Levels>{best, other});
    double loss = 0;
    double allowed = 0;
    for (std::size_t k = 0; k < task.objectives.size(); ++k) {
      const Eigen::VectorXd mean = beliefs.objectives[k].mean(x);
      const double weight = task.objectives[k].weight;
      loss += weight * (mean[1] - mean[0]);
      allowed += weight * kEqual * (task.objectives[k].log ? 1.0 : beliefs.objectives[k].scale);
    }
    return loss - allowed;
  };
  const auto together = undone_together(task);
  Levels out = best;
  // Dear changes are undone first, then whatever costs least.
  for (const Change dear : {Change::kRedeploy, Change::kRestart, Change::kRuntime}) {
    while (true) {
      double lowest = 0;
      std::optional<Levels> next;
      for (const auto& settings : together) {
        Levels back = out;
        for (const std::size_t s : settings) back[s] = found[s];
        if (back == out || encoding.change(out, back) != dear) continue;
        back = encoding.canonical(std::move(back));
        if (!encoding.allowed(back) ||
            feasibility(beliefs, encoding.columns(std::vector<Levels>{back}))[0] < least)
          continue;
        const double excess = excess_of(back);
        if (excess <= lowest) {
          lowest = excess;
          next = std::move(back);
        }
      }
      if (!next) break;
      out = *next;
    }
  }
  return out;
}

Levels supported(const Task& task, const Encoding& encoding, const Beliefs& beliefs, const Levels& best) {
  if (!testable(beliefs)) return best;
  const Levels found = encoding.levels(default_config(task.space));
  Levels out = best;
  for (std::size_t s = 0; s < encoding.size(); ++s) {
    if (best[s] == found[s]) continue;
    double strongest = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < beliefs.objectives.size(); ++k)
      strongest = std::max(strongest, log_bayes_factor(encoding, beliefs, k, {s}));
    if (strongest < kPositiveEvidence) out[s] = found[s];
  }
  out = encoding.canonical(std::move(out));
  const bool feasible = feasibility(beliefs, encoding.columns(std::vector<Levels>{out}))[0] >= 0.5;
  return encoding.allowed(out) && feasible ? out : best;
}

double doubt(const Task& task, const Encoding& encoding, const Beliefs& beliefs, const Levels& levels) {
  const Levels found = encoding.levels(default_config(task.space));
  std::vector<std::size_t> changed;
  for (std::size_t s = 0; s < encoding.size(); ++s)
    if (levels[s] != found[s]) changed.push_back(s);
  if (changed.empty() || !testable(beliefs)) return 0;
  double together = 0, strongest = 0;
  for (std::size_t k = 0; k < beliefs.objectives.size(); ++k) {
    const double single = log_bayes_factor(encoding, beliefs, k, changed);
    together += single;
    strongest = k == 0 ? single : std::max(strongest, single);
  }
  return 1 / (1 + std::exp(std::max(strongest, together)));
}

Prediction predict(const Task& task, const Encoding& encoding, const Beliefs& beliefs, const Levels& levels,
                   double doubt) {
  const Levels found = encoding.levels(default_config(task.space));
  const Eigen::MatrixXd x = encoding.columns(std::vector<Levels>{levels, found});
  Prediction out;
  out.config = encoding.config(levels);
  out.measured =
      std::find(beliefs.measured.begin(), beliefs.measured.end(), levels) != beliefs.measured.end();
  out.feasible = feasibility(beliefs, x.topRows(1))[0];
  double weighted = 0, weighted_variance = 0;
  for (std::size_t k = 0; k < task.objectives.size(); ++k) {
    const Objective& objective = task.objectives[k];
    const Response& response = beliefs.objectives[k];
    const Joint joint = response.predict_joint(x);
    const auto [low, high] = interval_95(response, beliefs.rates[k], x.row(0));
    const double a = from_cost(objective, low);
    const double b = from_cost(objective, high);
    out.mean.push_back(from_cost(objective, joint.mean[0]));
    out.low.push_back(std::min(a, b));
    out.high.push_back(std::max(a, b));
    const bool same = levels == found;
    const double gap = same ? 0 : joint.mean[1] - joint.mean[0];
    const double variance = joint.covariance(0, 0) + joint.covariance(1, 1) - 2 * joint.covariance(0, 1);
    const SpikedNormal belief{.spike = doubt,
                              .mean = gap,
                              .sd = same ? 0.0 : response.widening * std::sqrt(std::max(0.0, variance))};
    weighted += objective.weight * belief.mean;
    weighted_variance += std::pow(objective.weight * belief.sd, 2);
    const double base = std::abs(joint.mean[1]);
    const auto gain = [&](double g) {
      if (!objective.log) return base > 0 ? g / base : 0.0;
      return objective.maximize ? std::expm1(g) : -std::expm1(-g);
    };
    out.gain.push_back(gain((1 - belief.spike) * gap));
    out.gain_low.push_back(gain(quantile(belief, 0.025)));
    out.gain_high.push_back(gain(quantile(belief, 0.975)));
  }
  if (weighted_variance > 0)
    out.better = (1 - doubt) * normal_cumulative(weighted / std::sqrt(weighted_variance));
  return out;
}

std::vector<Influence> influences(const Task& task, const Encoding& encoding, const Beliefs& beliefs,
                                  Random& random) {
  constexpr int kPairs = 512;
  std::vector<Levels> a, b;
  for (int i = 0; i < kPairs; ++i) {
    auto first = encoding.sample(random);
    auto second = encoding.sample(random);
    if (!first || !second) break;
    a.push_back(std::move(*first));
    b.push_back(std::move(*second));
  }
  std::vector<Influence> out;
  const Eigen::MatrixXd base = mean_costs(beliefs, encoding.columns(a));
  for (std::size_t s = 0; s < encoding.size(); ++s) {
    std::vector<Levels> moved = a;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      moved[i][s] = b[i][s];
      moved[i] = encoding.canonical(std::move(moved[i]));
    }
    const Eigen::MatrixXd there = mean_costs(beliefs, encoding.columns(moved));
    Influence influence{.setting = task.space.settings[s].name, .share = {}};
    for (Eigen::Index k = 0; k < base.cols(); ++k) {
      const double variance = (base.col(k).array() - base.col(k).mean()).square().mean();
      const double jansen =
          0.5 * (base.col(k) - there.col(k)).squaredNorm() / static_cast<double>(base.rows());
      influence.share.push_back(variance > 0 ? jansen / variance : 0.0);
    }
    out.push_back(std::move(influence));
  }
  return out;
}

}  // namespace osdtune
