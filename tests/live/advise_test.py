# SPDX-License-Identifier: Apache-2.0
"""Advice on a real cluster: what the test planted is found, with the values the daemons run with."""
import json
import unittest

from support import Bench


class AdviseTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bench = Bench("--devices", "2", "--size", "1G")

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    def setUp(self):
        self.planted = []

    def tearDown(self):
        for section, name in self.planted:
            self.bench.ceph("config", "rm", section, name)

    def plant(self, section, name, value):
        self.bench.ceph("config", "set", section, name, value)
        self.planted.append((section, name))

    def findings(self, *options):
        done = self.bench.run("advise", "--on", f"lab:{self.bench.lab}", "--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = {}
        for finding in json.loads(done.stdout)["findings"]:
            for each in [finding, *finding["same_cause"]]:
                found.setdefault(each["rule"], []).append(each)
        return found

    def assert_found(self, found, rule, *words):
        self.assertIn(rule, found)
        text = json.dumps(found[rule])
        for word in words:
            self.assertIn(word, text, rule)

    def test_an_untouched_lab_has_no_setting_to_complain_of(self):
        found = self.findings()
        for rule in ("debug-log-high", "restart-pending", "setting-shadowed", "running-differs", "setting-unknown"):
            self.assertNotIn(rule, found)

    def test_logging_is_found_with_its_running_value(self):
        self.plant("osd", "debug_osd", "20/20")
        self.assert_found(self.findings(), "debug-log-high", "20/20", "osd")

    def test_a_value_that_waits_for_a_restart_is_found(self):
        self.plant("osd", "osd_op_num_shards", "3")
        found = self.findings()
        self.assert_found(found, "restart-pending", "osd_op_num_shards", "3", "8")

    def test_a_shadowed_value_is_found(self):
        self.plant("osd", "osd_client_message_cap", "100")
        self.plant("osd/class:ssd", "osd_client_message_cap", "200")
        self.assert_found(self.findings(), "setting-shadowed", "osd_client_message_cap")

    def test_a_single_worker_is_found(self):
        self.plant("osd", "osd_op_num_shards", "1")
        self.plant("osd", "osd_op_num_threads_per_shard", "1")
        self.assert_found(self.findings(), "restart-pending", "osd_op_num_shards", "osd_op_num_threads_per_shard")

    def test_a_plan_for_this_host_is_accepted_by_the_lab(self):
        self.plant("osd", "debug_osd", "20/20")
        plan = self.bench.folder / "advised.json"
        self.findings("--write-plan", plan)
        done = self.bench.run("plan", plan, "--on", f"lab:{self.bench.lab}", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(json.loads(done.stdout))

    def test_a_level_fails_a_ci_run(self):
        self.plant("osd", "debug_osd", "20/20")
        lab = f"lab:{self.bench.lab}"
        self.assertEqual(self.bench.run("advise", "--on", lab, "--fail-on", "warning").returncode, 3)


if __name__ == "__main__":
    unittest.main()
