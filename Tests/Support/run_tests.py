"""Runs test programs for scripts/test: a log for each, a line now and then, a summary at the end.

    run_tests.py FOLDER run NAME -- COMMAND...    one program; its log is FOLDER/NAME.txt
    run_tests.py FOLDER summary                   of all programs that were run in FOLDER

`run` exits with the command's status. `summary` names each test that failed with its file and line, what
failed, its seed and the command that repeats it; it exits 1 unless every program ended well.
"""

import json
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

LINES_MAX = 16  # The summary ends with the name of each failed test, and has to fit on a screen.


class Reading:
    """What the events of one program say. The format is Swift Testing's event stream."""

    def __init__(self):
        self.names = {}  # by identifier: (what a filter matches, display name, place)
        self.tests = set()  # functions, suites left out
        self.running = {}  # identifiers, in the order in which they began
        self.ended = 0
        self.skipped = 0
        self.problems = []  # (identifier, place, text)

    def take(self, line):
        event = json.loads(line)
        payload = event["payload"]
        if event["kind"] == "test":
            place = payload.get("sourceLocation", {})
            self.names[payload["id"]] = (
                payload["id"].rpartition("/")[0] if payload.get("kind") == "function"
                else payload["id"],
                payload.get("displayName") or payload["name"], self.place(place))
            if payload.get("kind") == "function":
                self.tests.add(payload["id"])
            return
        kind, test = payload["kind"], payload.get("testID")
        if test in self.tests and kind == "testStarted":
            self.running[test] = True
        elif test in self.tests and kind == "testSkipped":
            self.skipped += 1
        elif test in self.tests and kind == "testEnded":
            self.running.pop(test, None)
            self.ended += 1
        elif kind == "issueRecorded" and not payload["issue"].get("isKnown"):
            if payload["issue"].get("severity", "error") == "error":
                texts = [message["text"] for message in payload.get("messages", [])]
                self.problems.append(
                    (test, self.place(payload["issue"].get("sourceLocation") or {}),
                     "\n".join(texts)))

    @staticmethod
    def place(location):
        if not location:
            return None
        path = location.get("filePath") or location.get("_filePath") or location.get("fileID", "?")
        root = str(pathlib.Path(__file__).resolve().parents[2]) + "/"
        return f"{path.removeprefix(root)}:{location.get('line', 0)}"


def read(path):
    reading = Reading()
    if path.exists():
        for line in path.read_text(errors="replace").splitlines():
            # A program that was killed leaves half a line.
            try:
                reading.take(line)
            except (json.JSONDecodeError, KeyError):
                continue
    return reading


def follow(path, name, ended):
    """Says how far the program is: on a terminal all the time, elsewhere once a minute."""
    reading, began, position, partial = Reading(), time.monotonic(), 0, ""
    terminal = sys.stderr.isatty()
    said = began
    while not ended.wait(1):
        if path.exists():
            with path.open(errors="replace") as stream:
                stream.seek(position)
                partial += stream.read()
                position = stream.tell()
            *lines, partial = partial.split("\n")
            for line in lines:
                reading.take(line)
        now = time.monotonic()
        if not terminal and now - said < 60:
            continue
        said = now
        failed = len({problem[0] for problem in reading.problems})
        text = f"{name}: {reading.ended} tests ended, {failed} failed, {now - began:.0f} s"
        if len(reading.running) == 1:
            text += ", running: " + reading.names[next(iter(reading.running))][1]
        print(f"\r\033[K{text[:78]}" if terminal else text, end="" if terminal else "\n",
              file=sys.stderr, flush=True)
    if terminal:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def run(folder, name, command):
    folder.mkdir(parents=True, exist_ok=True)
    events, log = folder / f"{name}.jsonl", folder / f"{name}.txt"
    events.unlink(missing_ok=True)
    result = folder / f"{name}.json"
    result.write_text(json.dumps({"status": -1, "seconds": 0}))  # Until it has ended.
    began = time.monotonic()
    ended = threading.Event()
    follower = threading.Thread(target=follow, args=(events, name, ended))
    with log.open("wb") as output:
        program = subprocess.Popen(
            command + ["--event-stream-output-path", str(events)], stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.STDOUT)
        # scripts/test runs programs in the background, where an interrupt does not reach them.
        signal.signal(signal.SIGTERM, lambda *_: program.terminate())
        follower.start()
        try:
            status = program.wait()
        finally:
            ended.set()
            follower.join()
    seconds = time.monotonic() - began
    result.write_text(json.dumps({"status": status, "seconds": seconds}))
    for line in log.read_text(errors="replace").splitlines():
        if line.startswith("seeds ") or "Test run with" in line:
            print(line, flush=True)
    return min(abs(status), 255)


def pattern(path):
    """A regular expression for --filter that needs no quotes of its own."""
    return "^" + re.sub(r"[^A-Za-z0-9_ /,-]", ".", path)


def failures(name, outcome, reading, folder):
    """One text for each test that failed: what, where, why and how to repeat it."""
    first = {}
    for test, place, text in reading.problems:
        first.setdefault(test, (place, text))
    if outcome["status"] != 0:
        for test in reading.running:
            first.setdefault(test, (None, "had not ended when the test program ended"))
        if not first:
            log = f"{folder}/{name}.txt"
            return [f"✘ {name}: exit status {outcome['status']}, and no test failed; see {log}"]
    texts = []
    for test, (place, text) in first.items():
        path, title, own = reading.names.get(test) or ("", "outside of any test", None)
        seed = re.search(r"CKSWEEP_SEED=\d+", text)
        texts.append(
            f"✘ {title}\n  {place or own or 'no place'}: {' '.join(text.split())[:300]}\n  repeat: "
            f"{seed.group(0) + ' ' if seed else ''}scripts/test --filter '{pattern(path)}'")
    return texts


def summary(folder):
    failed, passed, skipped = [], 0, 0
    results = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
    for result in results:
        outcome, reading = json.loads(result.read_text()), read(result.with_suffix(".jsonl"))
        texts = failures(result.stem, outcome, reading, folder)
        failed += texts
        passed += reading.ended - min(len(texts), reading.ended)
        skipped += reading.skipped
        print(f"{result.stem}: {reading.ended} tests in {outcome['seconds']:.0f} s")
    (folder / "failed.txt").write_text("\n".join(failed))
    print("\n".join(failed))
    # Where the last lines do not show all of them: their names alone.
    if 3 * len(failed) > LINES_MAX:
        print("\n".join(text.partition("\n")[0] for text in failed[:LINES_MAX]))
        if len(failed) > LINES_MAX:
            print(f"… and {len(failed) - LINES_MAX} more, in {folder}/failed.txt")
    print(f"{passed} passed, {len(failed)} failed, {skipped} skipped")
    return 0 if results and passed and not failed else 1


def main():
    folder, verb = pathlib.Path(sys.argv[1]), sys.argv[2]
    if verb == "run":
        return run(folder, sys.argv[3], sys.argv[5:])
    if verb == "summary":
        return summary(folder)
    raise SystemExit(__doc__)


if __name__ == "__main__":
    sys.exit(main())
