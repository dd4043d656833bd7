"""Figures of the mock server."""

import os
import statistics
import sys
import tempfile
import time
from urllib.parse import quote

from load import wrk, zone_load
from servers import BenchError, MockServer, Moto, Other

CONTAINER = "iCloud.com.example.bench"
PATH = f"/database/1/{CONTAINER}/development/private/zones/modify"
SECONDS = int(os.environ.get("CKSWEEP_BENCH_SECONDS", "3"))


def authorized(server, path, user="ann"):
    return (f"{path}?ckAPIToken={server.ready['apiToken']}"
            f"&ckWebAuthToken={quote(server.ready['webTokens'][user], safe='')}")


def throughput(binary, here):
    """Durable zone deletions against static bytes of nginx and a store-less mock in aiohttp.

    All get the same requests, with the tokens in their targets.
    """
    with MockServer(f"{binary}/cloudkit-mock", durable=True) as mock:
        target = authorized(mock, PATH)
        mine, p99 = wrk(mock.url + target, "z", SECONDS)
        mine_h2 = zone_load(binary, mock.url + target, "h", SECONDS)
    with Other("nginx", here) as nginx:
        theirs, _ = wrk(nginx.url + target, "z", SECONDS)
        theirs_h2 = zone_load(binary, nginx.url + target, "h", SECONDS)
    with Other("aiohttp", here) as aiohttp:
        slow, _ = wrk(aiohttp.url + target, "z", SECONDS)
    print(f"  h1 {mine:.0f}/s, nginx {theirs:.0f}/s, aiohttp {slow:.0f}/s; h2 {mine_h2:.0f}/s, nginx "
          f"{theirs_h2:.0f}/s; one fdatasync of 16 KiB {disk_wait():.0f} us", file=sys.stderr)
    return {
        "server.h1.durable_zone_delete_vs_nginx": mine / theirs,
        "server.h2.durable_zone_delete_vs_nginx": mine_h2 / theirs_h2,
        "server.h1.durable_vs_aiohttp": mine / slow,
        "server.p99_ms": p99,
    }


def disk_wait():
    """The median wait for the disk, in microseconds: what a durable answer cannot be faster than."""
    with tempfile.TemporaryFile() as file:
        times = []
        for _ in range(100):
            file.write(bytes(16384))
            file.flush()
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - began) * 1e6)
    return statistics.median(times)


def zone_deletion(binary, here):
    """Time to the answer for zones of 100,000 records over that for zones of 10."""
    with MockServer(f"{binary}/cloudkit-mock", durable=True) as mock:
        for user, records in (("small", 10), ("large", 100_000)):
            mock.admin("POST", "seed", {
                "profile": "wide", "users": [user], "containers": [CONTAINER], "zones": 5,
                "records": records * 5, "seed": 1})
        tokens = {user: mock.admin("POST", "tokens", {"user": user})["webToken"]
                  for user in ("small", "large")}
        times = {"small": [], "large": []}
        names = [zone_names(mock, tokens["small"]), zone_names(mock, tokens["large"])]
        for small, large in zip(*names):
            for user, zone in (("small", small), ("large", large)):
                body = {"operations": [
                    {"operationType": "delete", "zone": {"zoneID": {"zoneName": zone}}}]}
                began = time.perf_counter()
                status, answer = mock.request("POST", with_token(mock, PATH, tokens[user]), body)
                times[user].append(time.perf_counter() - began)
                if status != 200 or not answer["zones"][0].get("deleted"):
                    raise BenchError(f"zone not deleted: {status} {answer}")
    return {"server.zone_delete_100k_vs_10_records":
            statistics.median(times["large"]) / statistics.median(times["small"])}


def with_token(mock, path, token):
    return f"{path}?ckAPIToken={mock.ready['apiToken']}&ckWebAuthToken={quote(token, safe='')}"


def zone_names(mock, token):
    path = PATH.replace("modify", "list")
    _, answer = mock.request("POST", with_token(mock, path, token), {})
    return [zone["zoneID"]["zoneName"] for zone in answer["zones"]
            if not zone["zoneID"]["zoneName"].startswith("_")]


def start(binary, here):
    """From the start of the process to its ready line, and its memory then."""
    with MockServer(f"{binary}/cloudkit-mock") as warm:
        warm.request("GET", "/_mock/v1/health")
    with MockServer(f"{binary}/cloudkit-mock") as mock:
        return {"server.ready_ms": mock.ready_ms, "server.idle_rss_mib": mock.memory_mib()}


def moto_start(binary, here):
    """PyPI's moto server over ours: from the start of the process to the first answer, ours over TLS."""
    began = time.perf_counter()
    with MockServer(f"{binary}/cloudkit-mock") as mock:
        mock.admin("GET", "health")
        mine = time.perf_counter() - began
    with Moto() as moto:
        theirs = moto.ready_seconds
    print(f"  ours {mine * 1000:.0f} ms, moto {theirs * 1000:.0f} ms", file=sys.stderr)
    return {"mock.vs_moto_start": theirs / mine}
