"""Figures of assets: 50 MB in and out, against nginx with its files and WebDAV's PUT."""

import json
import os
import subprocess
import sys
import tempfile
import time

from servers import GENERATOR_CORE, BenchError, MockServer, Other, pinned
from server_figures import CONTAINER, authorized

SIZE = 50 << 20
FILES = 8
PATH = f"/database/1/{CONTAINER}/development/private/"


def assets(binary, here):
    """MB a second of one client against nginx's, and how much memory the server takes for it."""
    with tempfile.TemporaryDirectory(prefix="cksweep-bench-") as folder:
        body = os.path.join(folder, "body")
        with open(body, "wb") as file:
            file.write(os.urandom(SIZE))
        with Other("nginx", here) as nginx:
            urls = [f"{nginx.url}/files/{number}" for number in range(FILES)]
            their_put = put(nginx.ca, body, urls)[0]
            their_get = get(nginx.ca, urls)
        with MockServer(f"{binary}/cloudkit-mock") as mock:
            before = mock.memory_mib()
            urls = upload_urls(mock)
            my_put, answers = put(mock.ca, body, urls)
            addresses = [attach(mock, f"r{n}", answer["singleFile"])
                         for n, answer in enumerate(answers)]
            my_get = get(mock.ca, addresses)
            growth = mock.memory_mib("VmHWM") - before
    print(f"  up {my_put:.0f} MB/s, nginx {their_put:.0f}; down {my_get:.0f} MB/s, nginx "
          f"{their_get:.0f}", file=sys.stderr)
    return {
        "mock.asset_upload_mb_per_s_vs_nginx_put": my_put / their_put,
        "mock.asset_download_vs_nginx": my_get / their_get,
        "mock.asset_rss_growth_mib": growth,
    }


def upload_urls(mock, zone="_defaultZone"):
    tokens = [{"recordType": "Note", "fieldName": "photo", "recordName": f"r{number}"}
              for number in range(FILES)]
    status, answer = mock.request(
        "POST", authorized(mock, PATH + "assets/upload"),
        {"tokens": tokens, "zoneID": {"zoneName": zone}})
    if status != 200:
        raise BenchError(f"assets/upload: {status} {answer}")
    return [token["url"] for token in answer["tokens"]]


def attach(mock, name, asset, zone="_defaultZone"):
    """Where the asset of a record can be had."""
    record = {"recordName": name, "recordType": "Note", "fields": {"photo": {"value": asset}}}
    status, answer = mock.request(
        "POST", authorized(mock, PATH + "records/modify"),
        {"operations": [{"operationType": "create", "record": record}],
         "zoneID": {"zoneName": zone}})
    if status != 200:
        raise BenchError(f"records/modify: {status} {answer}")
    return answer["records"][0]["fields"]["photo"]["value"]["downloadURL"]


def put(ca, body, urls):
    """MB/s, and the answers."""
    words = [word for url in urls for word in ("-T", body, url)]
    elapsed, text = curl(ca, *words)
    return SIZE * FILES / 1e6 / elapsed, [json.loads(line) for line in text.splitlines() if line]


def get(ca, urls):
    """MB/s."""
    words = [word for url in urls for word in ("-o", "/dev/null", url)]
    return SIZE * FILES / 1e6 / curl(ca, *words)[0]


def curl(ca, *words):
    began = time.monotonic()
    text = subprocess.run(
        pinned(GENERATOR_CORE, "curl", "-sS", "--fail", "--http1.1", "--cacert", ca, "-H",
               "Expect:", "-w", "\n", *words),
        check=True, capture_output=True, text=True, timeout=600).stdout
    return time.monotonic() - began, text
