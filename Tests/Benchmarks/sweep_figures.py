"""Figures of the sweep and of the command."""

import json
import os
import shutil
import subprocess
import tempfile
import time

from server_figures import authorized, with_token
from servers import GENERATOR_CORE, MockServer, pinned


class Job:
    """A container list for a mock server, and sweeps over it."""

    def __init__(self, binary, mock, containers, user="ann"):
        self.binary, self.mock, self.user = binary, mock, user
        self.folder = tempfile.mkdtemp(prefix="cksweep-bench-")
        self.list = os.path.join(self.folder, "list.json")
        with open(self.list, "w", encoding="utf-8") as file:
            json.dump({
                "version": 1, "application": "com.example.bench", "environment": "development",
                "server": {"url": mock.url, "ca": mock.ca},
                "containers": [{"identifier": name} for name in containers],
                "databases": ["private"],
                "caps": {"zones": 2_000_000, "records": 10_000_000},
                "credentials": {"apiToken": "env:CKSWEEP_API_TOKEN",
                                "webAuthToken": "env:CKSWEEP_WEB_AUTH_TOKEN"},
            }, file)
        self.environment = dict(
            os.environ, CKSWEEP_API_TOKEN=mock.ready["apiToken"],
            CKSWEEP_WEB_AUTH_TOKEN=self.token())

    def token(self):
        if self.user in self.mock.ready["webTokens"]:
            return self.mock.ready["webTokens"][self.user]
        return self.mock.admin("POST", "tokens", {"user": self.user})["webToken"]

    def run(self, *arguments, core=GENERATOR_CORE):
        """Runs cksweep: exit code, seconds, peak MiB and the report as JSON."""
        command = pinned(core, "/usr/bin/time", "-f", "%M", "-o", f"{self.folder}/memory",
                         f"{self.binary}/cksweep", *arguments, "-c", self.list, "--state",
                         f"{self.folder}/state", "--json", "-q")
        began = time.perf_counter()
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        took = time.perf_counter() - began
        events = [json.loads(line) for line in done.stdout.splitlines() if line]
        with open(f"{self.folder}/memory", encoding="ascii") as file:
            memory = int(file.read().split()[-1]) / 1024
        return done.returncode, took, memory, events, done.stderr

    def sweep(self):
        """Plans, then applies what was planned; both timed by cksweep itself."""
        plan = os.path.join(self.folder, "plan")
        code, planning, memory, events, errors = self.run("plan", "-o", plan)
        if code != 0 and code != 10:
            raise SystemExit(f"error: plan: exit {code}\n{errors}")
        digest = next(e["digest"] for e in events if "digest" in e)
        code, applying, peak, events, errors = self.run(
            "apply", plan, "--approve", digest, "--verify-pause", "1ms")
        if code != 0:
            raise SystemExit(f"error: apply: exit {code}\n{errors}")
        return planning, applying, max(memory, peak), events

    def clean(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def report(events):
    return next(e for e in reversed(events) if e.get("event") == "report")
