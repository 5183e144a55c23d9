# SPDX-License-Identifier: Apache-2.0
# The lab on this host: real daemons come up, survive nothing they should not, and leave nothing behind.
"""Run with OSDTUNE=path/of/osdtune; needs the Ceph packages."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

OSDTUNE = os.path.abspath(os.environ.get("OSDTUNE", "build/osdtune"))
BOUND = 120


def osdtune(*arguments, prefix=(), bound=BOUND):
    return subprocess.run([*prefix, OSDTUNE, *arguments], capture_output=True, text=True, timeout=bound)


def ceph(conf, *arguments):
    done = subprocess.run(["ceph", "-c", conf, "--connect-timeout", "10", "-f", "json", *arguments],
                          capture_output=True, text=True, timeout=30, check=True)
    return json.loads(done.stdout)


def daemons_of(lab):
    """Pids of processes whose command line names the lab's ceph.conf."""
    pids = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                argv = file.read().split(b"\0")
        except OSError:
            continue
        if argv[0].rsplit(b"/")[-1].startswith(b"ceph-") and f"{lab}/ceph.conf".encode() in argv:
            pids.append(int(pid))
    return pids


class LabTest(unittest.TestCase):
    def setUp(self):
        self.base = tempfile.mkdtemp(prefix="osdtune-lab-", dir="/dev/shm")
        os.chmod(self.base, 0o755)
        self.lab = f"{self.base}/one"

    def tearDown(self):
        for name in os.listdir(self.base):
            osdtune("lab", "down", "--dir", f"{self.base}/{name}")
            self.assertEqual(daemons_of(f"{self.base}/{name}"), [])
        shutil.rmtree(self.base)

    def up(self, *arguments, lab=None):
        done = osdtune("--json", "lab", "up", "--dir", lab or self.lab, "--size", "2G", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def down(self, lab=None):
        lab = lab or self.lab
        done = osdtune("lab", "down", "--dir", lab)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(os.path.exists(lab))
        self.assertEqual(daemons_of(lab), [])

    def test_a_fresh_lab_is_healthy_private_and_gone_after_down(self):
        started = time.monotonic()
        conf = self.up()["conf"]
        print(f"lab up: {time.monotonic() - started:.1f} s", flush=True)
        status = ceph(conf, "-s")
        self.assertEqual(status["health"]["status"], "HEALTH_OK")
        self.assertEqual(ceph(conf, "osd", "pool", "ls"), [])
        self.assertEqual({node["device_class"] for node in ceph(conf, "osd", "tree")["nodes"] if node["type"] == "osd"},
                         {"ssd"})
        for name in ["admin.keyring", "mon.keyring", "mgr.keyring", "osd.0/keyring", "osd.1/keyring"]:
            self.assertEqual(os.stat(f"{self.lab}/{name}").st_mode & 0o777, 0o600, name)
        listening = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, check=True).stdout
        for line in listening.splitlines():
            if any(f"pid={pid}," in line for pid in daemons_of(self.lab)):
                self.assertTrue(line.split()[3].startswith("127.0.0.1:"), line)
        self.down()

    def test_up_ends_with_the_line_that_shows_the_cluster(self):
        done = osdtune("lab", "up", "--dir", self.lab, "--size", "2G", "--devices", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], f"ceph -c {self.lab}/ceph.conf -s")
        self.assertIn("waiting for", done.stderr)

    def test_two_labs_stand_side_by_side(self):
        first = self.up("--devices", "1")
        second = self.up("--devices", "1", "--osds-per-device", "2", "--replicas", "2", lab=f"{self.base}/two")
        self.assertNotEqual(first["mon_port"], second["mon_port"])
        self.assertEqual(ceph(second["conf"], "-s")["osdmap"]["num_up_osds"], 2)
        self.down(f"{self.base}/two")
        self.assertEqual(ceph(first["conf"], "-s")["health"]["status"], "HEALTH_OK")

    def test_a_second_up_in_the_same_folder_is_refused(self):
        self.up("--devices", "1")
        done = osdtune("lab", "up", "--dir", self.lab)
        self.assertEqual(done.returncode, 2)
        self.assertIn("already", done.stderr)
        self.assertEqual(len(daemons_of(self.lab)), 3)

    def test_osds_keep_to_the_given_cpus(self):
        lab = self.up("--devices", "1", "--cpus", "0")
        self.assertEqual(os.sched_getaffinity(lab["daemons"]["osd.0"]), {0})
        self.assertEqual(osdtune("lab", "up", "--dir", f"{self.base}/two", "--cpus", "4000").returncode, 2)

    def start_up(self, delay):
        """`lab up` that has been at work for so many seconds."""
        up = subprocess.Popen([OSDTUNE, "lab", "up", "--dir", self.lab, "--size", "2G"], stderr=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL)
        until = time.monotonic() + 30
        while not os.path.exists(f"{self.lab}/lab.json") and time.monotonic() < until:
            time.sleep(0.002)
        time.sleep(delay)
        return up

    def test_kill_9_of_up_leaves_a_lab_that_status_finds_and_down_clears(self):
        for delay in [0, 0.1, 0.5, 1.5, 4]:
            with self.subTest(delay=delay):
                up = self.start_up(delay)
                up.kill()
                up.wait()
                labs = json.loads(osdtune("--json", "lab", "status").stdout)["labs"]
                found = [lab["condition"] for lab in labs if lab["directory"] == self.lab]
                self.assertIn(found, [["left behind"], ["partly running"]])
                self.down()

    def test_an_interrupt_during_up_leaves_nothing(self):
        for delay in [0, 0.5, 2.5]:
            with self.subTest(delay=delay):
                up = self.start_up(delay)
                up.send_signal(signal.SIGINT)
                self.assertEqual(up.wait(timeout=60), 130)
                self.assertFalse(os.path.exists(self.lab))
                self.assertEqual(daemons_of(self.lab), [])

    def test_a_killed_osd_is_seen_by_status(self):
        lab = self.up()
        os.kill(lab["daemons"]["osd.1"], signal.SIGKILL)
        time.sleep(0.5)
        status = json.loads(osdtune("--json", "lab", "status", "--dir", self.lab).stdout)["labs"][0]
        self.assertEqual((status["condition"], status["gone"]), ("partly running", ["osd.1"]))
        self.down()

    def test_down_spares_a_foreign_process_with_a_recorded_pid(self):
        self.up("--devices", "1")
        bystander = subprocess.Popen(["sleep", "60"])
        with open(f"{self.lab}/lab.json") as file:
            state = json.load(file)
        state["daemons"]["osd.0"]["pid"] = bystander.pid
        with open(f"{self.lab}/lab.json", "w") as file:
            json.dump(state, file)
        self.down()
        self.assertIsNone(bystander.poll())
        bystander.kill()
        bystander.wait()

    def test_down_refuses_a_folder_that_is_not_a_lab(self):
        os.mkdir(f"{self.base}/papers")
        open(f"{self.base}/papers/thesis", "w").close()
        self.assertEqual(osdtune("lab", "down", "--dir", f"{self.base}/papers").returncode, 3)
        self.assertEqual(osdtune("lab", "up", "--dir", f"{self.base}/papers").returncode, 2)
        self.assertTrue(os.path.exists(f"{self.base}/papers/thesis"))

    def test_too_little_space_is_said_in_numbers(self):
        done = osdtune("lab", "up", "--dir", self.lab, "--size", "9000G")
        self.assertEqual(done.returncode, 4)
        self.assertRegex(done.stderr, r"free; 2 devices of .* need")
        self.assertFalse(os.path.exists(self.lab))

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become someone else")
    def test_an_ordinary_user_can_have_a_lab(self):
        home = f"{self.base}/home"
        os.mkdir(home)
        os.chown(home, 65534, 65534)
        program = f"{self.base}/osdtune"
        shutil.copy(OSDTUNE, program)
        become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "-u", "TMPDIR"]
        nobody = lambda *arguments: subprocess.run([*become, program, *arguments], capture_output=True, text=True,
                                                   timeout=BOUND, cwd="/")
        try:
            done = nobody("lab", "up", "--dir", f"{home}/lab", "--size", "2G", "--devices", "1")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual({os.stat(f"/proc/{pid}").st_uid for pid in daemons_of(f"{home}/lab")}, {65534})
            self.assertEqual(ceph(f"{home}/lab/ceph.conf", "-s")["health"]["status"], "HEALTH_OK")
        finally:
            done = nobody("lab", "down", "--dir", f"{home}/lab")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(daemons_of(f"{home}/lab"), [])
        os.remove(program)


if __name__ == "__main__":
    unittest.main()
