# SPDX-License-Identifier: Apache-2.0
"""What the real-cluster tests share: running osdtune, a lab, plans, and a picture of a cluster's settings."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

OSDTUNE = os.environ.get("OSDTUNE", str(pathlib.Path(__file__).resolve().parents[2] / "build" / "osdtune"))


def memory_folder():
    """A folder of its own, in memory where there is room."""
    base = "/dev/shm" if shutil.disk_usage("/dev/shm").free > 6 << 30 else None
    return pathlib.Path(tempfile.mkdtemp(prefix="osdtune-test-", dir=base))


class Bench:
    """A lab with a state folder of its own; everything is gone after close()."""

    def __init__(self, *lab_options):
        self.folder = memory_folder()
        self.lab = self.folder / "lab"
        self.conf = self.lab / "ceph.conf"
        self.started = []
        self.env = dict(os.environ, OSDTUNE_STATE_DIR=str(self.folder / "state"))
        self.run("lab", "up", "--dir", self.lab, *lab_options, check=True)

    def close(self):
        self.run("lab", "down", "--dir", self.lab)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *args, check=False, timeout=300):
        done = subprocess.run([OSDTUNE, *map(str, args)], env=self.env, timeout=timeout, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True)
        if check and done.returncode != 0:
            raise AssertionError(f"osdtune {args} ended with {done.returncode}:\n{done.stderr}\n{done.stdout}")
        return done

    def start(self, *args):
        process = subprocess.Popen([OSDTUNE, *map(str, args)], env=self.env, text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.started.append(process)
        return process

    def end_started(self):
        """Whatever a failed test left running must not disturb the next one."""
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.communicate()
                self.run("rollback")
        self.started.clear()

    def ceph(self, *args):
        out = subprocess.run(["ceph", "-c", str(self.conf), "-f", "json", *args], text=True, capture_output=True, timeout=60)
        if out.returncode != 0:
            raise AssertionError(f"ceph {args}: {out.stderr}")
        return json.loads(out.stdout) if out.stdout.strip() else None

    def state(self):
        """Everything that a sweep may change, as the cluster itself tells it."""
        dump = self.ceph("osd", "dump")
        keys = self.ceph("config-key", "dump")
        return {
            "config": sorted((o["section"], o.get("mask", ""), o["name"], o["value"]) for o in self.ceph("config", "dump")),
            "flags": sorted(dump["flags_set"]),
            "pools": sorted((p["pool_name"], p["pg_autoscale_mode"]) for p in dump["pools"]),
            "osds": sorted((o["osd"], o["up"], o["in"]) for o in dump["osds"]),
            "balancer": self.ceph("balancer", "status")["active"],
            "running": {o["osd"]: self.running(o["osd"]) for o in dump["osds"]},
            "lock": [k for k in keys if k.startswith("osdtune/")],
        }

    def running(self, osd):
        names = ("osd_op_num_shards", "ms_async_op_threads", "debug_osd", "debug_bluestore", "osd_client_message_cap")
        return {n: self.ceph("tell", f"osd.{osd}", "config", "get", n)[n] for n in names}

    def plan(self, name="plan.json", **changes):
        plan = {
            "space": {"debug_osd": ["1/5", "20/20"], "osd_client_message_cap": [64, 256]},
            "workloads": [{"name": "rw4k", "rw": "randwrite", "bs": "4k", "iodepth": 16}],
            "measure": {"ramp_s": 0, "runtime_s": 2, "repeats": 2},
            "budget": {"trials": 4},
            "load": {"image_size": "64M", "pg_num": 16},
        }
        plan.update(changes)
        path = self.folder / name
        path.write_text(json.dumps(plan))
        return path

    def sweep_args(self, plan, study):
        return ("sweep", plan, "--on", f"lab:{self.lab}", "--study", study)


def events(study):
    """The whole lines of a study."""
    text = study.read_text() if study.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def wait_for(condition, seconds, what, process=None):
    """Polls `condition`; says what was missing after `seconds`, or when `process`, which should bring it, has ended."""
    until = time.time() + seconds
    while time.time() < until:
        if condition():
            return
        if process and process.poll() is not None:
            raise AssertionError(f"ended with {process.returncode} before {what}: {process.communicate()[1]}")
        time.sleep(0.05)
    if process:
        process.terminate()
        what += f": {process.communicate(timeout=120)[1]}"
    raise AssertionError(f"waited {seconds} s for {what}")


def children(pid, name):
    """Processes called `name` below `pid`."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        if text[text.index("(") + 1:text.rindex(")")] == name and int(text[text.rindex(")") + 2:].split()[1]) == pid:
            found.append(int(stat.parent.name))
    return found


def kill(pid, sig=signal.SIGKILL):
    os.kill(pid, sig)
