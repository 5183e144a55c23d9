# SPDX-License-Identifier: Apache-2.0
"""How much of a sweep is neither prefill nor measuring: 30 s of load per trial, restarts in about half of the trials.

python3 tests/bench/overhead.py [TRIALS]     needs build/osdtune and the Ceph packages; takes about 45 s a trial
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))
from support import Bench, events  # noqa: E402


def main():
    bench = Bench("--devices", "2", "--size", "2G")
    try:
        study = bench.folder / "overhead.jsonl"
        plan = bench.plan(space={"osd_op_num_shards": [2, 4, 8], "ms_async_op_threads": [2, 3], "debug_osd": ["1/5", "0/5"]},
                          measure={"ramp_s": 0, "runtime_s": 10, "repeats": 3}, load={"image_size": "512M"},
                          budget={"trials": int(sys.argv[1]) if len(sys.argv) > 1 else 8, "min_gain": 0})
        bench.run(*bench.sweep_args(plan, study), check=True, timeout=1800)
        seconds, restarts, trials = {}, 0, 0
        for event in events(study):
            for phase, spent in event.get("seconds", {}).items():
                seconds[phase] = seconds.get(phase, 0) + spent
            if event["event"] == "verdict":
                trials += 1
                restarts += "restart" in event["seconds"]
        total = sum(seconds.values())
        other = total - seconds.get("prefill", 0) - seconds["measuring"]
        # the planner avoids restarts, so their number is its choice: scaled to restarts in half of the trials
        restart = seconds.get("restart", 0) / max(1, restarts)
        in_half = other - seconds.get("restart", 0) + restart * trials / 2
        load = seconds["measuring"] + (trials / 2 - restarts) * 10  # a restart costs a discarded run of 10 s, too
        print(json.dumps({"trials": trials, "restarts": restarts, "seconds_per_restart": round(restart, 1),
                          "seconds": {k: round(v, 1) for k, v in seconds.items()},
                          "other_share": round(other / total, 3),
                          "other_share_with_restarts_in_half": round(in_half / (in_half + load), 3)}, indent=1))
    finally:
        bench.close()


if __name__ == "__main__":
    main()
