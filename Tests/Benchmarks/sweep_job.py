"""One job of cksweep against a mock server: a container list, and sweeps over it."""

import json
import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
import time

from servers import GENERATOR_CORE, BenchError, pinned

QUESTION = re.compile(rb'Type "(.+?)" to go on: ')
SECONDS_MAX = 900
# Between two verification passes.
PAUSE = 0.1


class Job:
    """A container list for a mock server, and a state folder for the runs over it.

    With `slow_disk` each sync of the client takes 20 ms longer. `types` are the record types in
    default zones; most figures keep nothing there.
    """

    def __init__(self, binary, mock, containers, user="ann", slow_disk=False, types=(),
                 databases=("private",)):
        self.command = f"{binary}/cksweep"
        self.folder = tempfile.mkdtemp(prefix="cksweep-bench-")
        self.list = os.path.join(self.folder, "list.json")
        with open(self.list, "w", encoding="utf-8") as file:
            json.dump({
                "version": 1, "application": "com.example.bench", "environment": "development",
                "server": {"url": mock.url, "ca": mock.ca},
                "containers": [
                    {"identifier": name, "recordTypes": list(types)} for name in containers],
                "databases": list(databases),
                "caps": {"zones": 2_000_000},
                "credentials": {"apiToken": "env:CKSWEEP_API_TOKEN",
                                "webAuthToken": "env:CKSWEEP_WEB_AUTH_TOKEN"},
            }, file)
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("CLOUDKIT_", "CKSWEEP_"))}
        self.environment["CKSWEEP_API_TOKEN"] = mock.ready["apiToken"]
        self.environment["CKSWEEP_WEB_AUTH_TOKEN"] = mock.web_token(user)
        if slow_disk:
            self.environment["LD_PRELOAD"] = self.slow_sync()

    def slow_sync(self):
        """Builds what is loaded before the C library."""
        library = os.path.join(self.folder, "slow_sync.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "slow_sync.c")
        subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", library, source], check=True)
        return library

    def sweep(self, *options):
        """One whole `cksweep sweep`, its question answered as a person would: on a terminal.

        So there is one inventory; `plan` and `apply` would take two. Returns what it reported
        and its peak memory. Anything but "done and verified empty" is an error.
        """
        events = os.path.join(self.folder, "events.jsonl")
        ours, theirs = pty.openpty()
        try:
            with open(events, "wb") as output:
                process = subprocess.Popen(
                    pinned(GENERATOR_CORE, self.command, "sweep", "-c", self.list, "--state",
                           os.path.join(self.folder, "state"), "--json", "-q", "--color", "never",
                           "--verify-pause", f"{round(PAUSE * 1000)}ms", *options),
                    stdin=theirs, stderr=theirs, stdout=output, env=self.environment)
            os.close(theirs)
            theirs = -1
            shown, peak = self.converse(process, ours)
        finally:
            os.close(ours)
            if theirs >= 0:
                os.close(theirs)
        report = last_report(events)
        if process.returncode != 0 or report is None:
            text = shown.decode(errors="replace").strip()
            why = report["explanation"] if report else "there is no report"
            raise BenchError(f"sweep: exit {process.returncode}: {why}\n{text}")
        return Outcome(report, peak)

    def converse(self, process, terminal):
        """Types the phrase when asked, until the process ends: what was shown, peak MiB."""
        shown, peak, answered = b"", 0.0, False
        end = time.monotonic() + SECONDS_MAX
        while process.poll() is None:
            if time.monotonic() > end:
                process.kill()
                process.wait()
                raise BenchError(f"sweep: not over after {SECONDS_MAX} s")
            # The kernel keeps the peak; what comes in the last moments is all that can be missed.
            peak = peak_mib(process.pid) or peak
            if not select.select([terminal], [], [], 0.02)[0]:
                continue
            shown += read(terminal)
            question = QUESTION.search(shown.replace(b"\r\n", b"\n"))
            if question and not answered:
                answered = True
                os.write(terminal, question[1] + b"\n")
        while select.select([terminal], [], [], 0)[0]:
            rest = read(terminal)
            if not rest:
                break
            shown += rest
        return shown, peak

    def clean(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.clean()


class Outcome:
    """What a sweep reported."""

    def __init__(self, report, peak_mib):
        self.peak_mib = peak_mib
        self.requests = report["requests"]
        self.deleted = report["tally"]["deleted"]
        seconds = {each["phase"]: each["milliseconds"] / 1000 for each in report["timings"]}
        self.inventory = seconds["inventory"]
        self.planning = seconds["plan"]
        self.deletion = seconds["delete"]
        # The passes themselves, without the pauses between them.
        self.passes = seconds["verify"] - PAUSE * (len(report["passes"]) - 1)

    @property
    def total(self):
        """Everything but the wait for the answer and the pause between passes."""
        return self.inventory + self.planning + self.deletion + self.passes


def last_report(path):
    """The report among the events of a run; None when there is none."""
    report = None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if '"event":"report"' in line:
                report = json.loads(line)
    return report


def read(terminal):
    """What a terminal has; nothing once its other end is closed."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


def peak_mib(pid):
    """The most memory a process has had, or None when it has just ended."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    return None
