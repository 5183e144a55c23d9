// SPDX-License-Identifier: Apache-2.0
// The knowledge graph on Boost.Graph: built from the data, asked for ways, groups and order.
#include "knowledge/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/topological_sort.hpp>
#include <boost/range/iterator_range.hpp>
#include <map>
#include <set>

#include "core/error.hpp"
#include "knowledge/embedded.hpp"

namespace osdtune {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, GraphNode, GraphEdge>;
using Vertex = Graph::vertex_descriptor;
using Edge = Graph::edge_descriptor;

bool is_flow(const std::string& kind) {
  return kind == "sets" || kind == "uses" || kind == "limits";
}

std::string option_node(const std::string& name) {
  return "option:" + name;
}

std::string option_name(const std::string& id) {
  return id.substr(std::string("option:").size());
}

/// Remembers over which edge each vertex was first reached.
class Recorder : public boost::default_bfs_visitor {
 public:
  explicit Recorder(std::map<Vertex, Edge>* reached) : reached_(reached) {}
  template <class G>
  void tree_edge(Edge edge, const G& graph) {
    reached_->emplace(target(edge, graph), edge);
  }

 private:
  std::map<Vertex, Edge>* reached_;
};

}  // namespace

struct KnowledgeGraph::State {
  Graph graph;
  std::map<std::string, Vertex> by_id;
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
  std::vector<std::string> loose;  ///< edges whose ends do not exist

  void add_node(GraphNode node) {
    if (by_id.contains(node.id)) return;
    by_id[node.id] = add_vertex(node, graph);
    nodes.push_back(std::move(node));
  }

  void add_edge_between(GraphEdge edge) {
    const auto from = by_id.find(edge.from);
    const auto to = by_id.find(edge.to);
    if (from == by_id.end() || to == by_id.end()) {
      loose.push_back(fmt::format("{} {} {}", edge.from, edge.kind, edge.to));
      return;
    }
    add_edge(from->second, to->second, edge, graph);
    edges.push_back(std::move(edge));
  }

  /// The graph with edges of "requires" alone.
  Graph requirements() const {
    Graph only;
    for (const GraphNode& node : nodes) add_vertex(node, only);
    for (const GraphEdge& edge : edges)
      if (edge.kind == "requires") add_edge(by_id.at(edge.from), by_id.at(edge.to), edge, only);
    return only;
  }

  std::vector<GraphEdge> way_to(Vertex end, Vertex start, const std::map<Vertex, Edge>& reached) const {
    std::vector<GraphEdge> way;
    for (Vertex at = end; at != start; at = source(reached.at(at), graph))
      way.push_back(graph[reached.at(at)]);
    std::reverse(way.begin(), way.end());
    return way;
  }
};

KnowledgeGraph::KnowledgeGraph(const Catalogue& catalogue) : state_(std::make_unique<State>()) {
  for (const std::string& name : described_options(catalogue))
    state_->add_node({option_node(name), "option", name});
  Json data;
  for (const EmbeddedFile& file : embedded_files())
    if (file.name == "graph.json") data = parse_json(file.text, file.name);
  for (const Json& node : data.at("nodes"))
    state_->add_node({node.at("id").get<std::string>(), node.at("kind").get<std::string>(),
                      node.at("text").get<std::string>()});
  for (const Json& edge : data.at("edges"))
    state_->add_edge_between({edge.at("from").get<std::string>(), edge.at("kind").get<std::string>(),
                              edge.at("to").get<std::string>(), edge.value("why", "")});
  for (const auto& [name, description] : catalogue.descriptions) {
    if (!description.contains("relations")) continue;
    for (const Json& relation : description.at("relations"))
      state_->add_edge_between({option_node(name), relation.at("kind").get<std::string>(),
                                option_node(relation.at("option").get<std::string>()),
                                relation.value("why", "")});
  }
}

KnowledgeGraph::~KnowledgeGraph() = default;
KnowledgeGraph::KnowledgeGraph(KnowledgeGraph&&) noexcept = default;

const std::vector<GraphNode>& KnowledgeGraph::nodes() const {
  return state_->nodes;
}

const std::vector<GraphEdge>& KnowledgeGraph::edges() const {
  return state_->edges;
}

const GraphNode* KnowledgeGraph::find(const std::string& id) const {
  const auto found = state_->by_id.find(id);
  return found == state_->by_id.end() ? nullptr : &state_->graph[found->second];
}

std::vector<std::vector<GraphEdge>> KnowledgeGraph::ways_to_metrics(const std::string& id) const {
  const auto found = state_->by_id.find(id);
  if (found == state_->by_id.end()) return {};
  const auto flows = [this](const Edge& edge) { return is_flow(state_->graph[edge].kind); };
  const boost::filtered_graph flow(state_->graph, std::function<bool(const Edge&)>(flows));
  std::map<Vertex, Edge> reached;
  breadth_first_search(flow, found->second, visitor(Recorder(&reached)));
  std::vector<std::vector<GraphEdge>> ways;
  for (const auto& [vertex, edge] : reached)
    if (state_->graph[vertex].kind == "metric")
      ways.push_back(state_->way_to(vertex, found->second, reached));
  std::stable_sort(ways.begin(), ways.end(),
                   [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return ways;
}

std::vector<std::string> KnowledgeGraph::interacting_options(const std::string& option) const {
  const auto found = state_->by_id.find(option_node(option));
  if (found == state_->by_id.end()) return {};
  const Graph& graph = state_->graph;
  std::set<std::string> names;
  const auto keep = [&](Vertex vertex) {
    if (graph[vertex].kind == "option" && vertex != found->second)
      names.insert(option_name(graph[vertex].id));
  };
  for (const auto edge : boost::make_iterator_range(out_edges(found->second, graph))) {
    keep(target(edge, graph));
    const std::string& kind = graph[target(edge, graph)].kind;
    if (graph[edge].kind != "sets" || kind == "metric") continue;
    for (const auto other : boost::make_iterator_range(in_edges(target(edge, graph), graph)))
      if (graph[other].kind == "sets") keep(source(other, graph));
  }
  for (const auto edge : boost::make_iterator_range(in_edges(found->second, graph)))
    keep(source(edge, graph));
  return {names.begin(), names.end()};
}

std::vector<std::vector<std::string>> KnowledgeGraph::groups(const std::vector<std::string>& options) const {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> near(options.size());
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::vector<std::string> others = interacting_options(options[i]);
    for (std::size_t j = i + 1; j < options.size(); ++j)
      if (std::binary_search(others.begin(), others.end(), options[j])) add_edge(i, j, near);
  }
  std::vector<std::size_t> part(options.size());
  const auto count = options.empty() ? 0 : connected_components(near, part.data());
  std::vector<std::vector<std::string>> groups(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < options.size(); ++i) groups[part[i]].push_back(options[i]);
  return groups;
}

std::vector<std::string> KnowledgeGraph::order_of_application(const std::vector<std::string>& options) const {
  const Graph only = state_->requirements();
  std::vector<Vertex> order;  // required ones first: the reverse of a topological order along "requires"
  try {
    topological_sort(only, std::back_inserter(order));
  } catch (const boost::not_a_dag&) {
    throw Error(ErrorKind::kInput, "options require each other in a circle");
  }
  std::vector<std::string> sorted;
  for (const Vertex vertex : order) {
    const std::string& text = only[vertex].text;
    if (std::find(options.begin(), options.end(), text) != options.end()) sorted.push_back(text);
  }
  for (const std::string& name : options)
    if (std::find(sorted.begin(), sorted.end(), name) == sorted.end()) sorted.push_back(name);
  return sorted;
}

std::vector<std::string> KnowledgeGraph::faults() const {
  std::vector<std::string> faults;
  for (const std::string& edge : state_->loose) faults.push_back("an edge ends nowhere: " + edge);
  try {
    order_of_application({});
  } catch (const Error& e) {
    faults.push_back(e.what());
  }
  return faults;
}

std::string KnowledgeGraph::dot(const std::string& id, int distance) const {
  const Graph& graph = state_->graph;
  std::set<Vertex> near;
  if (const auto found = state_->by_id.find(id); found != state_->by_id.end()) near.insert(found->second);
  for (int step = 0; step < distance; ++step) {
    std::set<Vertex> next = near;
    for (const Vertex vertex : near) {
      for (const auto edge : boost::make_iterator_range(out_edges(vertex, graph)))
        next.insert(target(edge, graph));
      if (step == 0)
        for (const auto edge : boost::make_iterator_range(in_edges(vertex, graph)))
          next.insert(source(edge, graph));
    }
    near = std::move(next);
  }
  const auto shown = [&](Vertex vertex) { return id.empty() || near.contains(vertex); };
  std::string out = "digraph osdtune {\n  rankdir=LR;\n  node [shape=box];\n";
  for (const Vertex vertex : boost::make_iterator_range(vertices(graph)))
    if (shown(vertex)) out += fmt::format("  \"{}\" [label=\"{}\"];\n", graph[vertex].id, graph[vertex].text);
  for (const auto edge : boost::make_iterator_range(boost::edges(graph)))
    if (shown(source(edge, graph)) && shown(target(edge, graph)))
      out += fmt::format("  \"{}\" -> \"{}\" [label=\"{}\"];\n", graph[source(edge, graph)].id,
                         graph[target(edge, graph)].id, graph[edge].kind);
  return out + "}\n";
}

}  // namespace osdtune
