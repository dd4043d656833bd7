"""Figures of the library that has CloudKit's names."""

import subprocess
import sys

from server_figures import zone_names
from servers import GENERATOR_CORE, BenchError, MockServer, pinned

CONTAINER = "iCloud.com.example.bench"
ROUNDS = 100
RECORDS = 100_000
ENGINE_ROUNDS = 3


def load(binary, mock, *arguments):
    """Runs the load program: the numbers it prints, by their names."""
    what, last = arguments
    done = subprocess.run(
        pinned(GENERATOR_CORE, f"{binary}/CloudKitLoad", what, mock.url, mock.ca,
               mock.ready["apiToken"], mock.web_token("ann"), str(last)),
        capture_output=True, text=True, timeout=600, check=False)
    words = done.stdout.split()
    if done.returncode or len(words) != 4:
        raise BenchError(f"CloudKitLoad: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return {words[0]: float(words[1]), words[2]: float(words[3])}


def modify(binary, here):
    """The time to save 200 records through CKDatabase over the same through the client, in turns
    in one process. Both make their values, wait for the answer and look at each result.
    """
    with MockServer(f"{binary}/cloudkit-mock") as mock:
        times = load(binary, mock, "modify", ROUNDS)
    print(f"  through the client {times['client_ms']:.2f} ms, through CKDatabase "
          f"{times['cloudkit_ms']:.2f} ms", file=sys.stderr)
    return {"cloudkit.modify_200_vs_client": times["cloudkit_ms"] / times["client_ms"]}


def fetch_changes(binary, here):
    """Peak memory of a program that fetches a zone's 100,000 records through an operation."""
    with MockServer(f"{binary}/cloudkit-mock") as mock:
        mock.admin("POST", "seed", {
            "profile": "wide", "users": ["ann"], "containers": [CONTAINER], "zones": 1,
            "records": RECORDS, "seed": 1})
        zone = zone_names(mock, mock.web_token("ann"))[0]
        numbers = load(binary, mock, "changes", zone)
    if numbers["records"] < RECORDS:
        raise BenchError(f"{numbers['records']:.0f} of {RECORDS} records came")
    return {"cloudkit.fetch_changes_100k_rss_mib": numbers["peak_kib"] / 1024}


def engine_send(binary, here):
    """The time to send 10,000 new records through CKSyncEngine over the same through
    CKModifyRecordsOperations of 200, in turns in one process. The engine's app writes down its
    state at each update.
    """
    with MockServer(f"{binary}/cloudkit-mock") as mock:
        times = load(binary, mock, "engine-send", ENGINE_ROUNDS)
    print(f"  through operations {times['operations_s']:.2f} s, through CKSyncEngine "
          f"{times['engine_s']:.2f} s", file=sys.stderr)
    return {"cksyncengine.send_10k_vs_modify": times["engine_s"] / times["operations_s"]}


def engine_fetch(binary, here):
    """Peak memory of a program whose CKSyncEngine fetches a zone's 100,000 records."""
    with MockServer(f"{binary}/cloudkit-mock") as mock:
        mock.admin("POST", "seed", {
            "profile": "wide", "users": ["ann"], "containers": [CONTAINER], "zones": 1,
            "records": RECORDS, "seed": 1})
        numbers = load(binary, mock, "engine-fetch", 1)
    if numbers["records"] < RECORDS:
        raise BenchError(f"{numbers['records']:.0f} of {RECORDS} records came")
    return {"cksyncengine.fetch_100k_rss_mib": numbers["peak_kib"] / 1024}
