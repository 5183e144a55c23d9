// SPDX-License-Identifier: Apache-2.0
// Latin hypercubes that include the ends, the best spread of many, walked by the cheapest changes.
#include "search/planner_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "search/planner_prices.hpp"

namespace osdtune {

namespace {

constexpr int kHypercubes = 200;
constexpr std::size_t kCubePoints = 4;  ///< few: the model uses every further measurement better
constexpr double kReach =
    0.95;  ///< share of a range that the outermost points span; whole numbers reach its ends

/// `count` configurations; in each setting the values are evenly spread from end to end, in random order.
std::optional<std::vector<Levels>> hypercube(const Encoding& encoding, std::size_t count, Random& random) {
  std::vector<Levels> out(count, Levels(encoding.size()));
  for (std::size_t s = 0; s < encoding.size(); ++s) {
    std::vector<double> places(count);
    const double shift = random.uniform();
    const std::size_t choices = encoding.choices(s);
    const bool category = encoding.space().settings[s].kind == SettingKind::kCategory;
    for (std::size_t i = 0; i < count; ++i) {
      // Categories take turns; numbers go from end to end, drawn a little to the inside.
      const double turn = std::fmod(static_cast<double>(i) + std::floor(shift * static_cast<double>(choices)),
                                    std::max(1.0, static_cast<double>(choices)));
      places[i] =
          category
              ? turn / std::max(1.0, static_cast<double>(choices) - 1)
              : 0.5 + kReach * (static_cast<double>(i) / std::max(1.0, static_cast<double>(count) - 1) - 0.5);
    }
    random.shuffle(places);
    for (std::size_t i = 0; i < count; ++i) out[i][s] = encoding.level(s, places[i]);
  }
  for (auto& levels : out) {
    levels = encoding.canonical(std::move(levels));
    // Pull what breaks a known constraint towards a random allowed configuration, setting by setting.
    for (std::size_t tries = 0; !encoding.allowed(levels) && tries < 20 * encoding.size(); ++tries) {
      const auto other = encoding.sample(random);
      if (!other) return std::nullopt;
      const std::size_t s = random.index(encoding.size());
      levels[s] = (*other)[s];
      levels = encoding.canonical(std::move(levels));
      if (tries + 1 == 20 * encoding.size()) levels = *other;
    }
  }
  return out;
}

double smallest_distance(const Encoding& encoding, const std::vector<Levels>& points) {
  const Eigen::MatrixXd x = encoding.columns(points).leftCols(encoding.setting_columns());
  double smallest = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) smallest = std::min(smallest, (x.row(i) - x.row(j)).squaredNorm());
  return smallest;
}

bool same_layout(const Encoding& encoding, const Levels& a, const Levels& b) {
  for (std::size_t s = 0; s < encoding.size(); ++s)
    if (encoding.change_of(s) == Change::kRedeploy && a[s] != b[s]) return false;
  return true;
}

/// Rebuilding OSDs costs several measurements: begin with the layout as found and one other, not with all of
/// them.
void limit_layouts(const Encoding& encoding, const Levels& found, std::vector<Levels>& points) {
  const std::size_t half = (points.size() + 1) / 2;
  const auto differs = std::find_if(points.begin(), points.end(), [&](const Levels& levels) {
    return !same_layout(encoding, levels, found);
  });
  const Levels other = differs == points.end() ? found : *differs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Levels same = points[i];
    for (std::size_t s = 0; s < encoding.size(); ++s)
      if (encoding.change_of(s) == Change::kRedeploy) same[s] = i < half ? found[s] : other[s];
    same = encoding.canonical(std::move(same));
    if (encoding.allowed(same)) points[i] = same;
  }
}

/// Nearest-price walk from the first point.
void order_by_price(const Task& task, const Encoding& encoding, std::vector<Levels>& points) {
  for (std::size_t at = 0; at + 2 < points.size(); ++at) {
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    const auto next = std::min_element(begin, points.end(), [&](const Levels& a, const Levels& b) {
      return price(task, encoding, points[at], a) < price(task, encoding, points[at], b);
    });
    std::iter_swap(begin, next);
  }
}

}  // namespace

double price(const Task& task, const Encoding& encoding, const Levels& from, const Levels& to) {
  switch (encoding.change(from, to)) {
    case Change::kRuntime:
      return 0;
    case Change::kRestart:
      return task.restart_cost;
    case Change::kRedeploy:
      return std::max(task.redeploy_cost, task.restart_cost);
  }
  return 0;
}

std::vector<Levels> initial_design(const Task& task, const Encoding& encoding, std::uint64_t seed) {
  Random random(mix_seed(seed, 0));
  const Levels found = encoding.levels(default_config(task.space));
  std::vector<Levels> best;
  double widest = -1;
  for (int cube = 0; cube < kHypercubes; ++cube) {
    auto points = hypercube(encoding, kCubePoints, random);
    if (!points)
      throw Error(ErrorKind::kInput, "no configuration was found that satisfies the known constraints",
                  "widen the ranges or the limits of the plan");
    if (task.redeploy_cost > 0) limit_layouts(encoding, found, *points);
    points->insert(points->begin(), found);
    const double spread = smallest_distance(encoding, *points);
    if (spread > widest) {
      widest = spread;
      best = std::move(*points);
    }
  }
  order_by_price(task, encoding, best);
  // What people believe in goes right behind the configuration as found.
  for (auto start = task.start_points.rbegin(); start != task.start_points.rend(); ++start)
    if (is_allowed(task.space, *start)) best.insert(best.begin() + 1, encoding.levels(*start));
  return best;
}

}  // namespace osdtune
