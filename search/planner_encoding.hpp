// SPDX-License-Identifier: Apache-2.0
// Configurations as numbers: levels (one per setting, for moves and constraints) and columns (inputs of the
// model).
#pragma once

#include <vector>

#include "core/random.hpp"
#include "search/model/matrix.hpp"
#include "search/planner.hpp"

namespace osdtune {

/// One number per setting: the value of integers and reals, the position of categories, 0 or 1 of booleans.
using Levels = std::vector<double>;

/// Translates between configurations, levels and model inputs, and moves inside a space.
class Encoding {
 public:
  /// Throws Error{kInput} for a space without settings, with a broken range or with unknown names in
  /// constraints. What `trend` expects becomes columns behind those of the settings, standardised over the
  /// space.
  explicit Encoding(const Space& space, Trend trend = {});

  /// Throws Error{kInput} naming the setting that is missing or has a value of another kind. Values outside
  /// the searched range are fine: the configuration as found may have them.
  Levels levels(const Config& config) const;
  Config config(const Levels& levels) const;

  /// Model inputs: numbers scaled to [0,1] (logarithmically where asked), a column per category, booleans 0
  /// or 1; trends follow.
  Eigen::VectorXd columns(const Levels& levels) const;
  Eigen::MatrixXd columns(const std::vector<Levels>& many) const;
  Eigen::Index column_count() const { return setting_columns_ + trend_centre_.size(); }
  Eigen::Index setting_columns() const { return setting_columns_; }
  /// First column of a setting, and the one behind its last.
  std::pair<Eigen::Index, Eigen::Index> columns_of(std::size_t setting) const;

  std::size_t size() const { return codes_.size(); }
  const Space& space() const { return space_; }
  Change change_of(std::size_t setting) const { return space_.settings[setting].change; }
  /// Number of searched values, 0 if unbounded or more than `kMany`.
  std::size_t choices(std::size_t setting) const;
  static constexpr std::size_t kMany = 64;

  /// Position of a level in the searched range, in [0,1], and back to the nearest level there is.
  double unit(std::size_t setting, double level) const;
  double level(std::size_t setting, double unit) const;

  /// Settings whose condition does not hold, put back to the value as found.
  Levels canonical(Levels levels) const;
  /// The known constraints hold.
  bool allowed(const Levels& levels) const;
  /// Dearest change between two configurations.
  Change change(const Levels& from, const Levels& to) const;

  /// Uniform over the allowed space; nullopt if none was found in many draws.
  std::optional<Levels> sample(Random& random) const;
  /// A neighbour: few settings moved by about `step` of their range, others kept; allowed.
  Levels mutate(const Levels& from, double step, Random& random) const;

 private:
  struct Code {
    SettingKind kind;
    std::vector<double> numbers;  ///< allowed values of a listed number, rising
    std::size_t categories = 0;
    double low = 0, high = 1;
    bool log = false;
    double bend = 1;  ///< power applied to counts before scaling: the step from 1 to 2 threads matters most
    bool shifted_log =
        false;  ///< a logarithmic range that starts at or below zero: "0 = off" gets its own column
    Eigen::Index first = 0, width = 1;
    std::optional<std::size_t> parent;  ///< the setting that this one's condition is about
    std::vector<double> active;         ///< levels of the parent where this setting counts
  };
  struct Product {
    double coefficient;
    std::vector<std::size_t> settings;
  };
  struct Limit {
    std::vector<Product> terms;
    double limit;
  };
  static Code code_of(const Setting& setting);
  void read_condition(std::size_t setting);
  double level_of(const Setting& setting, const Value& value) const;
  Limit limit_of(const KnownConstraint& constraint) const;
  double scaled(const Code& code, double value) const;
  double model_input(const Code& code, double value) const;
  double move(std::size_t setting, double level, double step, Random& random) const;
  Eigen::VectorXd expected_by_trend(const Levels& levels) const;
  void standardise_trend();

  Space space_;
  Trend trend_;
  Eigen::VectorXd trend_centre_, trend_scale_;  ///< empty without a trend
  std::vector<Code> codes_;
  std::vector<Limit> limits_;
  Levels found_;  ///< the configuration as found
  Eigen::Index setting_columns_ = 0;
};

}  // namespace osdtune
