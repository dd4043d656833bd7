"""How long somebody waits who has just heard of cksweep. Run by scripts/bench --first-contact.

From a clone of this repository's last commit to the demonstration's verdict, with nothing built before;
and from the .deb to the first green `cloudkit-mock exec` of the Python example, unpacked beside what this machine
has. Seconds, one line a figure. Exit 2 when one could not be measured, with what is missing.
"""

import glob
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERDICT = "DONE: everything in scope was deleted and verified empty"
EXAMPLE = ROOT / "Tests" / "Examples" / "notes.py"


class Missing(Exception):
    """Why a figure cannot be had here."""


def told(name, seconds, words):
    print(f"{name:<38} {seconds:8.1f}  {words}", flush=True)


def clone_to_verdict(folder):
    begin = time.monotonic()
    subprocess.run(["git", "clone", "-q", str(ROOT), str(folder / "clone")], check=True)
    cloned = time.monotonic()
    demo = subprocess.Popen(
        [str(folder / "clone" / "scripts" / "demo")], stdout=subprocess.PIPE, text=True)
    (first, verdict) = (None, None)
    for line in demo.stdout:
        first = first or time.monotonic()
        if line.startswith(VERDICT):
            verdict = time.monotonic()
    code = demo.wait()
    if code != 0 or verdict is None:
        raise Missing(f"scripts/demo of the clone ended with {code}, and without its verdict"
                      if verdict is None else f"scripts/demo of the clone ended with {code}")
    told("first_contact.clone_to_verdict_s", verdict - begin,
         f"clone {cloned - begin:.1f}, build {first - cloned:.1f}, demo {verdict - first:.1f}")


def deb_to_green(folder):
    packages = sorted(glob.glob(str(ROOT / ".build" / "packages" / "cloudkit-mock_*.deb")), key=os.path.getmtime)
    if not packages:
        raise Missing("there is no .deb of cloudkit-mock in .build/packages; scripts/package makes one")
    begin = time.monotonic()
    subprocess.run(["dpkg-deb", "-x", packages[-1], str(folder / "root")], check=True)
    unpacked = time.monotonic()
    done = subprocess.run(
        [str(folder / "root" / "usr" / "bin" / "cloudkit-mock"), "exec", "--any-container",
         "--state", str(folder / "state"), "--", sys.executable, str(EXAMPLE)],
        capture_output=True, text=True)
    end = time.monotonic()
    if done.returncode != 0 or "left: _defaultZone" not in done.stdout:
        raise Missing(f"the example ended with {done.returncode}: {done.stdout}{done.stderr}")
    told("first_contact.deb_to_green_s", end - begin,
         f"unpacked {unpacked - begin:.1f}, run {end - unpacked:.1f}")


def main():
    failed = False
    with tempfile.TemporaryDirectory(prefix="cksweep-first-contact-") as name:
        for measure in (deb_to_green, clone_to_verdict):
            try:
                measure(pathlib.Path(name))
            except Missing as missing:
                failed = True
                print(f"not measured, {measure.__name__}: {missing}", file=sys.stderr)
    return 2 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
