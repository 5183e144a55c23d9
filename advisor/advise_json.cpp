// SPDX-License-Identifier: Apache-2.0
// Advice for programs.
#include "advisor/advise.hpp"

namespace osdtune {
namespace {

Json finding_json(const Finding& finding) {
  Json json = {
      {"rule", finding.rule},     {"topic", finding.topic},     {"severity", to_text(finding.severity)},
      {"finding", finding.text},  {"also", finding.also},       {"why", finding.why},
      {"advice", finding.advice}, {"effect", finding.effect},   {"gain_percent", finding.gain_percent},
      {"risk", finding.risk},     {"cost", finding.cost},       {"subjects", finding.subjects},
      {"places", finding.places}, {"sources", finding.sources}, {"sweep", finding.sweep}};
  Json folded = Json::array();
  for (const Finding& each : finding.folded) folded.push_back(finding_json(each));
  json["same_cause"] = folded;
  if (!finding.releases.empty()) json["releases"] = finding.releases;
  return json;
}

}  // namespace

Json to_json(const Advice& advice) {
  Json findings = Json::array();
  for (const Finding& finding : advice.findings) findings.push_back(finding_json(finding));
  return {{"about", advice.about},
          {"summary",
           {{"danger", count(advice, Severity::kDanger)},
            {"warning", count(advice, Severity::kWarning)},
            {"advice", count(advice, Severity::kAdvice)},
            {"info", count(advice, Severity::kInfo)}}},
          {"findings", findings},
          {"lines", advice.lines},
          {"notes", advice.notes},
          {"sweep", advice.sweep}};
}

}  // namespace osdtune
