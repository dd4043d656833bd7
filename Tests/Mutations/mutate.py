"""Plants bugs in a copy of the sources and sees whether the tests notice; see scripts/mutate."""

import argparse
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from table import TableError, read_table, weave

# The program with all tests: nothing else is built.
TESTS = "cksweepPackageTests"
# What the test runner says as soon as a test fails.
ISSUE = re.compile(rb"^\S+ Test .* recorded an issue ")
# A test that runs longer has not noticed anything; a row can say that hanging is how it is noticed.
SECONDS = 180
# A bug may fill the memory instead.
MEMORY = 8 << 30
KEPT = ("Sources", "Tests", "Containers", "scripts", "Package.swift", "README.md")

# `scripts/mutate` puts it into each module that has a row.
MUTANT = '''import FoundationEssentials

/// Which planted bug is awake in this process.
enum Mutant {
    private static let name = ProcessInfo.processInfo.environment["CKSWEEP_MUTANT"]
    static func isAlive(_ name: String) -> Bool { self.name == name }
}
'''


def fail(message, status=2):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(status)


# ------------------------------------------------------------------------------ the copy


def files_of(root):
    """Everything a build or a test can read, by its path."""
    for top in KEPT:
        path = os.path.join(root, top)
        if os.path.isfile(path):
            yield top
        for folder, folders, names in os.walk(path):
            folders[:] = [name for name in folders if name not in (".build", "__pycache__")]
            for name in names:
                yield os.path.relpath(os.path.join(folder, name), root)


def write(path, content):
    """Writes a file only when that changes it: what is the same is not built again."""
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == content:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def make_copy(root, copy, rows):
    """Brings the copy up to date, with all woven rows in it."""
    by_file = {}
    for row in rows:
        if row.is_woven:
            by_file.setdefault(row.file, []).append(row)
    wanted = set()
    for path in files_of(root):
        wanted.add(path)
        with open(os.path.join(root, path), "rb") as file:
            content = file.read()
        if path in by_file:
            content = weave(content.decode(), by_file.pop(path)).encode()
        if path == "Package.swift":
            # A mistake may leave something unused.
            content = content.replace(b".treatAllWarnings(as: .error)", b'.define("MUTANTS")')
        write(os.path.join(copy, path), content)
        mode = os.stat(os.path.join(root, path)).st_mode
        os.chmod(os.path.join(copy, path), mode & 0o777)
    for path, of_file in by_file.items():
        raise TableError(f"{of_file[0].name}: there is no {path}")
    for folder in sorted({row.folder for row in rows if row.is_woven}):
        path = os.path.join(folder, "Mutant.swift")
        wanted.add(path)
        write(os.path.join(copy, path), MUTANT.encode())
    for path in list(files_of(copy)):
        if path not in wanted:
            os.remove(os.path.join(copy, path))


# ------------------------------------------------------------------------ build and tests

# Their rows were shown with 2,000 seeds; an ordinary test run has a quarter of them.
SIMULATIONS = {"RecordSyncTests.SimulationTests", "DonationSyncTests.SimulationTests"}


def environment(rows, mutant=None):
    variables = {**os.environ, "CKSWEEP_TESTS": ",".join(sorted(test_targets(rows)))}
    variables.pop("CKSWEEP_MUTANT", None)
    if mutant:
        variables["CKSWEEP_MUTANT"] = mutant
    return variables


def test_targets(rows):
    return {test.split(".")[0] for row in rows for test in row.tests}


def build(copy, rows, log, module=None):
    """Builds the copy, or one module of it; what the compiler said is in `log`."""
    what = ["--target", module] if module else ["--product", TESTS]
    with open(log, "wb") as out:
        done = subprocess.run(
            ["swift", "build", *what], cwd=copy, env=environment(rows), stdout=out,
            stderr=subprocess.STDOUT, check=False)
    if done.returncode == 0:
        return None
    with open(log, encoding="utf-8", errors="replace") as file:
        errors = [line.strip() for line in file if ": error: " in line]
    return "\n".join(dict.fromkeys(errors)) or f"see {log}"


def program_of(copy, rows):
    shown = subprocess.run(
        ["swift", "build", "--show-bin-path"], cwd=copy, env=environment(rows),
        stdout=subprocess.PIPE, check=True)
    return os.path.join(shown.stdout.decode().strip(), TESTS + ".xctest")


def command_of(program, tests):
    command = [program, "--testing-library", "swift-testing"]
    for test in tests:
        command += ["--filter", test]
    return command


def tests_of(copy, program, rows):
    """Every test there is, as filters see it."""
    shown = subprocess.run(
        [*command_of(program, []), "--list-tests"], cwd=copy, env=environment(rows),
        stdout=subprocess.PIPE, check=True)
    return shown.stdout.decode().splitlines()


def run_tests(copy, program, rows, tests, log, mutant=None, seconds=SECONDS, whole=False):
    """Runs some tests, until one fails unless the `whole` of them is wanted.

    How they ended, and how long it took.
    """
    variables = {**environment(rows, mutant), "SWIFT_BACKTRACE": "enable=no"}
    if all(test in SIMULATIONS for test in tests):
        variables.setdefault("CKSWEEP_SEED", "1-2000")
    began = time.monotonic()
    child = subprocess.Popen(
        command_of(program, tests), cwd=copy, env=variables, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
    hung = threading.Event()

    def end():
        # What it started goes with it.
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def give_up():
        if child.poll() is None:
            hung.set()
        end()

    timer = threading.Timer(seconds, give_up)
    timer.start()
    noticed = False
    try:
        with open(log, "wb") as out:
            for line in child.stdout:
                out.write(line)
                if ISSUE.search(line) and not whole:
                    noticed = True
                    break
        if noticed:
            end()
        status = child.wait()
    finally:
        timer.cancel()
        end()
        child.wait()
        child.stdout.close()
    took = time.monotonic() - began
    if hung.is_set() and not noticed:
        return "hung", took
    return "failed" if noticed or status else "passed", took


# ------------------------------------------------------------------------------- the rows


class Session:
    """One call of the script."""

    def __init__(self, root, copy, rows, jobs):
        self.root, self.copy, self.rows, self.jobs = root, copy, rows, jobs
        self.logs = os.path.join(copy, ".build", "mutate-logs")
        shutil.rmtree(self.logs, ignore_errors=True)
        os.makedirs(self.logs)
        self.killed = 0
        self.faults = []

    def log(self, name):
        return os.path.join(self.logs, re.sub(r"[^A-Za-z0-9.-]", "_", name)[:100] + ".log")

    def sound(self, chosen):
        """The rows whose tests exist, and pass without a bug."""
        there = tests_of(self.copy, self.program, self.rows)
        broken = set()
        for test in sorted({test for row in chosen for test in row.tests}):
            if not any(re.search(test, name) for name in there):
                self.faults.append(f"{test}: there is no such test")
                broken.add(test)
        sound = [row for row in chosen if not broken.intersection(row.tests)]
        everything = sorted({test for row in sound for test in row.tests})
        if everything and self.healthy(everything) != "passed":
            for test in everything:
                ended = self.healthy([test])
                if ended != "passed":
                    self.faults.append(f"{test}: {ended} without a bug")
                    broken.add(test)
        return [row for row in sound if not broken.intersection(row.tests)]

    def healthy(self, tests):
        log = self.log("healthy" + ("" if len(tests) > 1 else "-" + tests[0]))
        return run_tests(
            self.copy, self.program, self.rows, tests, log, seconds=SECONDS * len(tests))[0]

    def judge(self, row):
        ended, took = run_tests(
            self.copy, self.program, self.rows, row.tests, self.log(row.name), row.name,
            row.hang or SECONDS)
        return row, ended, took

    def tell(self, row, ended, took):
        killed = ended == "failed" or (ended == "hung" and row.hang > 0)
        verdict = "killed" if killed else "HANGS" if ended == "hung" else "SURVIVED"
        by = ", ".join(row.tests) or "the compiler"
        print(f"{verdict:8}  {row.name:42} {took:6.1f} s  {by}", flush=True)
        if killed:
            self.killed += 1
            return
        print(f"          {row.file}: {row.why}", flush=True)
        self.faults.append(f"{row.name} {'hangs' if ended == 'hung' else 'survived'}")

    def build(self):
        make_copy(self.root, self.copy, self.rows)
        print(f"Building {len(self.rows)} bugs into {self.copy}", file=sys.stderr, flush=True)
        errors = build(self.copy, self.rows, self.log("build"))
        if errors:
            fail(f"the copy does not build:\n{errors}")
        self.program = program_of(self.copy, self.rows)

    def run(self, chosen):
        chosen = self.sound(chosen)
        with ThreadPoolExecutor(self.jobs) as pool:
            asleep = [row for row in chosen if row.is_woven]
            for result in pool.map(self.judge, asleep):
                self.tell(*result)
        for row in chosen:
            if not row.is_woven:
                self.run_alone(row)

    def find(self, chosen):
        """Says which tests of a row's targets notice it: for somebody who adds one."""
        for row in chosen:
            log = self.log("find-" + row.name)
            targets = sorted({test.split(".")[0] + r"\." for test in row.tests})
            ended, took = run_tests(
                self.copy, self.program, self.rows, targets, log, row.name, row.hang or 600,
                whole=True)
            print(f"{row.name}: {ended} after {took:.1f} s", flush=True)
            with open(log, encoding="utf-8", errors="replace") as file:
                failed = re.findall(r"✘ (Suite \S+|Test .+?) (?:with .* )?failed after", file.read())
            for name in dict.fromkeys(failed):
                print(f"    {name}", flush=True)

    def run_alone(self, row):
        """A bug that cannot sleep beside the right text: built for itself, and taken out again."""
        path = os.path.join(self.copy, row.file)
        with open(path, "rb") as file:
            woven = file.read()
        with open(os.path.join(self.root, row.file), encoding="utf-8") as file:
            right = file.read()
        log = self.log("build-" + row.name)
        try:
            write(path, row.applied(right).encode())
            if row.way == "compiler":
                began = time.monotonic()
                errors = build(self.copy, self.rows, log, row.module) or ""
                # Not for any other reason than this file.
                ended = "failed" if path + ":" in errors else "passed"
                self.tell(row, ended, time.monotonic() - began)
                return
            errors = build(self.copy, self.rows, log)
            if errors:
                self.faults.append(f"{row.name}: does not build:\n{errors}")
                return
            self.tell(*self.judge(row))
        finally:
            write(path, woven)


def check(root, rows):
    """Names each row whose text is not in its file any more, and where the copy would not be Swift."""
    faults, files = [], {}
    for row in rows:
        try:
            with open(os.path.join(root, row.file), encoding="utf-8") as file:
                text = file.read()
            row.span(text)
            if row.is_woven:
                files.setdefault(row.file, (text, []))[1].append(row)
        except (OSError, TableError) as error:
            faults.append(f"error: {error}; change the row in Tests/Mutations/table.txt")
    if faults:
        sys.exit("\n".join(faults))
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, (name, (text, woven)) in enumerate(files.items()):
            paths.append(os.path.join(folder, f"{number}-{os.path.basename(name)}"))
            write(paths[-1], weave(text, woven).encode())
        if paths and subprocess.run(["swiftc", "-frontend", "-parse", *paths]).returncode:
            sys.exit(
                "error: with the rows that these lines name, the copy is no Swift; give each another "
                "\"way:\" (Tests/Mutations/README.md has the list)")


def main():
    root = sys.argv[1]
    arguments = argparse.ArgumentParser(prog="scripts/mutate", add_help=False)
    arguments.add_argument("names", nargs="*")
    arguments.add_argument("--list", action="store_true")
    arguments.add_argument("--find", action="store_true")
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--table", default=os.path.join(root, "Tests/Mutations/table.txt"))
    arguments.add_argument("--some", type=int)
    arguments.add_argument("--seed", type=int, default=os.environ.get("CKSWEEP_SEED"))
    arguments.add_argument("--copy", default=os.path.join(root, ".build/mutate/copy"))
    arguments.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = arguments.parse_args(sys.argv[2:])
    try:
        rows = read_table(options.table)
        if options.list:
            for row in rows:
                print(f"{row.name:42} {row.file}\n    {row.why}")
            return
        if options.check:
            check(root, rows)
            return
        known = {row.name: row for row in rows}
        for name in options.names:
            if name not in known:
                fail(f"no row \"{name}\"; scripts/mutate --list shows them")
        chosen = [known[name] for name in options.names] or rows
        if options.some:
            seed = int(options.seed) if options.seed else random.randrange(1 << 32)
            print(f"Rows drawn with seed {seed}", file=sys.stderr)
            chosen = random.Random(seed).sample(rows, min(options.some, len(rows)))
        session = Session(root, os.path.abspath(options.copy), rows, options.jobs)
        session.build()
        if options.find:
            session.find(chosen)
            return
        session.run(chosen)
    except TableError as error:
        fail(str(error))
    for fault in session.faults:
        print(f"error: {fault}", file=sys.stderr)
    print(f"{session.killed} of {len(chosen)} killed")
    sys.exit(1 if session.faults else 0)


if __name__ == "__main__":
    main()
