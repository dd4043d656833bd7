"""“Make this a fault” and “Copy as curl”: what they say does what the request did."""

import contextlib
import shlex

import requests
from common import CONTAINER, SECONDS_MAX, check, expect, run
from console_page import ask, console
from pyicloud.exceptions import PyiCloudException

# Calls a function of a module of the page.
CALL = r"""
const [file, name, words, done] = arguments;
import(`/_mock/console/${file}`)
  .then(async (module) => {
    const { Life } = await import("/_mock/console/life.js");
    done(await module[name](...words, new Life()));
  })
  .catch((error) => done(`failed: ${error}`));
"""


def call(page, file, name, *words):
    return page.driver.execute_async_script(CALL, file, name, list(words))


def last(server):
    """The newest request in the journal."""
    return ask(server, "GET", "journal?last=1")["entries"][0]


@check
def console_makes_faults_that_fire_on_the_same_request(world):
    odd = 'He said "no"  twice, #1'
    zone = {"zoneName": odd}
    with console(world, "faults") as page:
        page.open()
        server = page.server
        ask(server, "DELETE", "faults")
        client, shared = server.client("ann"), server.client("ann", "public")
        client.raw_post("/zones/modify", {"operations": [
            {"operationType": "create", "zone": {"zoneID": zone}}]})
        asked = [
            (client, "/records/changes", {"zoneID": {"zoneName": "Garden"}}),
            (client, "/records/query", {"zoneID": zone, "query": {"recordType": "Note"}}),
            (shared, "/records/query", {"query": {"recordType": "Note"}}),
            (shared, "/records/query", {"zoneID": {"zoneName": "Elsewhere"},
                                        "query": {"recordType": "Note"}}),
            (client, "/records/modify", {"zoneID": {"zoneName": "Garden"}, "operations": [
                {"operationType": "create",
                 "record": {"recordName": "rose", "recordType": "Plant"}}]}),
            (client, "/tokens/create", {"apnsEnvironment": "development"}),
        ]

        def attempt(one, path, body):
            with contextlib.suppress(PyiCloudException):
                one.raw_post(path, body)

        for one, path, body in asked:
            attempt(one, path, body)
            rule = call(page, "repeat.js", "ruleText", last(server))
            identifier = ask(server, "POST", "faults", {"rules": [rule]})["rules"][-1]["id"]
            attempt(one, path, body)
            expect(last(server)["faults"] == [identifier], f"{path}: {rule} did not fire")
            ask(server, "DELETE", "faults")


@check
def console_copies_commands_that_ask_the_same(world):
    with console(world, "curl") as page:
        page.open()
        server = page.server
        lines = run(server.program, "env", "--state", server.folder)[1]
        variables = dict(
            shlex.split(line)[1].split("=", 1) for line in lines.splitlines()
            if line.startswith("export "))
        client = server.client("ann")
        file = server.folder / "FILE"
        file.write_text("a file")

        def repeat(**more):
            """Runs the command for the newest request, and expects one like it."""
            before = last(server)
            command = call(page, "repeat.js", "curl", before)
            status, output = run("sh", "-c", f"cd {server.folder}; {command}", **variables, **more)
            expect(status == 0, f"{command}\n{output}")
            after = last(server)
            expect(after["number"] > before["number"], f"{command} asked nothing\n{output}")
            # Its body has words to be filled in, so it may find nothing.
            expect(after["status"] in (before["status"], 404), f"{command}: {after}")
            for key in ["operation", "method", "container", "environment", "scope", "user"]:
                expect(before.get(key) == after.get(key), f"{key} of {command}: {before} {after}")

        client.raw_post("/records/query", {
            "zoneID": {"zoneName": "Garden"}, "query": {"recordType": "Leaf"}})
        repeat()
        client.raw_post("/records/changes", {"zoneID": {"zoneName": "Garden"}})
        repeat()
        client.raw_post("/zones/list", {})
        repeat()
        upload = client.raw_post("/assets/upload", {"zoneID": {"zoneName": "Garden"}, "tokens": [
            {"recordType": "Plant", "fieldName": "photo", "recordName": "rose"}]})
        url = upload["tokens"][0]["url"]
        requests.post(url, data=file.read_bytes(), verify=server.ca, timeout=SECONDS_MAX)
        repeat(UPLOAD_URL=url)
        rose = ask(server, "GET", f"record?user=ann&container={CONTAINER}&zone=Garden&name=rose")
        url = rose["record"]["fields"]["photo"]["value"]["downloadURL"]
        requests.get(url, verify=server.ca, timeout=SECONDS_MAX)
        repeat(DOWNLOAD_URL=url)
        expect(file.read_bytes().startswith(b"\x89PNG"), "not the file was fetched")
