"""Figures of the simulation of the sync layer."""

import os
import re
import subprocess
import sys

from servers import BenchError


def steps(binary, here):
    """Steps a second of the simulation, every invariant checked at each; as the tests run it,
    without optimisation. It has no target: it is printed."""
    root = os.path.dirname(os.path.dirname(here))
    command = ["swift", "test", "--scratch-path", ".build/simulation", "--filter",
               "SimulationTests"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=3600,
                          env=os.environ | {"CKSWEEP_TESTS": "DonationSyncTests"})
    rates = [int(rate) for rate in re.findall(r"(\d+) steps/s", done.stdout + done.stderr)]
    if done.returncode or not rates:
        raise BenchError("the simulation's tests did not tell their speed")
    print(f"  simulation: {', '.join(map(str, rates))} steps/s", file=sys.stderr)
    return {"sim.steps_per_s": max(rates)}
