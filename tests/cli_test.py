# SPDX-License-Identifier: Apache-2.0
"""The real program on wrong and right input, without a cluster: one clear sentence and the documented exit code."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
OSDTUNE = os.environ.get("OSDTUNE", str(ROOT / "build" / "osdtune"))
SIMULATED = f"sim:{ROOT}/examples/simulated.json"
PLAN = {
    "space": {"osd_op_num_shards": {"low": 2, "high": 16, "scale": "log"}, "debug_osd": ["1/5", "20/20"]},
    "workloads": [{"name": "rw4k", "rw": "randwrite", "bs": "4k", "iodepth": 16}],
    "measure": {"ramp_s": 0, "runtime_s": 60, "repeats": 3}, "budget": {"trials": 12}}


class CliTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def run_it(self, *args, **environment):
        env = {**os.environ, "OSDTUNE_STATE_DIR": str(self.path / "state"), **environment}
        return subprocess.run([OSDTUNE, *map(str, args)], env=env, text=True, capture_output=True, timeout=120, stdin=subprocess.DEVNULL)

    def plan(self, **changes):
        path = self.path / "plan.json"
        path.write_text(json.dumps({**PLAN, **changes}))
        return path

    def swept(self, **changes):
        study = self.path / "s.jsonl"
        done = self.run_it("sweep", self.plan(**changes), "--on", SIMULATED, "--study", study)
        self.assertEqual(done.returncode, 0, done.stderr)
        return study

    def assert_refused(self, code, words, *args, **environment):
        done = self.run_it(*args, **environment)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertNotIn("unexpected failure", done.stderr)

    def test_wrong_input_is_named(self):
        for words, changes in {
            "Ceph 18.2.7 has no such option": {"space": {"osd_op_num_shard": [2, 4]}},
            "did you mean osd_op_num_shards?": {"space": {"osd_op_num_shard": [2, 4]}},
            "is below the smallest value Ceph takes": {"space": {"ms_async_op_threads": [0, 3]}},
            "expected a whole number, found \"many\"": {"space": {"osd_op_num_shards": ["many"]}},
            "'21/x' is not a log level": {"space": {"debug_osd": ["21/x"]}},
            "low (8) is not below high (2)": {"space": {"osd_op_num_shards": {"low": 8, "high": 2}}},
            "is not searched: a wrong value risks": {"space": {"ms_crc_data": [True, False]}},
            "which is not in the space": {"space": {"rbd_cache_size": {"low": 1048576, "high": 67108864, "scale": "log", "when": {"rbd_cache": [True]}}}},
            "is not among the listed values": {"space": {"debug_osd": ["1/5", "0/5"], "debug_ms": {"values": ["0/0", "0/5"], "when": {"debug_osd": ["7/7"]}}}},
            "expected one other setting": {"space": {"debug_ms": {"values": ["0/0", "0/5"], "when": []}}},
            "the option catalogue has no range for it": {"space": {"osd_heartbeat_grace": "auto"}},
            "20 and 20/20 are the same value": {"space": {"debug_osd": ["20", "20/20"]}},
        }.items():
            with self.subTest(words):
                self.assert_refused(3, words, "plan", self.plan(**changes))

    def test_ranges_can_come_from_the_catalogue(self):
        plan = self.plan(space={"osd_op_num_shards": "auto", "ms_async_op_threads": "auto"})
        settings = json.loads(self.run_it("plan", plan, "--json").stdout)["space"]["settings"]
        self.assertEqual([(s["low"], s["high"], s["log"]) for s in settings], [(1, 16, True), (1, 6, False)])

    def test_a_setting_may_count_only_with_a_value_of_another(self):
        plan = self.plan(space={"rbd_cache": [True, False], "rbd_cache_size": {"low": 1 << 20, "high": 1 << 26, "scale": "log", "when": {"rbd-cache": [True]}}})
        done = self.run_it("plan", plan, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        setting = json.loads(done.stdout)["space"]["settings"][1]
        self.assertEqual(setting["when"], {"setting": "rbd_cache", "values": [True]})

    def test_targets_and_files_that_are_not_there(self):
        self.assert_refused(3, "No such file", "plan", self.path / "none.json")
        self.assert_refused(2, "expected lab, lab:DIR, ceph:CONF or sim:FILE.json", "plan", self.plan(), "--on", "cluster")
        self.assert_refused(3, "there is no lab in", "sweep", self.plan(), "--on", f"lab:{self.path}/x", "--study", self.path / "s")
        self.assert_refused(3, "there is no file", "sweep", self.plan(), "--on", f"ceph:{self.path}/c.conf", "--study", self.path / "s")
        self.assert_refused(2, "", "sweep")

    def test_a_host_without_ceph_is_told_what_to_install(self):
        (self.path / "empty").mkdir()
        self.assert_refused(4, "ceph-mon", "lab", "up", "--dir", self.path / "lab", PATH=str(self.path / "empty"))

    def test_a_simulated_sweep_finds_what_was_planted(self):
        study = self.swept()
        result = json.loads(self.run_it("recommend", study, "--json").stdout)
        self.assertTrue(result["simulated"])
        self.assertEqual(result["choice"]["config"]["debug_osd"], "1/5")
        text = self.run_it("recommend", study).stdout
        self.assertIn("SIMULATED", text)
        self.assertNotIn("nan", text.lower())

    def test_a_flat_response_gives_no_significant_gain(self):
        study = self.swept(space={"osd_op_num_threads_per_shard": [1, 2, 4], "debug_ms": ["0/0", "0/5"]})
        self.assertIn("No significant gain over the configuration as found", self.run_it("recommend", study).stdout)

    def test_the_same_seed_gives_the_same_sweep(self):
        configs = []
        for _ in range(2):
            study = self.swept()
            configs.append([json.loads(line)["config"] for line in study.read_text().splitlines() if '"event":"trial"' in line])
            study.unlink()
        self.assertEqual(*configs)

    def test_a_study_of_another_plan_is_refused(self):
        study = self.swept(budget={"trials": 1})
        self.assert_refused(3, "another space", "sweep", self.plan(space={"debug_osd": ["1/5", "5/5"]}), "--on", SIMULATED, "--study", study)

    def test_a_torn_line_is_dropped_and_reported(self):
        study = self.swept(budget={"trials": 2})
        whole = study.read_text()
        study.write_text(whole[:-10])
        self.assertIn("torn", self.run_it("recommend", study).stderr)
        done = self.run_it("sweep", self.plan(budget={"trials": 3}), "--on", SIMULATED, "--study", study)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(study.read_text().startswith(whole[:whole[:-10].rindex("\n")]))

    def test_exports_of_a_trial(self):
        study = self.swept()
        trial = next(json.loads(line) for line in study.read_text().splitlines()
                     if '"event":"trial"' in line and json.loads(line)["config"]["osd_op_num_shards"] != 8)
        conf = self.run_it("export", study, "--force", "--trial", trial["id"]).stdout
        self.assertIn(f"osd_op_num_shards = {trial['config']['osd_op_num_shards']}", conf)
        self.assertIn("[osd]", conf)
        self.assertIn("SIMULATED", conf)
        self.assertIn("ceph config set osd osd_op_num_shards", self.run_it("export", study, "--force", "--trial", trial["id"], "--format", "commands").stdout)
        self.assertIn("ceph config rm osd osd_op_num_shards", self.run_it("export", study, "--force", "--trial", trial["id"], "--format", "undo").stdout)
        self.assert_refused(2, "no trial 99", "export", study, "--force", "--trial", "99")
        self.assert_refused(3, "is simulated: nothing in it was measured", "export", study)
        self.assert_refused(3, "osds_per_device was not searched", "export", study, "--force", "--format", "osd-spec")

    def test_osds_per_device_becomes_a_service_spec(self):
        study = self.swept(space={"osds_per_device": [1, 2], "osd_op_num_shards": [4, 8]}, budget={"trials": 3})
        trial = next(json.loads(line) for line in study.read_text().splitlines()
                     if '"event":"trial"' in line and json.loads(line)["config"]["osds_per_device"] == 2)
        spec = self.run_it("export", study, "--force", "--trial", trial["id"], "--format", "osd-spec").stdout
        self.assertIn("service_type: osd", spec)
        self.assertIn("osds_per_device: 2", spec)

    def test_a_study_is_carried_over_to_other_cores(self):
        study = self.path / "hosts.jsonl"
        plan = self.plan(space={"osd_op_num_shards": [4, 8, 16], "ms_async_op_threads": [1, 3, 6]}, budget={"trials": 9})
        done = self.run_it("sweep", plan, "--on", f"sim:{ROOT}/examples/simulated-host.json", "--study", study)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = self.run_it("recommend", study, "--cores", "64").stdout
        self.assertIn("extrapolated from 32 to 64 cores; measure before you rely on it", text)
        self.assertIn("Threads: (", text)
        answer = json.loads(self.run_it("recommend", study, "--cores", "64", "--json").stdout)
        self.assertTrue(answer["extrapolated"])
        low, high = answer["configs"][0]["iops"]["interval"]
        self.assertLess(low, high)
        self.assertIn("Host model: IOPS within", self.run_it("model", study).stdout)
        other = json.loads(self.run_it("model", study, "--host", ROOT / "examples/hosts/dense-64-core.json", "--json").stdout)[0]
        self.assertLess(other["iops_interval"][0], other["iops"])
        self.assertGreater(other["doublings"], 0)
        stages = json.loads(self.run_it("explain", "--study", study, "--json").stdout)["workloads"][0]
        parts = stages["elsewhere_us"] + sum(s["residence_us"] for name, s in stages["stations"].items() if name != "processor")
        self.assertAlmostEqual(parts / stages["model_mean_us"], 1, places=3)
        self.assertIn("waiting for a core", self.run_it("explain", "--study", study).stdout)
        self.assert_refused(3, "no finished trial 99", "explain", "--study", study, "--trial", "99")
        self.assert_refused(2, "are for --cores N", "recommend", study, "--devices", "4")
        self.assert_refused(2, "--cores", "recommend", study, "--cores", "0")
        own = self.swept()
        self.assert_refused(3, "does not say how many cores", "recommend", own, "--cores", "64")

    def test_hosts_are_sized(self):
        hosts = sorted((ROOT / "examples" / "hosts").glob("*.json"))
        self.assertEqual(len(hosts), 6)
        for host in hosts:
            answer = json.loads(self.run_it("size", "--iops", "10k", "--host", host, "--json").stdout)
            self.assertGreaterEqual(answer["sizings"][0]["hosts"], 2)
        text = self.run_it("size", "--iops", "400k", "--p99", "50ms", "--rw", "randread", "--host", hosts[0]).stdout
        self.assertIn("no study given", text)
        self.assertIn("limited by", text)
        self.assert_refused(3, "does not start with a number", "size", "--iops", "many", "--host", hosts[0])
        self.assert_refused(3, "No such file", "size", "--iops", "1k", "--host", self.path / "none.json")
        self.assert_refused(3, "is missing", "size", "--iops", "1k", "--host", self.plan())

    def test_json_output_is_json_and_nothing_else(self):
        study = self.swept(budget={"trials": 3})
        for args in (["plan", self.plan()], ["plan", self.plan(), "--on", SIMULATED], ["recommend", study], ["export", study, "--force"],
                     ["rollback"], ["lab", "status"], ["sweep", self.plan(budget={"trials": 3}), "--on", SIMULATED, "--study", study],
                     ["sweep", self.plan(), "--on", SIMULATED, "--study", study, "--dry-run"]):
            with self.subTest(args[0]):
                done = self.run_it(*args, "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                json.loads(done.stdout)

    def test_ask_and_tell_drive_the_planner_from_outside(self):
        study = self.path / "own.jsonl"
        self.assert_refused(2, "does not exist yet", "ask", study)
        self.assert_refused(2, "--release", "ask", study, "--plan", self.plan())
        self.assertFalse(study.exists())
        first = json.loads(self.run_it("ask", study, "--plan", self.plan(), "--release", "18.2.7", "--json").stdout)
        self.assertEqual((first["trial"], first["reason"], first["changes"]), (0, "baseline", {}))
        before = study.read_text()
        self.assertEqual(json.loads(self.run_it("ask", study, "--json").stdout), first)
        for words, run in {"expected WORKLOAD:iops": "rw4k", "above zero": "rw4k:iops=-1", "not a metric": "rw4k:iosp=1"}.items():
            self.assert_refused(2, words, "tell", study, "--run", run)
        self.assert_refused(3, "no workload 'w'", "tell", study, "--run", "w:iops=1,p99_ms=1")
        self.assert_refused(3, "rw4k.p99_ms, which the goal needs", "tell", study, "--run", "rw4k:iops=1000")
        self.assertEqual(study.read_text(), before)
        self.assert_refused(3, "No such file", "tell", self.path / "none.jsonl", "--run", "rw4k:iops=1,p99_ms=1")
        for i in range(12):
            asked = json.loads(self.run_it("ask", study, "--json").stdout)
            shards = asked["config"]["osd_op_num_shards"]
            if i == 3:
                self.run_it("tell", study, "--infeasible", "osd.3 did not come back")
                continue
            runs = [f"--run=rw4k:iops={1000 * shards + n},p99_ms={20 / shards}" for n in range(2)]
            self.assertEqual(self.run_it("tell", study, *runs).returncode, 0)
        self.assertIsNone(json.loads(self.run_it("ask", study, "--json").stdout)["trial"])
        self.assert_refused(3, "no trial is open", "tell", study, "--run", "rw4k:iops=1,p99_ms=1")
        result = json.loads(self.run_it("recommend", study, "--json").stdout)
        self.assertEqual(result["choice"]["config"]["osd_op_num_shards"], 16)
        self.assertEqual(result["infeasible"], 1)

    def test_results_of_fio_can_be_told(self):
        study = self.path / "own.jsonl"
        self.run_it("ask", study, "--plan", self.plan(), "--release", "18.2.7")
        self.assert_refused(3, "No such file", "tell", study, "--fio", "rw4k=none.json")
        self.assert_refused(4, "No space left on device", "tell", study, "--fio", f"rw4k={ROOT}/tests/data/fio/v3_io_error.json")
        self.assertEqual(self.run_it("tell", study, "--fio", f"rw4k={ROOT}/tests/data/fio/v3_json.json").returncode, 0)
        self.assertIn("p99_ms", study.read_text())

    def test_verify_measures_in_turns_and_gives_a_verdict(self):
        study = self.swept(space={"osd_op_num_shards": [4, 8, 16], "debug_osd": ["1/5", "20/20"]})
        done = self.run_it("verify", study, "--on", SIMULATED, "--pairs", "4", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        verdict = json.loads(done.stdout)
        self.assertEqual(verdict["pairs"], 4)
        trials = [json.loads(line) for line in study.read_text().splitlines() if '"reason":"verify"' in line]
        ours = [t["config"] == verdict["config"] for t in trials]
        self.assertEqual(ours, [True, False, False, True, True, False, False, True])

    def test_examples_are_plans(self):
        for name in ("quick.json", "night.json", "six-settings.json"):
            self.assertEqual(self.run_it("plan", ROOT / "examples" / name).returncode, 0)

    def test_a_plan_is_made_for_a_target(self):
        plan = self.path / "made.json"
        done = self.run_it("plan", "--write", plan, "--on", SIMULATED)
        self.assertEqual(done.returncode, 0, done.stderr)
        space = json.loads(plan.read_text())["space"]
        self.assertIn("osd_op_num_shards", space)
        self.assertIn("expected to interact: ", done.stdout)
        self.assertEqual(self.run_it("plan", plan, "--on", SIMULATED).returncode, 0)
        self.assert_refused(3, "exists already", "plan", "--write", plan, "--on", SIMULATED)
        self.assert_refused(2, "expected either a plan or --write FILE", "plan")
        self.assertEqual(self.run_it("plan", "--write", self.path / "here.json", "--release", "17.2.7").returncode, 0)

    def test_the_graph_is_drawn_whole_or_around_an_option(self):
        whole, part = self.path / "all.dot", self.path / "part.dot"
        self.assertEqual(self.run_it("explain", "--graph", whole).returncode, 0)
        self.assertEqual(self.run_it("explain", "osd_op_num_shards", "--graph", part).returncode, 0)
        self.assertTrue(whole.read_text().startswith("digraph"))
        self.assertGreater(whole.read_text().count("->"), 5 * part.read_text().count("->") // 4)
        self.assert_refused(2, "nothing to explain", "explain")

    def test_every_command_has_examples_and_exit_codes(self):
        for command in ("plan", "sweep", "verify", "recommend", "model", "export", "ask", "tell", "rollback", "advise", "explain", "size"):
            text = self.run_it(command, "--help").stdout
            self.assertIn("Exit codes:", text, command)
            self.assertIn("Examples:", text, command)


if __name__ == "__main__":
    unittest.main()
