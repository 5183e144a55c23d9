// SPDX-License-Identifier: Apache-2.0
// THE MAIN PATH: from a plan to a study, with the cluster put back whatever happens.
//
//   plan      -> which settings, ranges, order, what it will cost
//   with_rollback( session:                          undo journal first, restored on every way out, verified
//     baseline -> measure the configuration as found
//     while (config = next(plan, study)) study.add( apply(config) -> settle -> measure ) )
//   fit       -> response model, and recommend: both from the study alone, see advisor/recommend.hpp
#include "search/sweep.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "knowledge/host_facts.hpp"
#include "search/measure.hpp"
#include "search/observe.hpp"
#include "search/phase_clock.hpp"
#include "search/resolve.hpp"

namespace osdtune {
namespace {

constexpr const char* kPool = "osdtune";

/// What does not change during a sweep.
struct Experiment {
  const Plan& plan;
  Target& target;
  StudyFile& study;
  const Schedule& schedule;
  Session& session;
  PhaseClock& progress;
  std::stop_token stop;
};

std::string host_name() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

/// Everything the sweep may change, as found.
JournalContent journal_content(const StudyHeader& header, Target& target, const std::string& study) {
  JournalContent content;
  content.header = {.fsid = header.fsid,
                    .target = target.name,
                    .client = target.client,
                    .study = study,
                    .host = host_name(),
                    .pid = ::getpid(),
                    .started = utc_text(target.cluster->now())};
  content.before =
      take_snapshot(*target.cluster, target.control.get(), touched_options(header.space, header.debug_names));
  content.restart_names = restart_options(header.space);
  return content;
}

LoadImages load_images(const Plan& plan) {
  LoadImages load{.pool = kPool,
                  .pg_num = plan.load.pg_num,
                  .pool_size = plan.load.pool_size,
                  .image_bytes = plan.load.image_bytes};
  for (int i = 0; i < count_images(plan); ++i) load.images.push_back(fmt::format("osdtune-{}", i));
  return load;
}

/// The trial that an interruption left open, else the next of the schedule.
std::optional<Suggestion> next(const Experiment& e) {
  const Study& study = e.study.study();
  if (!study.trials.empty() && !study.trials.back().verdict)
    return Suggestion{study.trials.back().config, study.trials.back().reason, {}};
  e.progress.phase(Phase::kThink, "");
  return e.schedule.next(study);
}

/// Opens the trial, unless the study has it open already.
void begin_trial(Experiment& e, const Suggestion& suggestion) {
  const Study& study = e.study.study();
  if (study.trials.empty() || study.trials.back().verdict)
    e.study.add_trial(suggestion, e.target.cluster->now());
  const Trial& trial = study.trials.back();
  e.progress.note(fmt::format("trial {} ({}): {}", trial.id, trial.reason, to_text(trial.config)));
}

TrialVerdict run_trial(Experiment& e, const Suggestion& suggestion, bool cold) {
  TrialVerdict verdict;
  try {
    const StudyHeader& header = *e.study.study().header;
    const bool started = e.session.apply(settings_for(suggestion.config, header.space, header.debug_names));
    measure(e.plan, e.target, e.session, e.study, cold || started, e.progress, e.stop);
  } catch (const TrialError& error) {
    verdict = {.feasible = false, .reason = error.what()};
    e.progress.warn(fmt::format("infeasible: {}", error.what()));
  }
  verdict.seconds = e.progress.take();
  return verdict;
}

void check_baseline(const Study& study) {
  const Trial& first = study.trials.front();
  if (!first.verdict->feasible)
    throw Error(ErrorKind::kCluster,
                fmt::format("the configuration as found cannot be measured: {}", first.verdict->reason),
                "make the cluster healthy and run the same command again with a new study");
}

void report_progress(const Experiment& e) {
  const Study& study = e.study.study();
  const auto done = static_cast<int>(study.trials.size());
  double seconds = 0;
  for (const auto& trial : study.trials)
    for (const auto& [phase, spent] : trial.verdict->seconds) seconds += spent;
  const int total = e.schedule.trials;
  double left = seconds / done * (total - done);
  if (const auto hours = e.plan.budget.hours) left = std::min(left, std::max(0.0, 3600 * *hours - seconds));
  e.progress.status(done, total, left, best_in_words(study));
}

void check_ready(Target& target) {
  const Health health = target.cluster->health();
  for (const auto& osd : target.cluster->osds())
    if (!osd.up)
      throw Error(ErrorKind::kCluster, fmt::format("osd.{} is down", osd.id),
                  "bring it up, or take it out of the cluster, before a sweep");
  for (const auto& [state, count] : target.cluster->pg_states())
    if (state != "active+clean")
      throw Error(ErrorKind::kCluster,
                  fmt::format("{} PGs are {} ({}): numbers measured now would not be true", count, state,
                              health.status),
                  "wait until all PGs are active+clean");
  if (!target.cluster->may_remove_pools())
    throw Error(ErrorKind::kCluster,
                "the monitors refuse to remove pools, so the pool of the sweep would be left behind",
                "for the time of the sweep: ceph config set mon mon_allow_pool_delete true");
  target.workload->check();
}

/// What the host model needs to know of the OSDs' hosts; what is unknown is absent.
Json osd_host_facts(const Plan& plan, Target& target) {
  Json facts = Json::object();
  if (target.osd_cores) facts["cores"] = *target.osd_cores;
  if (target.control) facts["osds_per_device"] = target.control->osds_per_device();
  const auto osds = target.cluster->osds();
  if (osds.empty()) return facts;
  facts["device_class"] = osds.front().device_class;
  const char* kSize = "osd_pool_default_size";
  const int found = std::atoi(target.cluster->running_values(osds.front().id, {kSize})[kSize].c_str());
  const int replicas = plan.load.pool_size > 0 ? plan.load.pool_size : found;
  if (replicas > 0) facts["replicas"] = replicas;
  return facts;
}

}  // namespace

StudyHeader describe_experiment(const Plan& plan, Target& target, Progress& progress) {
  const Catalogue catalogue = load_catalogue();
  const OptionSource source = option_source(catalogue, target);
  Resolved resolved = resolve_space(plan, source);
  for (const auto& note : resolved.notes) progress.note(note);
  if (!target.simulated)
    for (const Setting& setting : resolved.space.settings)
      if (const auto found = catalogue_difference(catalogue, *target.cluster, source.release, setting.name))
        progress.note("this cluster differs from the catalogue: " + *found);
  StudyHeader header{
      .plan = plan, .space = std::move(resolved.space), .target = target.name, .simulated = target.simulated};
  header.fsid = target.cluster->fsid();
  header.release = target.cluster->release();
  header.tool_version = OSDTUNE_VERSION;
  header.created = utc_text(target.cluster->now());
  header.debug_names = source.debug_names;
  header.stored =
      take_snapshot(*target.cluster, nullptr, touched_options(header.space, header.debug_names)).stored;
  header.facts = {{"client_host", to_json(collect_host_facts())},
                  {"osd_host", osd_host_facts(plan, target)},
                  {"osds", target.cluster->osd_metadata()}};
  return header;
}

Schedule search_schedule(const Plan& plan, const TimeSource& now) {
  const double started = now();
  return {.trials = plan.budget.trials,
          .next = [plan, now, started](const Study& study) -> std::optional<Suggestion> {
            if (static_cast<int>(study.trials.size()) >= worthwhile_trials(study)) return std::nullopt;
            if (plan.budget.hours && now() - started > *plan.budget.hours * 3600) return std::nullopt;
            return suggest(informed_task(study), observe(study), plan.seed);
          }};
}

void sweep(const Plan& plan, Target& target, StudyFile& study, const Schedule& schedule, Progress& progress,
           std::stop_token stop) {
  PhaseClock clock(progress, [&] { return target.cluster->now(); });
  Journal journal = Journal::claim(journal_path(target.cluster->fsid()));
  refuse_if_taken(*target.cluster, kPool);
  check_ready(target);
  const StudyHeader header = describe_experiment(plan, target, clock);
  if (study.study().header) check_same_experiment(*study.study().header, header);
  if (!study.study().header) study.begin(header);
  journal.begin(journal_content(header, target, study.name()));
  Session session(*target.cluster, target.control.get(), std::move(journal), clock, stop);
  Experiment experiment{plan, target, study, schedule, session, clock, stop};
  with_rollback(session, [&] {
    const LoadImages load = load_images(plan);
    target.load.pool = load.pool, target.load.images = load.images,
    target.load.image_bytes = load.image_bytes;
    session.quiet();
    session.prepare(load);
    study.add_seconds(clock.take());
    for (bool cold = true; const auto suggestion = next(experiment); cold = false) {
      begin_trial(experiment, *suggestion);
      study.add_verdict(run_trial(experiment, *suggestion, cold));
      check_baseline(study.study());
      report_progress(experiment);
    }
  });
  study.add_seconds(clock.take());
}

}  // namespace osdtune
