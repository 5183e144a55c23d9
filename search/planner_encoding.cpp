// SPDX-License-Identifier: Apache-2.0
// Scales of settings, their inverse, known constraints and random moves.
#include "search/planner_encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace osdtune {

namespace {

constexpr double kCategoryColumn = 0.7;  ///< so that two categories are about one unit apart
constexpr int kDraws = 20000;
constexpr int kTrendSamples = 256;   ///< that tell the spread of a trend
constexpr double kFlatTrend = 1e-3;  ///< natural logarithm: a trend that spreads less says nothing

[[noreturn]] void refuse(const std::string& setting, const std::string& what) {
  throw Error(ErrorKind::kInput, fmt::format("setting {}: {}", setting, what),
              "correct it in the plan or the study");
}

double number(const Setting& setting, const Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  if (const auto* d = std::get_if<double>(&value); d && std::isfinite(*d)) return *d;
  refuse(setting.name, fmt::format("{} is not a number", to_text(value)));
}

bool is_number(const Setting& setting) {
  return setting.kind == SettingKind::kInteger || setting.kind == SettingKind::kReal;
}

}  // namespace

Encoding::Code Encoding::code_of(const Setting& setting) {
  Code code{
      .kind = setting.kind, .numbers = {}, .low = setting.low, .high = setting.high, .log = setting.log};
  if (setting.kind == SettingKind::kBoolean) return code;
  if (setting.kind == SettingKind::kCategory) {
    if (setting.values.empty()) refuse(setting.name, "a category needs values");
    code.categories = setting.values.size();
    code.width = code.categories <= 2 ? 1 : static_cast<Eigen::Index>(code.categories);
    return code;
  }
  for (const auto& value : setting.values) code.numbers.push_back(number(setting, value));
  std::sort(code.numbers.begin(), code.numbers.end());
  if (!code.numbers.empty()) {
    code.low = code.numbers.front();
    code.high = code.numbers.back();
  }
  if (!std::isfinite(code.low) || !std::isfinite(code.high) || code.low > code.high)
    refuse(setting.name, fmt::format("its range {} to {} is empty", code.low, code.high));
  // Of many threads or shards the first few matter most; short ranges keep even steps.
  const bool count =
      setting.kind == SettingKind::kInteger && !code.log && code.low >= 1 && code.high >= 8 * code.low;
  if (count) code.bend = 0.5;
  code.shifted_log = code.log && code.low <= 0;
  if (code.shifted_log) code.width = 2;
  return code;
}

Encoding::Encoding(const Space& space, Trend trend) : space_(space), trend_(std::move(trend)) {
  if (space.settings.empty())
    throw Error(ErrorKind::kInput, "the space has no settings", "name at least one to search");
  for (const auto& setting : space.settings) {
    Code code = code_of(setting);
    code.first = setting_columns_;
    setting_columns_ += code.width;
    codes_.push_back(std::move(code));
  }
  for (const auto& constraint : space.known) limits_.push_back(limit_of(constraint));
  for (const auto& setting : space.settings) found_.push_back(level_of(setting, setting.default_value));
  for (std::size_t i = 0; i < codes_.size(); ++i)
    if (space.settings[i].when) read_condition(i);
  if (trend_) standardise_trend();
}

Eigen::VectorXd Encoding::expected_by_trend(const Levels& levels) const {
  const std::vector<double> costs = trend_(config(levels));
  return Eigen::Map<const Eigen::VectorXd>(costs.data(), static_cast<Eigen::Index>(costs.size()));
}

void Encoding::standardise_trend() {
  Random random(0);
  std::vector<Eigen::VectorXd> expected;
  for (int i = 0; i < kTrendSamples; ++i)
    if (const auto levels = sample(random)) expected.push_back(expected_by_trend(*levels));
  if (expected.empty()) return;
  Eigen::MatrixXd all(static_cast<Eigen::Index>(expected.size()), expected.front().size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    all.row(static_cast<Eigen::Index>(i)) = expected[i].transpose();
  trend_centre_ = all.colwise().mean().transpose();
  trend_scale_ = ((all.rowwise() - trend_centre_.transpose()).colwise().norm().transpose() /
                  std::sqrt(static_cast<double>(all.rows())))
                     .cwiseMax(kFlatTrend);
}

void Encoding::read_condition(std::size_t setting) {
  const SettingCondition& when = *space_.settings[setting].when;
  const auto at = std::find_if(space_.settings.begin(), space_.settings.end(),
                               [&](const Setting& other) { return other.name == when.setting; });
  if (at == space_.settings.end() || at->when)
    refuse(space_.settings[setting].name, fmt::format("its condition on {} cannot be used", when.setting));
  codes_[setting].parent = static_cast<std::size_t>(at - space_.settings.begin());
  for (const auto& value : when.values) codes_[setting].active.push_back(level_of(*at, value));
}

Levels Encoding::canonical(Levels levels) const {
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    const Code& code = codes_[i];
    if (code.parent &&
        std::find(code.active.begin(), code.active.end(), levels[*code.parent]) == code.active.end())
      levels[i] = found_[i];
  }
  return levels;
}

Encoding::Limit Encoding::limit_of(const KnownConstraint& constraint) const {
  Limit out{.terms = {}, .limit = constraint.limit};
  for (const auto& term : constraint.terms) {
    Product product{.coefficient = term.coefficient, .settings = {}};
    for (const auto& name : term.settings) {
      const auto at = std::find_if(space_.settings.begin(), space_.settings.end(),
                                   [&](const Setting& s) { return s.name == name && is_number(s); });
      if (at == space_.settings.end())
        throw Error(ErrorKind::kInput,
                    fmt::format("constraint {}: {} is not a searched number", constraint.name, name));
      product.settings.push_back(static_cast<std::size_t>(at - space_.settings.begin()));
    }
    out.terms.push_back(std::move(product));
  }
  return out;
}

Levels Encoding::levels(const Config& config) const {
  Levels out;
  for (const auto& setting : space_.settings) {
    const auto at = config.find(setting.name);
    if (at == config.end()) refuse(setting.name, "missing in an observed configuration");
    out.push_back(level_of(setting, at->second));
  }
  return canonical(std::move(out));
}

double Encoding::level_of(const Setting& setting, const Value& value) const {
  if (is_number(setting)) return number(setting, value);
  if (setting.kind == SettingKind::kBoolean) {
    const auto* flag = std::get_if<bool>(&value);
    if (!flag) refuse(setting.name, fmt::format("{} is not true or false", to_text(value)));
    return *flag ? 1 : 0;
  }
  // One position behind the listed ones stands for any value outside the searched ones.
  const auto place = std::find(setting.values.begin(), setting.values.end(), value);
  return static_cast<double>(place - setting.values.begin());
}

Config Encoding::config(const Levels& levels) const {
  Config out;
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    const auto& setting = space_.settings[i];
    const auto place = static_cast<std::size_t>(std::max(0.0, levels[i]));
    switch (setting.kind) {
      case SettingKind::kInteger:
        out[setting.name] = static_cast<std::int64_t>(std::llround(levels[i]));
        break;
      case SettingKind::kReal:
        out[setting.name] = levels[i];
        break;
      case SettingKind::kBoolean:
        out[setting.name] = levels[i] >= 0.5;
        break;
      case SettingKind::kCategory:
        out[setting.name] = place < setting.values.size() ? setting.values[place] : setting.default_value;
        break;
    }
  }
  return out;
}

double Encoding::scaled(const Code& code, double value) const {
  if (code.high <= code.low) return 0.0;
  if (code.shifted_log) return std::log1p(std::max(0.0, value - code.low)) / std::log1p(code.high - code.low);
  if (code.log) return std::log(std::max(value, code.low * 1e-3) / code.low) / std::log(code.high / code.low);
  return (value - code.low) / (code.high - code.low);
}

double Encoding::model_input(const Code& code, double value) const {
  if (code.bend == 1 || value <= 0) return scaled(code, value);
  const auto bent = [&](double v) { return std::pow(v, code.bend); };
  return (bent(value) - bent(code.low)) / (bent(code.high) - bent(code.low));
}

Eigen::VectorXd Encoding::columns(const Levels& levels) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(column_count());
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    const Code& code = codes_[i];
    if (code.categories > 2) {
      const auto place = static_cast<Eigen::Index>(levels[i]);
      if (place < code.width) out[code.first + place] = kCategoryColumn;
    } else if (code.categories > 0 || code.kind == SettingKind::kBoolean) {
      out[code.first] = levels[i];
    } else {
      out[code.first] = model_input(code, levels[i]);
      if (code.shifted_log) out[code.first + 1] = levels[i] <= code.low ? kCategoryColumn : 0.0;
    }
  }
  if (trend_centre_.size() > 0)
    out.tail(trend_centre_.size()) = (expected_by_trend(levels) - trend_centre_).cwiseQuotient(trend_scale_);
  return out;
}

Eigen::MatrixXd Encoding::columns(const std::vector<Levels>& many) const {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(many.size()), column_count());
  for (std::size_t i = 0; i < many.size(); ++i)
    out.row(static_cast<Eigen::Index>(i)) = columns(many[i]).transpose();
  return out;
}

std::pair<Eigen::Index, Eigen::Index> Encoding::columns_of(std::size_t setting) const {
  return {codes_[setting].first, codes_[setting].first + codes_[setting].width};
}

std::size_t Encoding::choices(std::size_t setting) const {
  const Code& code = codes_[setting];
  if (code.kind == SettingKind::kBoolean) return 2;
  if (code.categories > 0) return code.categories;
  if (!code.numbers.empty()) return code.numbers.size() <= kMany ? code.numbers.size() : 0;
  if (code.kind == SettingKind::kReal) return code.high <= code.low ? 1 : 0;
  const double count = std::floor(code.high) - std::ceil(code.low) + 1;
  return count <= static_cast<double>(kMany) ? static_cast<std::size_t>(count) : 0;
}

double Encoding::unit(std::size_t setting, double level) const {
  const Code& code = codes_[setting];
  if (code.categories > 0) {
    const double last = static_cast<double>(code.categories) - 1;
    return last > 0 ? std::min(level, last) / last : 0.0;
  }
  if (code.kind == SettingKind::kBoolean) return level;
  return std::clamp(scaled(code, level), 0.0, 1.0);
}

double Encoding::level(std::size_t setting, double unit) const {
  const Code& code = codes_[setting];
  const double u = std::clamp(unit, 0.0, 1.0);
  if (code.categories > 0) return std::round(u * (static_cast<double>(code.categories) - 1));
  if (code.kind == SettingKind::kBoolean) return u >= 0.5 ? 1 : 0;
  if (!code.numbers.empty())
    return *std::min_element(code.numbers.begin(), code.numbers.end(), [&](double a, double b) {
      return std::abs(scaled(code, a) - u) < std::abs(scaled(code, b) - u);
    });
  double value = code.low + u * (code.high - code.low);
  if (code.shifted_log) value = code.low + std::expm1(u * std::log1p(code.high - code.low));
  if (code.log && !code.shifted_log) value = code.low * std::exp(u * std::log(code.high / code.low));
  if (code.kind == SettingKind::kInteger)
    return std::clamp(std::round(value), std::ceil(code.low), std::floor(code.high));
  return std::clamp(value, code.low, code.high);
}

bool Encoding::allowed(const Levels& levels) const {
  return std::all_of(limits_.begin(), limits_.end(), [&](const Limit& limit) {
    double total = 0;
    for (const auto& term : limit.terms) {
      double product = term.coefficient;
      for (const std::size_t i : term.settings) product *= levels[i];
      total += product;
    }
    return total <= limit.limit;
  });
}

Change Encoding::change(const Levels& from, const Levels& to) const {
  Change dearest = Change::kRuntime;
  for (std::size_t i = 0; i < codes_.size(); ++i)
    if (from[i] != to[i]) dearest = std::max(dearest, change_of(i));
  return dearest;
}

std::optional<Levels> Encoding::sample(Random& random) const {
  for (int draw = 0; draw < kDraws; ++draw) {
    Levels out(codes_.size());
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      const std::size_t count = choices(i);
      const double u = random.uniform();
      // Equal shares for the values of a short list: the nearest-value rule would halve its ends.
      if (count > 1 && codes_[i].categories == 0 && !codes_[i].log && codes_[i].numbers.empty()) {
        out[i] = codes_[i].kind == SettingKind::kBoolean
                     ? (u >= 0.5 ? 1 : 0)
                     : std::ceil(codes_[i].low) + std::floor(u * static_cast<double>(count));
      } else if (count > 1 && codes_[i].categories > 0) {
        out[i] = std::floor(u * static_cast<double>(count));
      } else if (count > 1 && !codes_[i].numbers.empty()) {
        out[i] = codes_[i].numbers[static_cast<std::size_t>(u * static_cast<double>(count))];
      } else {
        out[i] = level(i, u);
      }
    }
    out = canonical(std::move(out));
    if (allowed(out)) return out;
  }
  return std::nullopt;
}

double Encoding::move(std::size_t setting, double from, double step, Random& random) const {
  const Code& code = codes_[setting];
  const std::size_t count = choices(setting);
  if (count == 1) return from;
  if (code.kind == SettingKind::kBoolean) return 1 - from;
  if (code.categories > 0) {
    const auto other = static_cast<double>(random.index(count - 1));
    return other >= from ? other + 1 : other;
  }
  const double moved = level(setting, unit(setting, from) + step * random.normal());
  if (moved != from || code.kind == SettingKind::kReal) return moved;
  // A short step of a whole number or a list still has to arrive somewhere.
  const bool up = random.uniform() < 0.5;
  if (code.numbers.empty())
    return std::clamp(from + (up ? 1 : -1), std::ceil(code.low), std::floor(code.high));
  const auto at = std::lower_bound(code.numbers.begin(), code.numbers.end(), from) - code.numbers.begin();
  const auto last = static_cast<std::ptrdiff_t>(code.numbers.size()) - 1;
  return code.numbers[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + (up ? 1 : -1), 0, last))];
}

Levels Encoding::mutate(const Levels& from, double step, Random& random) const {
  for (int attempt = 0; attempt < 50; ++attempt) {
    Levels out = from;
    const std::size_t most = std::max<std::size_t>(2, codes_.size() / 2);
    const std::size_t count = random.uniform() < 0.5 ? 1 : 2 + random.index(most - 1);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = random.index(codes_.size());
      out[i] = move(i, out[i], step, random);
    }
    out = canonical(std::move(out));
    if (allowed(out)) return out;
  }
  return from;
}

}  // namespace osdtune
