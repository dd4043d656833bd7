"""The examples of Tests/Examples, run as their first lines say."""

import os
import pathlib
import subprocess
import sys

import yaml
from common import ROOT, SECONDS_MAX, check, expect, run

EXAMPLES = ROOT / "Tests" / "Examples"
# What the steps of a CI file do on a machine of its own, which nobody does to this one.
ELSEWHERE = ("apt-get", "curl -fsSLo cloudkit-mock.deb")


def under_exec(world, *program):
    code, text = run(
        world.mock, "exec", "--state", world.folder / "examples", "--check",
        "--strict-tokens", "--any-container", "--", *program)
    expect(code == 0, f"{program[0]} ended with {code}: {text}")
    lines = text.splitlines()
    expect(lines.pop() == "No findings.", f"{text}")
    return lines


@check
def examples_save_find_and_delete_a_note_and_keep_the_contract(world):
    # curl's does not take over tokens, and says so by not being asked to.
    programs = (
        [sys.executable, EXAMPLES / "notes.py"], ["node", EXAMPLES / "notes.mjs"],
        [pathlib.Path(world.cksweep).parent / "NotesExample"])
    for program in programs:
        lines = under_exec(world, *program)
        expect([line.split()[0] for line in lines] == ["saved:", "found:", "left:"], f"{lines}")
        expect(lines[1:] == ["found: Buy milk", "left: _defaultZone"], f"{lines}")
    code, text = run(
        world.mock, "exec", "--state", world.folder / "examples", "--check",
        "--any-container", "--", "sh", EXAMPLES / "notes.sh")
    expect(code == 0 and text.splitlines()[-2:] == ["left: _defaultZone", "No findings."], f"{code}: {text}")


@check
def examples_fail_where_the_service_refuses(world):
    programs = ([sys.executable, EXAMPLES / "notes.py"], ["node", EXAMPLES / "notes.mjs"],
                ["sh", EXAMPLES / "notes.sh"],
                [pathlib.Path(world.cksweep).parent / "NotesExample"])
    for program in programs:
        code, text = run(
            world.mock, "exec", "--state", world.folder / "examples",
            "--any-container", "--fault", "records/modify -> CONFLICT on 1 item", "--", *program)
        expect(code != 0 and "left:" not in text, f"{program[0]}: {code} {text}")


def steps_of(path):
    """The commands of a CI file, in order."""
    document = yaml.safe_load(path.read_text())
    if path.name.startswith("github"):
        steps = document["jobs"]["client"]["steps"]
        # YAML 1.1 reads the key "on" as a truth value.
        expect(document["jobs"]["client"]["runs-on"] and (True in document or "on" in document),
               "no trigger or runner")
        expect(all(("uses" in step) != ("run" in step) for step in steps), f"{steps}")
        return [step["run"] for step in steps if "run" in step]
    job = document["client"]
    expect(job["image"] and job["artifacts"]["paths"] == ["kept"], f"{job}")
    return job["before_script"] + job["script"]


@check
def examples_of_ci_files_are_yaml_and_their_steps_run(world):
    told = []
    for name in ("github-actions.yml", "gitlab-ci.yml"):
        folder = world.folder / name
        folder.mkdir()
        (folder / "notes.py").write_bytes((EXAMPLES / "notes.py").read_bytes())
        steps = steps_of(EXAMPLES / name)
        here = [step for step in steps if not any(word in step for word in ELSEWHERE)]
        expect(len(here) >= 2, f"{name}: {steps}")
        path = f"{pathlib.Path(world.cksweep).parent}:{os.environ['PATH']}"
        for step in here:
            done = subprocess.run(
                ["bash", "-eo", "pipefail", "-c", step], cwd=folder, capture_output=True, text=True,
                timeout=SECONDS_MAX,
                env={**os.environ, "PATH": path, "XDG_STATE_HOME": str(folder / "state")})
            expect(done.returncode == 0,
                   f"{name}: {step}: {done.returncode} {done.stdout}{done.stderr}")
        told.append(f"{len(here)} of {len(steps)} steps of {name}")
    return ", ".join(told)
