"""Figures of the sweep and of the command."""

import os
import sys
import statistics
import subprocess
import tempfile
import time

from server_figures import authorized
from servers import GENERATOR_CORE, BenchError, MockServer, pinned
from sweep_job import Job

IN_FLIGHT = 16
LATENCY = 0.050
ARTICLE = ["iCloud.com.example.myexampleapp", "iCloud.com.example.myexampleapp.documents",
           "iCloud.com.example.myexampleapp.settings"]
DATABASES = ["private", "shared", "public"]
PACE = ["--parallelism", str(IN_FLIGHT)]


def seed(mock, containers, zones, records=0):
    """Gives ann so many zones in each container, and forgets that in the server's journal."""
    answer = mock.admin("POST", "seed", {
        "profile": "wide", "users": ["ann"], "containers": containers, "zones": zones,
        "records": records, "seed": 1})
    if answer["zones"] != zones * len(containers):
        raise BenchError(f"the seed made {answer['zones']} zones")
    mock.admin("DELETE", "journal")


def delay(mock, seconds):
    """Has every answer of the service held back."""
    mock.admin("PUT", "faults", [f"any -> delay {round(seconds * 1000)}ms"])


def check_empty(mock, what):
    """A comparison counts only when everything is gone."""
    left = sum(each["zones"] for each in mock.admin("GET", "summary?user=ann")["databases"])
    if left:
        raise BenchError(f"{what} left {left} zones")


def efficiency(binary, here):
    """Efficiency on this machine's disk."""
    efficient, requests = waits_used(binary)
    return {"sweep.efficiency_50ms": efficient, "sweep.requests_per_container": requests}


def efficiency_slow_disk(binary, here):
    """Efficiency where each sync takes 20 ms longer: no request waits for one of its own."""
    return {"sweep.efficiency_50ms_slow_disk": waits_used(binary, slow_disk=True)[0]}


def waits_used(binary, slow_disk=False):
    """100 containers of 100 zones, 50 ms before every answer, 16 requests in flight: how near the
    sweep comes to the time that its requests take when all 16 slots are always in use.

    All three databases are in scope.

    Requests are counted by the server, over one whole sweep: discovery, deletion, two passes.
    """
    containers = [f"iCloud.com.example.bench{number:03d}" for number in range(100)]
    with MockServer(f"{binary}/cloudkit-mock") as mock, \
            Job(binary, mock, containers, slow_disk=slow_disk, databases=DATABASES) as job:
        seed(mock, containers, 100)
        delay(mock, LATENCY)
        outcome = job.sweep(*PACE)
        requests = mock.admin("GET", "journal?limit=0")["total"]
        check_empty(mock, "the sweep")
    ideal = requests / IN_FLIGHT * LATENCY
    return ideal / outcome.total, requests / len(containers)


def apple_sample(binary, here):
    """Our listing and deleting over the sample's, on this machine's disk."""
    return {"sweep.delete_phase_vs_apple_sample": against_sample(binary)}


def apple_sample_slow_disk(binary, here):
    """The same where each sync of ours takes 20 ms longer; the sample writes nothing."""
    return {"sweep.delete_phase_vs_apple_sample_slow_disk": against_sample(binary, slow_disk=True)}


def against_sample(binary, slow_disk=False):
    """Our listing and deleting over that of a port of Apple's sample.

    The article's three containers with 10,000 zones each, 50 ms before every answer, 16 requests
    in flight, both on libcurl. Of the sample all it does is counted: zones/list, then deletion.
    Of ours, the same two: from the first zones/list to the answer of the last one, and the whole
    phase "delete", which also tries the default zones and keeps a journal. What the sample does
    not do at all is not counted, but told on standard error: a second feed of zones that has to be
    read page by page, subscriptions, planning.
    """
    zones = 10_000
    with MockServer(f"{binary}/cloudkit-mock") as mock:
        seed(mock, ARTICLE, zones)
        delay(mock, LATENCY)
        theirs = sample(binary, mock, ARTICLE)
        check_empty(mock, "the sample")
    with MockServer(f"{binary}/cloudkit-mock") as mock, \
            Job(binary, mock, ARTICLE, slow_disk=slow_disk) as job:
        seed(mock, ARTICLE, zones)
        delay(mock, LATENCY)
        outcome = job.sweep(*PACE)
        listing = first_listing(mock)
        check_empty(mock, "the sweep")
    print(f"  the sample {theirs:.2f} s; ours: zones/list {listing:.2f} s, deletion "
          f"{outcome.deletion:.2f} s, the whole inventory {outcome.inventory:.2f} s",
          file=sys.stderr)
    return (listing + outcome.deletion) / theirs


def first_listing(mock):
    """Seconds from the first zones/list to the answer of the last one before anything is deleted,
    by the server's journal."""
    begin = end = None
    for entry in mock.admin("GET", "journal?limit=10000")["entries"]:
        if entry["operation"] == "zones/modify":
            break
        if entry["operation"] == "zones/list":
            begin = entry["time"] if begin is None else begin
            end = entry["time"] + entry["microseconds"] / 1000
    if begin is None:
        raise BenchError("the sweep listed no zones")
    return (end - begin) / 1000 + LATENCY


def sample(binary, mock, containers):
    """Runs the port: the seconds it says it took."""
    done = subprocess.run(
        pinned(GENERATOR_CORE, f"{binary}/AppleSample", mock.url, mock.ca,
               mock.ready["apiToken"], mock.web_token("ann"), str(IN_FLIGHT), *containers),
        capture_output=True, text=True, timeout=600, check=False)
    line = done.stdout.strip().rsplit("\n", 1)[-1]
    if done.returncode or "Error" in done.stdout or not line.startswith("took_ms "):
        raise BenchError(f"AppleSample: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return float(line.split()[1]) / 1000


# A shell loop over curl: list the zones, then delete them one a request.
CURL_LOOP = r"""
set -euo pipefail
ca=$1 list=$2 modify=$3
ask() { curl -sS --fail --cacert "$ca" -H 'Content-Type: application/json' -d "$1" "$2"; }
ask '{}' "$list" | grep -o '"zoneName":"[^"]*"' | cut -d'"' -f4 | grep -v '^_' |
    while read -r zone; do
        ask '{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"'"$zone"'"}}}]}' \
            "$modify" >/dev/null
    done
"""


def curl_loop(binary, here):
    """A shell loop over curl, 100 zones in each of the article's containers and no injected wait,
    over our whole sweep: listing, planning, deletion and both verification passes.
    """
    zones = 100
    with MockServer(f"{binary}/cloudkit-mock") as mock:
        seed(mock, ARTICLE, zones)
        began = time.perf_counter()
        for container in ARTICLE:
            path = f"/database/1/{container}/development/private/zones/"
            done = subprocess.run(
                pinned(GENERATOR_CORE, "bash", "-c", CURL_LOOP, "loop", mock.ca,
                       mock.url + authorized(mock, path + "list"),
                       mock.url + authorized(mock, path + "modify")),
                capture_output=True, text=True, timeout=120, check=False)
            if done.returncode:
                raise BenchError(f"the curl loop: exit {done.returncode}\n{done.stderr}")
        theirs = time.perf_counter() - began
        check_empty(mock, "the curl loop")
    if theirs > 20:
        print(f"  the curl loop took {theirs:.0f} s; it should take under 20", file=sys.stderr)
    with MockServer(f"{binary}/cloudkit-mock") as mock, Job(binary, mock, ARTICLE) as job:
        seed(mock, ARTICLE, zones)
        outcome = job.sweep(*PACE)
        check_empty(mock, "the sweep")
    return {"sweep.vs_curl_loop": theirs / outcome.total}


def default_zone(binary, here):
    """Records deleted from a default zone, over what the service's limit of a batch allows.

    50 ms before every answer and four requests in flight: nobody can delete more than four times
    200 records in 50 ms, and what is missing of that we or the server took.
    """
    records, in_flight, batch = 100_000, 4, 200
    with MockServer(f"{binary}/cloudkit-mock") as mock, \
            Job(binary, mock, ARTICLE[:1], types=["Note"]) as job:
        fill_default_zone(mock, ARTICLE[0], records, batch)
        delay(mock, LATENCY)
        outcome = job.sweep("--parallelism", str(in_flight))
        if outcome.deleted < records:
            raise BenchError(f"of {records} records {outcome.deleted} were deleted")
    limit = in_flight * batch / LATENCY
    return {"sweep.default_zone_records_per_s_vs_batch_limit": records / outcome.deletion / limit}


def fill_default_zone(mock, container, records, batch):
    """Saves so many records of ann's into the default zone, through the service."""
    mock.web_token("ann")
    mock.admin("POST", "seed", {
        "profile": "wide", "users": ["ann"], "containers": [container], "zones": 0, "records": 0,
        "seed": 1})
    path = authorized(mock, f"/database/1/{container}/development/private/records/modify")
    for start in range(0, records, batch):
        status, answer = mock.request("POST", path, {
            "zoneID": {"zoneName": "_defaultZone"}, "operations": [
                {"operationType": "create", "record": {
                    "recordName": f"note-{number}", "recordType": "Note",
                    "fields": {"text": {"value": f"the text of note {number}"}}}}
                for number in range(start, start + batch)]})
        if status != 200 or any("serverErrorCode" in each for each in answer["records"]):
            raise BenchError(f"records not saved: {status}")


def memory_records(binary, here):
    """The client's peak memory in a sweep of 10,000,000 records in 100 zones."""
    containers = ["iCloud.com.example.bench"]
    with MockServer(f"{binary}/cloudkit-mock") as mock, Job(binary, mock, containers) as job:
        seed(mock, containers, 100, records=100_000)
        outcome = job.sweep(*PACE)
        check_empty(mock, "the sweep")
    return {"sweep.rss_10m_records_mib": outcome.peak_mib}


def memory(binary, here):
    """The client's peak memory in a sweep of 1,000,000 zones, and over that of 10,000."""
    peaks = {}
    for zones in (10_000, 1_000_000):
        containers = ["iCloud.com.example.bench"]
        with MockServer(f"{binary}/cloudkit-mock") as mock, Job(binary, mock, containers) as job:
            seed(mock, containers, zones)
            outcome = job.sweep(*PACE)
            if outcome.deleted < zones:
                raise BenchError(f"of {zones} zones {outcome.deleted} were deleted")
            peaks[zones] = outcome.peak_mib
    return {"sweep.rss_1m_zones_mib": peaks[1_000_000],
            "sweep.rss_1m_zones_vs_10k": peaks[1_000_000] / peaks[10_000]}


def command_start(binary, here):
    """`cksweep --version`, from before its process is made until it has ended."""
    times = []
    for _ in range(41):
        began = time.perf_counter()
        done = subprocess.run([f"{binary}/cksweep", "--version"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False)
        times.append((time.perf_counter() - began) * 1000)
        if done.returncode:
            raise BenchError(f"cksweep --version: exit {done.returncode}")
    return {"cli.start_ms": statistics.median(times)}


def command_size(binary, here):
    """The command without symbols, as a package ships it, in units of 10^6 bytes."""
    with tempfile.TemporaryDirectory() as folder:
        stripped = os.path.join(folder, "cksweep")
        subprocess.run(["strip", "-o", stripped, f"{binary}/cksweep"], check=True)
        return {"binary_mb_stripped": os.path.getsize(stripped) / 1e6}
