"""Clients that know nothing of cksweep, against `cksweep mock start`.

Run by scripts/clients, which installs what is needed here: the client library pyicloud, curl,
openssl and h2load. Prints `ok NAME` or `FAIL NAME: why` for each check; the exit status is 0
only when all are ok.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import requests
from pyicloud.common.cloudkit import models
from pyicloud.common.cloudkit.client import (
    CloudKitApiError,
    CloudKitAuthError,
    CloudKitContainerClient,
    CloudKitRateLimited,
)

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURE = ROOT / "Containers" / "fixtures" / "demo.json"
CONTAINER = "iCloud.com.example.myexampleapp"
DEFAULT_ZONE = "_defaultZone"
SECONDS_MAX = 60

checks = []


def check(function):
    """A function that is a check; its name says what of."""
    checks.append(function)
    return function


def expect(condition, text):
    if not condition:
        raise AssertionError(text)


class Server:
    """One `cksweep mock start`, in a folder of its own."""

    def __init__(self, cksweep, folder, *options):
        folder.mkdir()
        self.cksweep = cksweep
        self.folder = folder
        self.process = subprocess.Popen(
            [cksweep, "mock", "start", "--state", str(folder), *options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        expect(line.startswith("ready https://"), f"the server did not start: {line!r}")
        self.ready = json.loads((folder / "mock" / "ready.json").read_text())
        self.url = self.ready["url"]
        self.ca = self.ready["ca"]
        self.port = int(self.url.rsplit(":", 1)[1])

    def mock(self, *words):
        """An administrative verb; must succeed."""
        subprocess.run(
            [self.cksweep, "mock", *words, "--state", str(self.folder), "-q"], check=True,
            stdout=subprocess.DEVNULL, timeout=SECONDS_MAX)

    def client(self, user="ann", scope="private", token=None):
        """The third party's client for one database."""
        session = requests.Session()
        session.verify = self.ca
        parameters = {
            "ckAPIToken": self.ready["apiToken"],
            "ckWebAuthToken": token or self.ready["webTokens"][user],
            "remapEnums": "True",
            "getCurrentSyncToken": "True",
        }
        base = f"{self.url}/database/1/{CONTAINER}/development/{scope}"
        return CloudKitContainerClient(base, session, parameters)

    def stop(self):
        self.process.terminate()
        expect(self.process.wait(SECONDS_MAX) == 0, "the server did not end with 0")


class World:
    """What the checks share."""

    def __init__(self, cksweep, folder):
        self.cksweep = cksweep
        self.folder = folder
        self.server = Server(cksweep, folder / "one", "--seed", str(FIXTURE))
        self.other = Server(cksweep, folder / "two", "--name", "other.localhost")

    def stop(self):
        for server in (self.server, self.other):
            server.stop()


def run(*words, stdin="", **variables):
    """A program's status and all it printed."""
    done = subprocess.run(
        [str(word) for word in words], input=stdin, capture_output=True, text=True,
        timeout=SECONDS_MAX, env={**os.environ, **variables})
    return done.returncode, done.stdout + done.stderr


def zone_names(client):
    return {zone.zoneID.zoneName for zone in client.zones_list().zones}


# pyicloud


@check
def pyicloud_lists_zones(world):
    names = zone_names(world.server.client())
    expect(names >= {DEFAULT_ZONE, "Notes"}, f"zones: {names}")


@check
def pyicloud_reads_the_changes_of_a_database(world):
    changes = world.server.client().database_changes()
    names = {zone.zoneID.zoneName for zone in changes.zones}
    expect("Notes" in names and changes.syncToken, f"changes: {changes}")


@check
def pyicloud_reads_the_changes_of_a_zone(world):
    request = models.CKZoneChangesZoneReq(zoneID=models.CKZoneID(zoneName="Notes"))
    records = [
        record
        for zone in world.server.client().iter_changes(zone_req=request)
        for record in zone.records
    ]
    expect(len(records) >= 3, f"{len(records)} records")
    expect(all(isinstance(record, models.CKRecord) for record in records), f"{records}")


def profiles(client):
    reply = client.query(
        query=models.CKQueryObject(recordType="Profile"),
        zone_id=models.CKZoneIDReq(zoneName=DEFAULT_ZONE), results_limit=10)
    return [record.recordName for record in reply.records]


@check
def pyicloud_queries_and_looks_up_records(world):
    client = world.server.client()
    names = profiles(client)
    expect(names == ["profile-ann"], f"names: {names}")
    reply = client.lookup(
        record_names=[*names, "nobody"], zone_id=models.CKZoneIDReq(zoneName=DEFAULT_ZONE))
    kinds = [type(record).__name__ for record in reply.records]
    expect(kinds == ["CKRecord", "CKErrorItem"], f"kinds: {kinds}")


@check
def pyicloud_deletes_a_record(world):
    client = world.server.client()
    names = profiles(client)
    operation = models.CKModifyOperation(
        operationType="forceDelete",
        record=models.CKWriteRecord(recordName=names[0], recordType="Profile"))
    reply = client.modify(
        operations=[operation], zone_id=models.CKZoneIDReq(zoneName=DEFAULT_ZONE), atomic=False)
    expect(type(reply.records[0]).__name__ == "CKTombstoneRecord", f"{reply.records}")
    expect(profiles(client) == [], "the record is still there")


@check
def pyicloud_deletes_a_zone_of_one_user_only(world):
    client = world.server.client()
    reply = client.raw_post(
        "/zones/modify",
        {"operations": [
            {"operationType": "delete", "zone": {"zoneID": {"zoneName": "Notes"}}},
            {"operationType": "delete", "zone": {"zoneID": {"zoneName": "never there"}}},
        ]})
    first, second = reply["zones"]
    expect(first.get("deleted") is True, f"{first}")
    expect(second["serverErrorCode"] == "ZONE_NOT_FOUND", f"{second}")
    expect("Notes" not in zone_names(client), "the zone is still listed")
    expect("Notes" in zone_names(world.server.client("bob")), "another user's zone is gone")


@check
def pyicloud_is_told_to_wait(world):
    world.server.mock("faults", "zones/list times=1 -> THROTTLED retry=2s")
    client = world.server.client()
    try:
        client.zones_list()
        raise AssertionError("nothing was refused")
    except CloudKitRateLimited as error:
        expect(error.retry_after == 2.0, f"retry after {error.retry_after}")
    expect("_defaultZone" in zone_names(client), "the second request fails too")


@check
def pyicloud_is_turned_away_with_a_wrong_token(world):
    try:
        world.server.client(token="wrong").zones_list()
        raise AssertionError("a wrong token was accepted")
    except (CloudKitAuthError, CloudKitApiError) as error:
        expect(re.search("401|403|421", str(error)), str(error))


# TLS


@check
def openssl_speaks_tls_1_2_and_1_3_and_nothing_older(world):
    for option, wanted in (
        ("-tls1", False), ("-tls1_1", False), ("-tls1_2", True), ("-tls1_3", True),
    ):
        code, text = run(
            "openssl", "s_client", "-connect", f"localhost:{world.server.port}", option,
            "-cipher", "ALL:@SECLEVEL=0", "-CAfile", world.server.ca, "-verify_return_error",
            "-verify_hostname", "localhost", "-alpn", "h2,http/1.1")
        has_session = "Cipher is (NONE)" not in text and "Cipher is" in text
        expect(has_session == wanted, f"{option}: {text[-400:]}")
        if wanted:
            expect(code == 0 and "ALPN protocol: h2" in text, f"{option}: {text[-400:]}")
        else:
            expect("alert protocol version" in text, f"{option}: {text[-400:]}")


def curl(url, ca, *options):
    return run(
        "curl", "-sS", "--cacert", ca, "-o", os.devnull, "-w", "%{http_code} %{http_version}",
        *options, url)


@check
def curl_negotiates_http_2_and_http_1_1(world):
    url = f"{world.server.url}/_mock/v1/health"
    for option, version in (("--http2", "2"), ("--http1.1", "1.1")):
        code, text = curl(url, world.server.ca, option)
        expect(code == 0 and text == f"200 {version}", f"{option}: {code} {text}")


@check
def curl_refuses_a_wrong_authority_and_a_wrong_name(world):
    code, text = curl(f"{world.server.url}/_mock/v1/health", world.other.ca)
    expect(code == 60 and "certificate" in text, f"authority: {code} {text}")
    code, text = curl(f"https://localhost:{world.other.port}/", world.other.ca)
    expect(code == 60 and "localhost" in text, f"name: {code} {text}")
    code, text = curl(f"https://other.localhost:{world.other.port}/_mock/v1/health", world.other.ca)
    expect(code == 0, f"the right name: {code} {text}")


def cksweep_at(world, verb, server, url, ca):
    """Our own client, led to a server by the environment."""
    return run(
        world.cksweep, verb, "-c", ROOT / "Containers" / "example.json", "--state",
        world.folder / "runs",
        CLOUDKIT_EMULATOR_URL=url, CLOUDKIT_EMULATOR_CA=ca,
        CLOUDKIT_EMULATOR_API_TOKEN=server.ready["apiToken"],
        CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN=server.ready["webTokens"]["ann"])


@check
def cksweep_refuses_a_wrong_authority_and_a_wrong_name(world):
    one, other = world.server, world.other
    cases = (
        (one, one.url, other.ca, "is not trusted"),
        (other, f"https://localhost:{other.port}", other.ca, "another name than localhost"),
    )
    for server, url, ca, words in cases:
        for verb in ("plan", "doctor"):
            code, text = cksweep_at(world, verb, server, url, ca)
            expect(code == 4, f"{verb} at {url}: {code} {text}")
            expect("certificate" in text and words in text, f"{verb} at {url}: {text}")
    code, text = cksweep_at(world, "doctor", one, one.url, one.ca)
    expect(code == 0, f"the right ones: {code} {text}")


@check
def h2load_gets_every_answer(world):
    url = f"{world.server.url}/_mock/v1/health"
    for options, protocol in (([], "h2"), (["--h1"], "http/1.1")):
        code, text = run("h2load", "-n", "2000", "-c", "8", "-m", "8", *options, url)
        expect(code == 0 and f"Application protocol: {protocol}" in text, text)
        expect("2000 succeeded, 0 failed, 0 errored" in text, text)


def main():
    cksweep = str(pathlib.Path(sys.argv[1]).resolve())
    failed = 0
    with tempfile.TemporaryDirectory(prefix="cksweep-clients-") as folder:
        world = World(cksweep, pathlib.Path(folder))
        try:
            for function in checks:
                name = function.__name__.replace("_", " ")
                begin = time.monotonic()
                try:
                    function(world)
                    print(f"ok   {name} ({time.monotonic() - begin:.1f} s)", flush=True)
                except Exception as error:  # any failure of a check is its result
                    failed += 1
                    print(f"FAIL {name}: {type(error).__name__}: {error}", flush=True)
        finally:
            world.stop()
    print(f"{len(checks) - failed} of {len(checks)} checks are ok")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
