// SPDX-License-Identifier: Apache-2.0
// Cliffs: responses that change their level at once where a column passes some place between two measured
// values.
#pragma once

#include <optional>
#include <vector>

#include "search/model/fit.hpp"

namespace osdtune {

/// A cliff in one column. All places between the two measured neighbours explain the samples equally well.
struct Jump {
  Eigen::Index column = 0;
  double below = 0, above = 0;  ///< measured neighbours
  double place = 0;             ///< between them
};

/// `x` with the side of the jump (0 or 1) as a further column; without a jump `x` itself.
Eigen::MatrixXd with_side(const Eigen::MatrixXd& x, const std::optional<Jump>& jump);

/// One hypothesis about samples: smooth, or smooth on both sides of a jump with a correlation between them
/// that is fitted.
struct Hypothesis {
  std::optional<Jump> jump;
  Hyper hyper;             ///< most probable; with a jump it has a length more, for `with_side`
  double log_weight = 0;   ///< log of prior times evidence
  double probability = 0;  ///< among those returned
};

/// The most probable hypotheses, best first: "smooth" and "one jump" are equally believed beforehand, every
/// column and every place in its range too. A treed Gaussian process (Gramacy & Lee 2008) with one split, by
/// enumeration instead of sampling and averaged over (Hoeting et al. 1999). `smooth` are the most probable
/// hyperparameters without a jump.
std::vector<Hypothesis> hypotheses(const Samples& samples, const HyperPrior& prior, const Hyper& smooth);

}  // namespace osdtune
