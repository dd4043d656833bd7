"""Runs schemathesis against a server: requests made of its OpenAPI document, whose answers must be as
the document says and none of them a failure of the server.

By itself, as scripts/fuzz calls it: schemathesis_run.py CKSWEEP SECONDS, for each part of
the server. CKSWEEP_SEED repeats a run.
"""

import enum
import json
import os
import pathlib
import random
import re
import ssl
import subprocess
import sys
import tempfile
import urllib.request

import common

CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance",
    "response_headers_conformance", "response_schema_conformance", "allow_header_conformance",
    "unsupported_method",
)
REQUEST_SECONDS_MAX = 20


class Part(enum.Enum):
    """What is tested of a server."""

    SERVICE = "service"
    ADMINISTRATION = "administration"

    @property
    def options(self):
        if self is Part.SERVICE:
            return ("--exclude-path-regex", "^/_mock/v1/")
        # The feed's answer has no end.
        return ("--include-path-regex", "^/_mock/v1/", "--exclude-path", "/_mock/v1/feed")


def chosen_seed():
    """The one that is asked for, or any."""
    return int(os.environ.get("CKSWEEP_SEED") or random.randrange(1 << 31))


def known(server):
    """Names of what the server holds, by the keys that take them."""
    users = list(server.ready["webTokens"])
    fixture = json.loads(common.FIXTURE.read_text())
    database = next(
        one for one in fixture["databases"]
        if one["container"] == common.CONTAINER and one["scope"] == "private")
    zones = [zone["name"] for zone in database["zones"]]
    records = [record for zone in database["zones"] for record in zone.get("records", [])]
    names = {
        "container": [common.CONTAINER], "environment": ["development"],
        "database": ["private", "private", "private", "public", "shared"],
        "user": users, "by": users, "zoneName": zones, "zone": zones,
        "recordName": [record["recordName"] for record in records],
        "recordType": sorted({record["recordType"] for record in records}),
        "fieldName": sorted({name for record in records for name in record.get("fields", {})}),
    }
    return {
        "apiToken": server.ready["apiToken"], "authorization": server.authorization,
        "webTokens": list(server.ready["webTokens"].values()), "names": names,
    }


def require_health(server):
    context = ssl.create_default_context(cafile=server.ca)
    with urllib.request.urlopen(f"{server.url}/_mock/v1/health", context=context) as answer:
        health = json.load(answer)
    common.expect(health["status"] == "ok", f"the server is not well: {health}")


def test(server, part, seed, examples, seconds=None):
    """A sentence on what was done; fails with what was found."""
    tools = pathlib.Path(os.environ["CKSWEEP_OPENAPI_TOOLS"])
    command = [
        tools / "bin" / "schemathesis", "run", f"{server.url}/_mock/v1/openapi.json",
        "--tls-verify", server.ca, *part.options, "--checks", ",".join(CHECKS),
        "--phases", "fuzzing" if seconds else "coverage,fuzzing", "--seed", seed,
        "--max-examples", examples, "--request-timeout", REQUEST_SECONDS_MAX,
        "--max-redirects", 0, "--continue-on-failure", "--no-color", "--warnings", "off",
    ]
    if seconds:
        command += ["--max-time", seconds]
    environment = {
        **os.environ, "SCHEMATHESIS_HOOKS": "openapi_hooks",
        "PYTHONPATH": str(pathlib.Path(__file__).parent), "PYTHONDONTWRITEBYTECODE": "1",
        "CKSWEEP_KNOWN": json.dumps(known(server)),
    }
    log = server.folder / "schemathesis.log"
    with open(log, "wb") as file:
        code = subprocess.run(
            [str(word) for word in command], stdout=file, stderr=subprocess.STDOUT,
            cwd=server.folder, env=environment, timeout=(seconds or 1200) + 600).returncode
    text = log.read_text(errors="replace")
    common.expect(server.process.poll() is None, f"the server has died\n{text[-4000:]}")
    common.expect(code == 0, f"schemathesis, seed {seed}, ended with {code}\n{text[-12000:]}")
    require_health(server)
    cases = re.search(r"([0-9,]+) generated", text)
    common.expect(cases, f"schemathesis does not say what it did\n{text[-2000:]}")
    return f"{cases[1]} requests, and every answer as the document says"


def main():
    cksweep = str(pathlib.Path(sys.argv[1]).resolve())
    seconds = int(sys.argv[2])
    seed = chosen_seed()
    print(f"CKSWEEP_SEED={seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="cksweep-openapi-") as folder:
        for part in Part:
            server = common.Server(
                common.mock_program(cksweep), pathlib.Path(folder) / part.value, "--seed", str(common.FIXTURE))
            try:
                said = test(server, part, seed, examples=1000, seconds=seconds)
            except BaseException:
                server.process.kill()
                server.process.wait()
                raise
            server.stop()
            print(f"{part.value}: {said}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(str(error))
