// SPDX-License-Identifier: Apache-2.0
// Noisy expected hypervolume improvement and its maximisation over mixed spaces.
#include "search/planner_acquisition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/model/ehvi.hpp"
#include "search/planner_prices.hpp"

namespace osdtune {

namespace {

constexpr Eigen::Index kBlock = 128;  ///< configurations rated at once: what they need stays in the cache
constexpr Eigen::Index kDraws = 16;
constexpr std::size_t kFrontPoints = 100;  ///< measured configurations a draw is made of

Eigen::MatrixXd standard_normals(Eigen::Index rows, Eigen::Index columns, Random& random) {
  Eigen::MatrixXd out(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j)
    for (Eigen::Index i = 0; i < rows; ++i) out(i, j) = random.normal();
  return out;
}

Eigen::MatrixXd rows_of(const Eigen::MatrixXd& from, const std::vector<Eigen::Index>& rows) {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()), from.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) out.row(static_cast<Eigen::Index>(i)) = from.row(rows[i]);
  return out;
}

double quantile(Eigen::VectorXd values, double share) {
  std::sort(values.data(), values.data() + values.size());
  return values[static_cast<Eigen::Index>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace

Eigen::MatrixXd mean_costs(const Beliefs& beliefs, const Eigen::MatrixXd& x) {
  Eigen::MatrixXd out(x.rows(), static_cast<Eigen::Index>(beliefs.objectives.size()));
  for (std::size_t k = 0; k < beliefs.objectives.size(); ++k)
    out.col(static_cast<Eigen::Index>(k)) = beliefs.objectives[k].mean(x);
  return out;
}

Eigen::VectorXd reference_costs(const Encoding& encoding, const Beliefs& beliefs, Random& random) {
  std::vector<Levels> spread;
  for (int i = 0; i < 256; ++i)
    if (auto levels = encoding.sample(random)) spread.push_back(std::move(*levels));
  const Eigen::MatrixXd measured = encoding.columns(beliefs.measured);
  const Eigen::MatrixXd front = mean_costs(beliefs, measured);
  const Eigen::MatrixXd best = rows_of(front, front_of(front));
  Eigen::VectorXd out(front.cols());
  const Eigen::MatrixXd space = spread.empty() ? front : mean_costs(beliefs, encoding.columns(spread));
  for (Eigen::Index k = 0; k < out.size(); ++k) {
    const double low = best.col(k).minCoeff();
    const double high = best.col(k).maxCoeff();
    out[k] = std::max(quantile(space.col(k), 0.3), high + 0.1 * (high - low));
    out[k] = std::max(out[k], low + 1e-6 * std::max(1.0, std::abs(low)));
  }
  return out;
}

std::vector<Eigen::Index> nearest_to_front(const Eigen::MatrixXd& costs, std::size_t count) {
  const Eigen::ArrayXXd z = (costs.rowwise() - costs.colwise().minCoeff()).array().rowwise() /
                            (costs.colwise().maxCoeff() - costs.colwise().minCoeff()).array().max(1e-300);
  std::vector<Eigen::Index> order(static_cast<std::size_t>(costs.rows()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  const Eigen::VectorXd rank = (z.rowwise().minCoeff() + 0.5 * z.rowwise().sum()).matrix();
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return rank[a] < rank[b]; });
  order.resize(std::min(count, order.size()));
  return order;
}

Acquisition::Acquisition(const Task& task, const Encoding& encoding, const Beliefs& beliefs, Aim aim,
                         Random& random)
    : beliefs_(beliefs) {
  const auto m = static_cast<Eigen::Index>(beliefs.objectives.size());
  Eigen::VectorXd reference;
  if (aim == Aim::kFront) {
    mix_ = Eigen::MatrixXd::Identity(m, m);
    reference = reference_costs(encoding, beliefs, random);
  } else {
    mix_.resize(1, m);
    for (Eigen::Index k = 0; k < m; ++k) mix_(0, k) = task.objectives[static_cast<std::size_t>(k)].weight;
    reference = Eigen::VectorXd::Constant(1, std::numeric_limits<double>::infinity());
  }
  Eigen::MatrixXd x = encoding.columns(beliefs.measured);
  // Far from the front a draw decides nothing.
  if (beliefs.measured.size() > kFrontPoints)
    x = rows_of(x, nearest_to_front(mean_costs(beliefs, x), kFrontPoints));
  std::size_t most = 1;
  for (const Response& response : beliefs.objectives) most = std::max(most, response.processes.size());
  const Eigen::Index each = std::max<Eigen::Index>(1, kDraws / static_cast<Eigen::Index>(most));
  const Eigen::Index draws = each * static_cast<Eigen::Index>(most);
  std::vector<Eigen::MatrixXd> drawn;
  for (const Response& response : beliefs.objectives) {
    draws_.emplace_back();
    Eigen::MatrixXd values(x.rows(), draws);
    for (std::size_t h = 0; h < most; ++h) {
      draws_.back().emplace_back(response.processes[h % response.processes.size()], x,
                                 standard_normals(x.rows(), each, random));
      values.middleCols(static_cast<Eigen::Index>(h) * each, each) = draws_.back().back().values();
    }
    drawn.push_back((values.array() * response.scale + response.centre).matrix());
  }
  std::vector<Eigen::MatrixXd> bounded;
  for (const Response& response : beliefs.constraints)
    bounded.push_back(draw(response.predict_joint(x), standard_normals(x.rows(), draws, random)));
  for (Eigen::Index s = 0; s < draws; ++s) {
    Staircase stairs(reference);
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      if (std::any_of(bounded.begin(), bounded.end(), [&](const Eigen::MatrixXd& b) { return b(i, s) > 0; }))
        continue;
      Eigen::VectorXd costs(m);
      for (Eigen::Index k = 0; k < m; ++k) costs[k] = drawn[static_cast<std::size_t>(k)](i, s);
      const Eigen::VectorXd mixed = mix_ * costs;
      stairs.add(mixed.data());
    }
    if (aim == Aim::kUtility && stairs.steps().empty()) {
      Staircase fallback(Eigen::VectorXd::Constant(
          1, utility(task, mean_costs(beliefs, x).colwise().maxCoeff().transpose())));
      fronts_.push_back(fallback);
    } else {
      fronts_.push_back(stairs);
    }
  }
}

Eigen::VectorXd Acquisition::operator()(const Eigen::MatrixXd& x) const {
  Eigen::VectorXd out(x.rows());
  for (Eigen::Index at = 0; at < x.rows(); at += kBlock) {
    const Eigen::Index count = std::min(kBlock, x.rows() - at);
    out.segment(at, count) = rate(x.middleRows(at, count));
  }
  return out;
}

Eigen::VectorXd Acquisition::rate(const Eigen::MatrixXd& x) const {
  const auto m = static_cast<Eigen::Index>(beliefs_.objectives.size());
  const std::size_t sets = draws_.front().size();
  const std::size_t each = fronts_.size() / sets;
  Eigen::VectorXd out = Eigen::VectorXd::Zero(x.rows());
  for (std::size_t h = 0; h < sets; ++h) {
    std::vector<ConditionalDraws::Conditional> at;
    Eigen::MatrixXd variance(x.rows(), m);
    for (Eigen::Index k = 0; k < m; ++k) {
      const Response& response = beliefs_.objectives[static_cast<std::size_t>(k)];
      at.push_back(draws_[static_cast<std::size_t>(k)][h].predict(x));
      at.back().mean = (at.back().mean.array() * response.scale + response.centre).matrix();
      variance.col(k) = at.back().variance * (response.scale * response.scale);
    }
    const Eigen::MatrixXd sd = (variance * mix_.cwiseAbs2().transpose()).cwiseSqrt();
    Eigen::VectorXd mean(m);
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      const Eigen::VectorXd deviation = sd.row(i).transpose();
      for (std::size_t s = 0; s < each; ++s) {
        for (Eigen::Index k = 0; k < m; ++k)
          mean[k] = at[static_cast<std::size_t>(k)].mean(i, static_cast<Eigen::Index>(s));
        const Eigen::VectorXd mixed = mix_ * mean;
        out[i] += expected_improvement(fronts_[h * each + s], mixed.data(), deviation.data());
      }
    }
  }
  return (out.array() * feasibility(beliefs_, x).array() / static_cast<double>(fronts_.size())).matrix();
}

double Acquisition::promise(const Eigen::MatrixXd& x) const {
  const double gain = (*this)(x)[0];
  if (mix_.rows() == 1) return gain;
  double volume = 0;
  for (const Staircase& stairs : fronts_) {
    Eigen::MatrixXd costs(static_cast<Eigen::Index>(stairs.steps().size()), 2);
    for (std::size_t i = 0; i < stairs.steps().size(); ++i)
      costs.row(static_cast<Eigen::Index>(i)) = stairs.steps()[i].transpose();
    volume += hypervolume(costs, stairs.reference()) / static_cast<double>(fronts_.size());
  }
  return volume > 0 ? gain / volume : std::numeric_limits<double>::infinity();
}

Levels best_candidate(const Task& task, const Encoding& encoding, const Beliefs& beliefs,
                      const Acquisition& acquisition, const Levels& current, Random& random) {
  const Eigen::MatrixXd measured = encoding.columns(beliefs.measured);
  const Eigen::MatrixXd costs = mean_costs(beliefs, measured);
  std::vector<Levels> elite;
  for (const Eigen::Index i : front_of(costs)) elite.push_back(beliefs.measured[static_cast<std::size_t>(i)]);
  {
    std::size_t best = 0;
    for (std::size_t i = 1; i < beliefs.measured.size(); ++i)
      if (utility(task, costs.row(static_cast<Eigen::Index>(i)).transpose()) <
          utility(task, costs.row(static_cast<Eigen::Index>(best)).transpose()))
        best = i;
    elite.push_back(beliefs.measured[best]);
  }
  elite.push_back(current);
  std::vector<Levels> pool;
  constexpr int spread = 350;
  for (int i = 0; i < spread; ++i)
    if (auto levels = encoding.sample(random)) pool.push_back(std::move(*levels));
  constexpr double kSteps[] = {0.03, 0.1, 0.3};
  for (int i = 0; i < spread; ++i)
    pool.push_back(encoding.mutate(elite[random.index(elite.size())], kSteps[random.index(3)], random));
  if (task.redeploy_cost > 0 || task.restart_cost > 0)
    // Cheap moves only: everything that needs a dearer change stays as it is.
    for (int i = 0; i < spread; ++i) {
      Levels stay = pool[random.index(static_cast<std::size_t>(2 * spread))];
      const Change keep = random.uniform() < 0.5 ? Change::kRestart : Change::kRedeploy;
      for (std::size_t s = 0; s < encoding.size(); ++s)
        if (encoding.change_of(s) >= keep) stay[s] = current[s];
      stay = encoding.canonical(std::move(stay));
      if (encoding.allowed(stay)) pool.push_back(std::move(stay));
    }

  std::vector<double> score;
  const auto rate = [&](std::size_t from) {
    const std::vector<Levels> fresh(pool.begin() + static_cast<std::ptrdiff_t>(from), pool.end());
    const Eigen::VectorXd value = acquisition(encoding.columns(fresh));
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      const double cost = 1 + price(task, encoding, current, fresh[i]);
      score.push_back(std::log(std::max(1e-300, value[static_cast<Eigen::Index>(i)])) - std::log(cost));
    }
  };
  rate(0);
  for (const double step : {0.1, 0.03, 0.01}) {
    std::vector<std::size_t> order(pool.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const std::size_t keep = std::min<std::size_t>(8, order.size());
    std::partial_sort(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(keep), order.end(),
        [&](std::size_t a, std::size_t b) { return score[a] != score[b] ? score[a] > score[b] : a < b; });
    const std::size_t from = pool.size();
    for (std::size_t i = 0; i < keep; ++i)
      for (int k = 0; k < 20; ++k) pool.push_back(encoding.mutate(pool[order[i]], step, random));
    rate(from);
  }
  const auto best = std::max_element(score.begin(), score.end()) - score.begin();
  return pool[static_cast<std::size_t>(best)];
}

}  // namespace osdtune
