"""Figures of the evidence: how long a stranger waits who checks it, and how large it is."""

import base64
import glob
import hashlib
import json
import os
import subprocess
import time

from servers import GENERATOR_CORE, BenchError, MockServer, pinned
from sweep_figures import PACE, check_empty, seed
from sweep_job import Job

CONTAINER = "iCloud.com.example.bench"
EVENTS = 1_000_000
PAYLOAD_TYPE = "application/vnd.in-toto+json"


def verify(binary, here):
    """Seconds of `attest` for a run of a million events, and bytes of an event of a real run.

    No run of a bench has a million events: each tells of up to 200 things. So the evidence of a
    real run is made longer here and signed again by its own key with openssl: a step for each
    event, one zone deleted in each.
    """
    with MockServer(f"{binary}/cloudkit-mock") as mock, Job(binary, mock, [CONTAINER]) as job:
        state = os.path.join(job.folder, "state")
        run(job.command, "evidence", "init", "--rehearsal", "--state", state)
        seed(mock, [CONTAINER], 20_000)
        job.sweep(*PACE)
        check_empty(mock, "the sweep")
        (envelope,) = glob.glob(f"{state}/rehearsal/evidence/*Z-????????.json")
        key = f"{state}/rehearsal/keys/evidence"
        real = events_of(envelope)
        lengthen(envelope, f"{key}.pem", EVENTS)
        began = time.perf_counter()
        run(*pinned(GENERATOR_CORE, job.command, "attest", envelope, "--key", f"{key}.pub.pem"))
        seconds = time.perf_counter() - began
    return {"evidence.verify_1m_events_s": seconds,
            "evidence.bytes_per_event": sum(map(len, real)) / len(real) + 1}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        raise BenchError(f"{command[1:3]}: exit {done.returncode}\n{done.stdout}{done.stderr}")


def events_path(envelope):
    return envelope.removesuffix(".json") + ".events.jsonl"


def events_of(envelope):
    with open(events_path(envelope), "rb") as file:
        return file.read().splitlines()


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def lengthen(envelope, key, count):
    """Has the run tell of so many events, and everything else of the statement follow from them.

    The signature covers what was signed before it was in a ledger: the proof beside it is dropped.
    """
    with open(envelope, encoding="utf-8") as file:
        signed = json.load(file)
    statement = json.loads(base64.b64decode(signed["payload"]))
    events = [json.loads(line) for line in events_of(envelope)]
    outcome = next(each for each in events if each["event"] == "outcome" and each["counted"])
    rest = [each for each in events if each["event"] != "outcome"]
    steps = count - len(rest)
    outcome |= {"deleted": 1, "items": 1, "zones": outcome["zones"][:1]}
    begin = next(at for at, each in enumerate(rest) if each["event"] == "approved") + 1
    lines = [canonical(each) for each in rest[:begin]]
    lines += [canonical(outcome | {"step": step}) for step in range(steps)]
    lines += [canonical(each) for each in rest[begin:]]
    with open(events_path(envelope), "wb") as file:
        file.write(b"\n".join(lines) + b"\n")
    describe(statement, lines, steps)
    body = canonical(statement)
    signed["payload"] = base64.b64encode(body).decode()
    signed["signatures"][0]["sig"] = base64.b64encode(sign(body, key)).decode()
    with open(envelope, "wb") as file:
        file.write(canonical(signed))
    os.remove(envelope.removesuffix(".json") + ".proof")


def describe(statement, lines, steps):
    """Puts the numbers of these events into the statement."""
    said = statement["predicate"]
    said["plan"]["steps"] = steps
    for row in said["coverage"]:
        if row["kind"] == "custom zones":
            row |= {"found": steps, "planned": steps, "deleted": steps}
    for name in said["counts"]:
        said["counts"][name] = sum(row[name] for row in said["coverage"])
    text = b"\n".join(lines) + b"\n"
    digest = hashlib.sha256(text).hexdigest()
    head = bytes(32)
    for line in lines:
        head = hashlib.sha256(head + line).digest()
    said["events"] = {"bytes": len(text), "chainHead": head.hex(), "count": len(lines),
                      "root": root(lines).hex(), "sha256": digest}
    for subject in statement["subject"]:
        if subject["name"] == "events":
            subject["digest"]["sha256"] = digest


def root(lines):
    """The root of the tree of RFC 6962, level by level."""
    level = [hashlib.sha256(b"\0" + line).digest() for line in lines]
    while len(level) > 1:
        pairs = [hashlib.sha256(b"\1" + level[at] + level[at + 1]).digest()
                 for at in range(0, len(level) - 1, 2)]
        level = pairs + level[len(pairs) * 2:]
    return level[0]


def sign(body, key):
    """The signature of DSSE by openssl, which wants a file for Ed25519."""
    path = key + ".signed"
    with open(path, "wb") as file:
        file.write(b"DSSEv1 %d %s %d %s" % (
            len(PAYLOAD_TYPE), PAYLOAD_TYPE.encode(), len(body), body))
    done = subprocess.run(
        ["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", path],
        capture_output=True, check=False)
    if done.returncode:
        raise BenchError(f"openssl: {done.stderr.decode()}")
    return done.stdout
