// SPDX-License-Identifier: Apache-2.0
// From beliefs to a front, one choice and what they are worth against the configuration as found.
#pragma once

#include "search/planner_beliefs.hpp"

namespace osdtune {

/// Configurations worth recommending, measured or not: the front of the posterior mean and its surroundings.
std::vector<Levels> promising(const Task& task, const Encoding& encoding, const Beliefs& beliefs,
                              Random& random);

/// At most `limit` of them that together promise the largest hypervolume over draws from the posterior.
std::vector<Levels> best_set(const Encoding& encoding, const Beliefs& beliefs,
                             const std::vector<Levels>& pool, std::size_t limit, Random& random);

/// The one with the least expected utility cost; failing the constraints counts as no better than most of the
/// space.
Levels best_single(const Task& task, const Encoding& encoding, const Beliefs& beliefs,
                   const std::vector<Levels>& pool, Random& random);

/// `best` with every setting put back to the value as found that costs next to nothing: among equals the
/// fewest changes win, and the cheapest.
Levels simplest(const Task& task, const Encoding& encoding, const Beliefs& beliefs, const Levels& best);

/// `best` with every setting put back to the value as found that the observations do not clearly speak for,
/// by the Bayes factor for "some objective depends on it".
Levels supported(const Task& task, const Encoding& encoding, const Beliefs& beliefs, const Levels& best);

/// Probability that nothing depends on the settings in which `levels` differs from the configuration as
/// found; that and its opposite are equally probable beforehand. The stronger of the evidence of one
/// objective and of all together counts. 0 for large studies.
double doubt(const Task& task, const Encoding& encoding, const Beliefs& beliefs, const Levels& levels);

/// Value, gain against the configuration as found, and their 95 % intervals. With `doubt` the gain is zero
/// with that probability, and its interval is that of the mixture.
Prediction predict(const Task& task, const Encoding& encoding, const Beliefs& beliefs, const Levels& levels,
                   double doubt = 0);

/// Total Sobol' indices of the posterior means (Jansen 1999), with uniform settings.
std::vector<Influence> influences(const Task& task, const Encoding& encoding, const Beliefs& beliefs,
                                  Random& random);

}  // namespace osdtune
