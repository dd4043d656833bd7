"""Figures of the mock server's store: how long one request takes, and keeps the others waiting."""

import http.client
import statistics
import sys
import threading
import time

from server_figures import CONTAINER, PATH, with_token, zone_names
from servers import BenchError, MockServer

QUERY = PATH.replace("zones/modify", "records/query")
FILTER = {"fieldName": "pinned", "comparator": "EQUALS",
          "fieldValue": {"value": -1, "type": "INT64"}}


def seeded(mock, records, zones=1):
    mock.admin("POST", "seed", {"profile": "wide", "users": ["ann"], "containers": [CONTAINER],
                                "zones": zones, "records": records, "seed": 1})
    token = mock.web_token("ann")
    return token, zone_names(mock, token)


def milliseconds(body):
    began = time.perf_counter()
    body()
    return (time.perf_counter() - began) * 1000


def resets(binary, here):
    """Resets of 10,000 records, which are seeded anew each time."""
    with MockServer(f"{binary}/cloudkit-mock") as mock:
        times = []
        for _ in range(50):
            seeded(mock, 10_000)
            times.append(milliseconds(lambda: mock.admin("POST", "reset", {})))
        times.sort()
    return {"mock.reset_10k_records_p99_ms": times[round(0.99 * (len(times) - 1))]}


def snapshots(binary, here):
    """A snapshot of 10,000 records, and its restoring after a record came and all went."""
    with MockServer(f"{binary}/cloudkit-mock") as mock:
        token, (zone, *_) = seeded(mock, 10_000)
        path = PATH.replace("zones/modify", "records/modify")
        keeping, restoring = [], []
        for number in range(20):
            keeping.append(milliseconds(
                lambda: mock.admin("POST", "simulate", {"event": "snapshot", "name": "base"})))
            status, answer = mock.request("POST", with_token(mock, path, token), {
                "zoneID": {"zoneName": zone}, "operations": [{
                    "operationType": "create",
                    "record": {"recordType": "Note", "recordName": f"new-{number}"}}]})
            if status != 200 or "serverErrorCode" in answer["records"][0]:
                raise BenchError(f"record not written: {status} {answer}")
            mock.admin("POST", "reset", {})
            restoring.append(milliseconds(
                lambda: mock.admin("POST", "simulate", {"event": "restore", "name": "base"})))
        databases = mock.admin("GET", "summary?user=ann")["databases"]
        if sum(each["records"] for each in databases) < 10_000:
            raise BenchError(f"not restored: {databases}")
    return {"mock.snapshot_10k_ms": statistics.median(keeping),
            "mock.restore_10k_ms": statistics.median(restoring)}


def namespaces(binary, here):
    """New namespaces over a connection that is kept, and forks of a world of 10,000 records."""
    with MockServer(f"{binary}/cloudkit-mock") as mock:
        def times(count, **more):
            found = []
            for number in range(count):
                name = f"run-{number}"
                found.append(milliseconds(
                    lambda: mock.admin("POST", "namespaces", {"name": name, **more})))
                mock.admin("DELETE", f"namespaces?name={name}")
            return sorted(found)
        fresh = times(200)
        seeded(mock, 10_000)
        forked = times(20, fork="localhost")
    return {"mock.namespace_ms": statistics.median(fresh),
            "mock.namespace_p99_ms": fresh[round(0.99 * (len(fresh) - 1))],
            "mock.fork_10k_ms": statistics.median(forked)}


def query_pages(mock, token, zone, body, most=None):
    """The times of a query's pages, and how many records they had."""
    body = {"zoneID": {"zoneName": zone}, "resultsLimit": 200, **body}
    times, records = [], 0
    while most is None or len(times) < most:
        began = time.perf_counter()
        status, answer = mock.request("POST", with_token(mock, QUERY, token), body)
        times.append((time.perf_counter() - began) * 1000)
        if status != 200:
            raise BenchError(f"query failed: {status} {answer}")
        records += len(answer["records"])
        if "continuationMarker" not in answer:
            break
        body["continuationMarker"] = answer["continuationMarker"]
    return times, records


def sorted_by(field):
    return {"query": {"recordType": "Note", "sortBy": [{"fieldName": field, "ascending": False}]}}


def sorted_pages(binary, here):
    """The pages of a query with a sort over 100,000 records, those included that made its index."""
    with MockServer(f"{binary}/cloudkit-mock") as mock:
        token, (zone, *_) = seeded(mock, 100_000)
        times, records = query_pages(mock, token, zone, sorted_by("title"))
        if records < 10_000:
            raise BenchError(f"only {records} records")
        print(f"  {records} records in {len(times)} pages, the longest {max(times):.1f} ms",
              file=sys.stderr)
    return {"mock.query_sorted_page_100k_ms": statistics.median(times)}


def longest_turn(binary, here):
    """The longest that a health request waits while others ask for all of a million records."""
    longest, ends = {}, threading.Event()
    with MockServer(f"{binary}/cloudkit-mock") as mock:
        token, (zone, *_) = seeded(mock, 200_000, zones=5)
        doing = [None]

        def ping():
            connection = http.client.HTTPSConnection(
                mock.host, mock.port, context=mock.context, timeout=600)
            while not ends.is_set():
                what, began = doing[0], time.perf_counter()
                connection.request("GET", "/_mock/v1/health")
                connection.getresponse().read()
                wait = (time.perf_counter() - began) * 1000
                longest[what] = max(longest.get(what, 0), wait)
                time.sleep(0.0005)
            connection.close()

        thread = threading.Thread(target=ping)
        thread.start()
        try:
            for name, body in (
                ("snapshot", lambda: mock.admin("POST", "simulate", {"event": "snapshot", "name": "a"})),
                ("sorted query", lambda: query_pages(mock, token, zone, sorted_by("title"), 100)),
                ("filtered query", lambda: query_pages(mock, token, zone, {"query": {
                    "recordType": "Note", "filterBy": [FILTER]}}, 20)),
                ("summary", lambda: mock.admin("GET", "summary")),
                ("dump", lambda: dump(mock)),
                ("reset", lambda: mock.admin("POST", "reset", {})),
                ("restore", lambda: mock.admin("POST", "simulate", {"event": "restore", "name": "a"})),
            ):
                doing[0] = name
                body()
                doing[0] = None
        finally:
            ends.set()
            thread.join()
    longest.pop(None, None)
    print("  " + ", ".join(f"{name} {wait:.0f} ms" for name, wait in longest.items()),
          file=sys.stderr)
    return {"mock.longest_turn_ms_1m_records": max(longest.values())}


def dump(mock):
    """Reads the dump on a connection of its own, without decoding it."""
    connection = http.client.HTTPSConnection(
        mock.host, mock.port, context=mock.context, timeout=600)
    connection.request("GET", "/_mock/v1/dump?user=ann", headers=mock.authorization)
    answer = connection.getresponse()
    size = 0
    while piece := answer.read(1 << 16):
        size += len(piece)
    connection.close()
    if answer.status != 200 or size < 50_000_000:
        raise BenchError(f"dump: {answer.status}, {size} bytes")
