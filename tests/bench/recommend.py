# SPDX-License-Identifier: Apache-2.0
"""Times `osdtune recommend` on a synthetic study.   python3 tests/bench/recommend.py [TRIALS] [SETTINGS]"""
import json
import math
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

OSDTUNE = os.environ.get("OSDTUNE", str(pathlib.Path(__file__).resolve().parents[2] / "build" / "osdtune"))


def write_study(path, trials, settings):
    names = [f"setting_{i}" for i in range(settings)]
    plan = {"space": {n: {"low": 1, "high": 64, "scale": "log"} for n in names},
            "workloads": [{"name": "rw4k", "bs": 4096, "iodepth": 16}], "budget": {"trials": trials}}
    space = {"settings": [{"name": n, "kind": "integer", "low": 1, "high": 64, "log": True, "default": 8, "change": "runtime"} for n in names]}
    draw = random.Random(1)
    with open(path, "w") as out:
        def write(event):
            out.write(json.dumps(event) + "\n")
        write({"event": "study", "format": 1, "tool_version": "synthetic", "created": "synthetic", "target": "synthetic", "simulated": True,
               "fsid": "", "release": "18.2.7", "plan": plan, "space": space, "debug_names": [], "stored": [], "facts": {}})
        for trial in range(trials):
            config = {n: 8 if trial == 0 else round(2 ** draw.uniform(0, 6)) for n in names}
            write({"event": "trial", "id": trial, "reason": "initial", "at": trial, "config": config})
            gain = 0.05 * math.log2(config[names[0]] / 8) - 0.02 * math.log2(config[names[-1]] / 8) ** 2
            for repeat in range(3):
                iops = 5000 * math.exp(gain + draw.gauss(0, 0.03))
                write({"event": "run", "at": trial + repeat / 3, "counted": True,
                       "run": {"workload": "rw4k", "iops": iops, "bandwidth": iops * 4096, "runtime_s": 60.0, "p99_ms": 40000 / iops}})
            write({"event": "verdict", "feasible": True, "seconds": {"measuring": 180.0}})


def main():
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    settings = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "study.jsonl")
        write_study(path, trials, settings)
        started = time.perf_counter()
        subprocess.run([OSDTUNE, "recommend", path, "--json"], check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - started
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{trials} trials x {settings} settings: {seconds:.2f} s, {memory:.0f} MiB")


if __name__ == "__main__":
    main()
