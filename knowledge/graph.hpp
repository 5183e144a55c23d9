// SPDX-License-Identifier: Apache-2.0
// What ties options, thread pools, resources, stages of an operation and metrics together.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "knowledge/catalogue.hpp"

namespace osdtune {

/// A node: "option:osd_memory_target", "pool:workers", "resource:cores", "write:commit", "metric:p99".
struct GraphNode {
  std::string id;
  std::string kind;  ///< option, pool, resource, stage, metric
  std::string text;
};

/// An edge: sets, uses, limits, then; between options requires, overridden by, shadowed by, conflicts,
/// interacts.
struct GraphEdge {
  std::string from;
  std::string kind;
  std::string to;
  std::string why;
};

/// The graph of the data file and of the relations in the catalogue.
class KnowledgeGraph {
 public:
  explicit KnowledgeGraph(const Catalogue& catalogue);
  ~KnowledgeGraph();
  KnowledgeGraph(KnowledgeGraph&&) noexcept;
  KnowledgeGraph& operator=(KnowledgeGraph&&) = delete;

  const std::vector<GraphNode>& nodes() const;
  const std::vector<GraphEdge>& edges() const;
  const GraphNode* find(const std::string& id) const;

  /// Shortest way along "sets", "uses" and "limits" from a node to every metric it moves; each way
  /// starts with the edge out of `id`.
  std::vector<std::vector<GraphEdge>> ways_to_metrics(const std::string& id) const;

  /// Options that act on the same pool, stage or resource directly, or are related: they have to be searched
  /// together.
  std::vector<std::string> interacting_options(const std::string& option) const;

  /// Options that interact, in groups (connected parts of the graph of the given ones).
  std::vector<std::vector<std::string>> groups(const std::vector<std::string>& options) const;

  /// What must be set before what: the given options, required ones first. Throws Error{kInput} if "requires"
  /// goes round in a circle.
  std::vector<std::string> order_of_application(const std::vector<std::string>& options) const;

  /// Edges that start or end nowhere, and circles of "requires"; empty if the data is sound.
  std::vector<std::string> faults() const;

  /// Graphviz text of what is at most `distance` edges away from `id`; the whole graph for "".
  std::string dot(const std::string& id, int distance) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace osdtune
