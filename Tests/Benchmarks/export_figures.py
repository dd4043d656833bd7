"""Figures of an export: the same assets fetched by curl, and how much memory the export takes."""

import os
import subprocess
import sys
import tempfile
import time

from asset_figures import FILES, PATH, SIZE, attach, curl, put, upload_urls
from server_figures import CONTAINER, authorized
from servers import GENERATOR_CORE, BenchError, MockServer, pinned
from sweep_job import Job, peak_mib

ZONE = "Album"


def throughput(binary, here):
    """MB a second of a whole export against curl's, both over TLS into files of the same disk.

    Ours looks, fetches, hashes, waits for the disk and writes the manifest; curl fetches.
    """
    with tempfile.TemporaryDirectory(prefix="cksweep-bench-") as folder, \
            MockServer(f"{binary}/cloudkit-mock") as mock, Job(binary, mock, [CONTAINER]) as job:
        addresses = fill(mock, folder)
        words = [word for number, address in enumerate(addresses)
                 for word in ("-o", os.path.join(folder, str(number)), address)]
        theirs = curl(mock.ca, *words)[0]
        ours, peak = export(job, os.path.join(folder, "export"))
    print(f"  curl {theirs:.2f} s, the export {ours:.2f} s", file=sys.stderr)
    return {"export.mb_per_s_vs_curl": theirs / ours, "export.rss_400mb_mib": peak}


def fill(mock, folder):
    """Gives ann a zone with large assets, no two alike: where each can be had."""
    zone = {"operationType": "create", "zone": {"zoneID": {"zoneName": ZONE}}}
    status, answer = mock.request(
        "POST", authorized(mock, PATH + "zones/modify"), {"operations": [zone]})
    if status != 200:
        raise BenchError(f"zones/modify: {status} {answer}")
    addresses = []
    for number, url in enumerate(upload_urls(mock, ZONE)):
        body = os.path.join(folder, "body")
        with open(body, "wb") as file:
            file.write(os.urandom(SIZE))
        _, answers = put(mock.ca, body, [url])
        addresses.append(attach(mock, f"r{number}", answers[0]["singleFile"], ZONE))
    return addresses


def export(job, folder):
    """Exports everything into a folder: seconds, and peak MiB."""
    began = time.perf_counter()
    process = subprocess.Popen(
        pinned(GENERATOR_CORE, job.command, "export", "-o", folder, "-c", job.list, "--state",
               os.path.join(job.folder, "state"), "-q"),
        stdout=subprocess.DEVNULL, env=job.environment)
    # Not by getrusage: that begins with what this process had when it started the other.
    peak = 0
    while process.poll() is None:
        peak = peak_mib(process.pid) or peak
        time.sleep(0.002)
    elapsed = time.perf_counter() - began
    if process.returncode:
        raise BenchError(f"export: exit {process.returncode}")
    sizes = [os.path.getsize(os.path.join(top, name))
             for top, _, names in os.walk(os.path.join(folder, "assets")) for name in names]
    if sizes != [SIZE] * FILES:
        raise BenchError(f"the export has assets of {sizes} bytes")
    return elapsed, peak
