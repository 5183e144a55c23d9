# SPDX-License-Identifier: Apache-2.0
"""Runs the C++ tests that need a cluster: control of a lab, and fio on real images."""
import os
import pathlib
import subprocess
import unittest

from support import OSDTUNE, Bench

PROGRAMS = pathlib.Path(OSDTUNE).parent / "tests" / "live"


class NativeTest(unittest.TestCase):
    def run_program(self, name, **environment):
        done = subprocess.run([PROGRAMS / name], env={**os.environ, **environment}, text=True, capture_output=True, timeout=400)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        print(done.stdout)

    def test_control_of_a_cluster(self):
        self.run_program("osdtune_live_cluster")

    def test_fio_on_real_images(self):
        bench = Bench("--devices", "2", "--size", "2G")
        try:
            bench.ceph("osd", "pool", "create", "live", "16")
            bench.ceph("osd", "pool", "application", "enable", "live", "rbd")
            for image in ("one", "two"):
                subprocess.run(["rbd", "-c", str(bench.conf), "create", f"live/{image}", "--size", "64M", "--image-feature", "layering"],
                               check=True, timeout=60)
            self.run_program("osdtune_live_fio", LIVE_CONF=str(bench.conf), LIVE_POOL="live", LIVE_IMAGES="one two")
        finally:
            bench.close()


if __name__ == "__main__":
    unittest.main()
