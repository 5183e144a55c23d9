# SPDX-License-Identifier: Apache-2.0
"""The main job on a real cluster: settings change, load runs, faults are survived, the cluster is as before."""
import json
import os
import random
import signal
import subprocess
import time
import unittest

from support import Bench, children, events, kill, wait_for

KILLS = int(os.environ.get("OSDTUNE_KILLS", "6"))


class SweepTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bench = Bench("--devices", "2", "--size", "2G")
        cls.bench.ceph("config", "set", "osd/class:ssd", "osd_client_message_cap", "200")
        cls.bench.ceph("config", "set", "osd.1", "debug_bluestore", "2/5")
        cls.bench.ceph("osd", "set", "noscrub")
        cls.before = cls.bench.state()

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    def tearDown(self):
        self.bench.end_started()

    def study(self, name):
        return self.bench.folder / f"{name}.jsonl"

    def assert_restored(self):
        self.maxDiff = None
        self.assertEqual(self.bench.state(), self.before)
        self.assertEqual(json.loads(self.bench.run("rollback", "--list", "--json", check=True).stdout), [])

    def test_1_debug_logging_is_found_to_be_slow_and_never_recommended(self):
        study = self.study("debug")
        plan = self.bench.plan(space={"debug_osd": ["1/5", "20/20"]}, budget={"trials": 8},
                               measure={"ramp_s": 0, "runtime_s": 3, "repeats": 3})
        self.bench.run(*self.bench.sweep_args(plan, study), check=True)
        self.assert_restored()
        result = json.loads(self.bench.run("recommend", study, "--json", check=True).stdout)
        self.assertEqual(result["choice"]["config"]["debug_osd"], "1/5")
        slow = [e for e in events(study) if e["event"] == "trial" and e["config"]["debug_osd"] == "20/20"]
        self.assertGreater(len(slow), 1, "one trial of the other value may have been disturbed")
        interval = [e["interval"] for e in result["effects"]
                    if e["setting"] == "debug_osd" and e["value"] == "20/20" and e["objective"] == "rw4k.iops"]
        print("debug_osd=20/20 against 1/5:", interval)
        self.assertLess(interval[0][1], 0)

    def test_2_a_cluster_that_logs_too_much_is_cured_and_the_cure_verified(self):
        self.bench.ceph("config", "set", "osd", "debug_osd", "20/20")
        try:
            found = self.bench.state()
            study = self.study("cure")
            plan = self.bench.plan(space={"debug_osd": ["1/5", "20/20"]}, budget={"trials": 6},
                                   measure={"ramp_s": 0, "runtime_s": 2, "repeats": 3})
            self.bench.run(*self.bench.sweep_args(plan, study), check=True)
            result = json.loads(self.bench.run("recommend", study, "--json", check=True).stdout)
            self.assertEqual(result["candidate"]["config"]["debug_osd"], "1/5")
            verdict = json.loads(self.bench.run("verify", study, "--on", f"lab:{self.bench.lab}", "--pairs", "3", "--json", check=True).stdout)
            print("significant:", result["significant"], "confirmed:", verdict["confirmed"], verdict["objectives"])
            self.assertEqual((verdict["pairs"], verdict["failed"], verdict["config"]), (3, 0, {"debug_osd": "1/5"}))
            self.assertGreater(verdict["objectives"]["rw4k.iops"]["gain"], 0)
            self.assertEqual(self.bench.state(), found)
        finally:
            self.bench.ceph("config", "rm", "osd", "debug_osd")
        self.assert_restored()

    def test_2_options_that_need_a_restart_run_on_every_osd(self):
        study = self.study("restart")
        plan = self.bench.plan(space={"osd_op_num_shards": [2, 8], "debug_levels": ["default", "off"]}, budget={"trials": 3},
                               measure={"ramp_s": 0, "runtime_s": 1, "repeats": 1})
        self.bench.run(*self.bench.sweep_args(plan, study), check=True)
        self.assert_restored()
        verdicts = [e for e in events(study) if e["event"] == "verdict"]
        self.assertEqual([v["feasible"] for v in verdicts], [True] * 3)
        for stages in (e["run"]["stage_us"] for e in events(study) if e["event"] == "run"):
            self.assertLess(stages["bluestore.state_kv_queued_lat"], stages["osd.op_latency"])
        for cores in (e["run"]["osd_cpu"] for e in events(study) if e["event"] == "run"):
            self.assertTrue(0.1 < cores <= os.cpu_count(), cores)
        self.assertTrue(any("restart" in v["seconds"] for v in verdicts))

    def test_3_devices_are_redeployed_and_put_back(self):
        study = self.study("layout")
        plan = self.bench.plan(space={"osds_per_device": [1, 2]}, budget={"trials": 2},
                               measure={"ramp_s": 0, "runtime_s": 1, "repeats": 1})
        process = self.bench.start(*self.bench.sweep_args(plan, study))
        wait_for(lambda: len(self.bench.ceph("osd", "ls")) == 4, 240, "four OSDs", process)
        _, err = process.communicate(timeout=200)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(len(self.bench.ceph("osd", "ls")), 2)
        self.assertEqual([e["feasible"] for e in events(study) if e["event"] == "verdict"], [True, True])

    def test_4_interrupt_restores_and_the_sweep_goes_on(self):
        study, plan = self.study("interrupt"), self.bench.plan()
        process = self.bench.start(*self.bench.sweep_args(plan, study))
        wait_for(lambda: sum(e["event"] == "run" for e in events(study)) >= 3, 180, "three runs", process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assert_restored()
        runs = [e for e in events(study) if e["event"] == "run"]
        self.bench.run(*self.bench.sweep_args(plan, study), check=True)
        self.assertEqual([e for e in events(study) if e["event"] == "run"][:len(runs)], runs)
        self.assertEqual(sum(e["event"] == "verdict" for e in events(study)), 4)
        self.assert_restored()

    def test_5_killed_at_any_moment_nothing_is_lost(self):
        study, trials, kills = self.study("killed"), 3 + KILLS, 0
        plan = self.bench.plan(space={"debug_osd": ["1/5", "20/20"], "osd_op_num_shards": [4, 8]}, budget={"trials": trials, "min_gain": 0},
                               measure={"ramp_s": 0, "runtime_s": 1, "repeats": 2})
        seed = int(time.time())
        print(f"seed {seed}")
        moments = random.Random(seed)
        for _ in range(KILLS):
            process = self.bench.start(*self.bench.sweep_args(plan, study))
            try:
                process.communicate(timeout=moments.uniform(0.2, 14))
                break  # it came to its end
            except subprocess.TimeoutExpired:
                kill(process.pid)
                process.communicate()
            kills += 1
            runs = [e for e in events(study) if e["event"] == "run"]
            self.bench.run("rollback", check=True)
            self.bench.run("rollback", check=True)
            self.assert_restored()
            self.assertEqual([e for e in events(study) if e["event"] == "run"], runs)
        self.bench.run(*self.bench.sweep_args(plan, study), check=True)
        print(f"killed {kills} times")
        self.assertGreater(kills, KILLS // 2)
        self.assertEqual(sum(e["event"] == "verdict" for e in events(study)), trials)
        self.assert_restored()

    def test_6_a_killed_fio_costs_one_run(self):
        study, plan = self.study("fio"), self.bench.plan(budget={"trials": 2})
        process = self.bench.start(*self.bench.sweep_args(plan, study))
        wait_for(lambda: any(e["event"] == "trial" for e in events(study)), 120, "the first trial", process)
        wait_for(lambda: children(process.pid, "fio"), 60, "fio", process)
        kill(children(process.pid, "fio")[0])
        _, err = process.communicate(timeout=200)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(sum(e["event"] == "lost_run" for e in events(study)), 1)
        self.assertEqual(sum(e["event"] == "verdict" and e["feasible"] for e in events(study)), 2)
        self.assert_restored()

    def test_7_a_killed_osd_is_brought_back_and_the_run_made_up_for(self):
        study = self.study("osd")
        plan = self.bench.plan(space={"debug_osd": ["1/5", "5/5"]}, budget={"trials": 2},
                               measure={"ramp_s": 0, "runtime_s": 6, "repeats": 1})
        process = self.bench.start(*self.bench.sweep_args(plan, study))
        wait_for(lambda: any(e["event"] == "trial" for e in events(study)), 120, "the first trial", process)
        wait_for(lambda: children(process.pid, "fio"), 60, "fio", process)
        time.sleep(1)
        kill(json.loads((self.bench.lab / "lab.json").read_text())["daemons"]["osd.1"]["pid"])
        _, err = process.communicate(timeout=280)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(sum(e["event"] == "verdict" and e["feasible"] for e in events(study)), 2)
        self.assert_restored()

    def test_8_two_sweeps_on_one_cluster_are_refused(self):
        plan = self.bench.plan()
        first = self.bench.start(*self.bench.sweep_args(plan, self.study("first")))
        wait_for(lambda: events(self.study("first")), 60, "the first study", first)
        second = self.bench.run(*self.bench.sweep_args(plan, self.study("second")))
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=60)
        self.assertEqual(second.returncode, 4)
        self.assertIn(f"process {first.pid}", second.stderr)
        self.assertEqual(first.returncode, 130)
        self.assert_restored()

    def test_8_a_pool_that_could_not_be_removed_is_not_made(self):
        before = self.bench.ceph("osd", "pool", "ls")
        self.bench.ceph("tell", "mon.*", "config", "set", "mon_allow_pool_delete", "false")
        try:
            done = self.bench.run(*self.bench.sweep_args(self.bench.plan(), self.study("kept")))
        finally:
            self.bench.ceph("tell", "mon.*", "config", "set", "mon_allow_pool_delete", "true")
        self.assertEqual(done.returncode, 4)
        self.assertIn("mon_allow_pool_delete true", done.stderr)
        self.assertEqual(self.bench.ceph("osd", "pool", "ls"), before)

    def test_9_what_is_exported_is_what_osds_run_with(self):
        study = self.study("export")
        plan = self.bench.plan(space={"osd_op_num_shards": [3, 8], "debug_levels": ["default", "off"], "osd_client_message_cap": [64, 256]},
                               budget={"trials": 6}, measure={"ramp_s": 0, "runtime_s": 1, "repeats": 1})
        self.bench.run(*self.bench.sweep_args(plan, study), check=True)
        trial = next(e for e in events(study) if e["event"] == "trial" and e["config"]["debug_levels"] == "off"
                     and e["config"]["osd_op_num_shards"] == 3)
        fragment = self.bench.folder / "fragment.conf"
        self.bench.run("export", study, "--trial", trial["id"], "-o", fragment, check=True)
        parsed = subprocess.run(["ceph-conf", "-c", str(fragment), "-n", "osd.0", "--lookup", "osd_op_num_shards"],
                                text=True, capture_output=True, timeout=30)
        self.assertEqual(parsed.stdout.strip(), "3")
        script = self.bench.run("export", study, "--trial", trial["id"], "--format", "commands", check=True).stdout
        undo = self.bench.run("export", study, "--trial", trial["id"], "--format", "undo", check=True).stdout
        for text in (script, undo):  # the very lines a user would run, on this cluster
            for line in text.splitlines():
                if line.startswith("ceph "):
                    words = line.split("  #")[0].replace("'", "").split()
                    self.bench.ceph(*words[1:])
            if text is script:
                self.assertEqual(self.bench.running(0)["debug_osd"], "0/0")
        self.assert_restored()


if __name__ == "__main__":
    unittest.main()
