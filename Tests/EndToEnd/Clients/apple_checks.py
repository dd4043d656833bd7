"""Programs that call Apple's host names, in the world of `cloudkit-mock exec --apple`."""

import json
import sys

from common import CONTAINER, FIXTURE, check, expect, run

PATH = f"/database/1/{CONTAINER}/development/private/zones/list"
HOST = "https://api.apple-cloudkit.com"

CURL = f"""
exec curl -sS --get {HOST}{PATH} --data-urlencode "ckAPIToken=$CLOUDKIT_EMULATOR_API_TOKEN" \\
    --data-urlencode "ckWebAuthToken=$CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN"
"""

PYTHON = f"""
import os, urllib.parse, urllib.request
query = urllib.parse.urlencode({{
    "ckAPIToken": os.environ["CLOUDKIT_EMULATOR_API_TOKEN"],
    "ckWebAuthToken": os.environ["CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN"]}})
print(urllib.request.urlopen("{HOST}{PATH}?" + query).read().decode())
"""

REQUESTS = f"""
import os, requests
print(requests.get("{HOST}{PATH}", params={{
    "ckAPIToken": os.environ["CLOUDKIT_EMULATOR_API_TOKEN"],
    "ckWebAuthToken": os.environ["CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN"]}}).text)
"""

NODE = f"""
const query = new URLSearchParams({{
    ckAPIToken: process.env.CLOUDKIT_EMULATOR_API_TOKEN,
    ckWebAuthToken: process.env.CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN}});
fetch("{HOST}{PATH}?" + query).then((answer) => answer.text()).then(console.log);
"""


def zones_seen_by(world, *program):
    """The zones that a program is told of which knows nothing but Apple's host."""
    code, text = run(
        world.mock, "exec", "--apple", "-q", "--seed", FIXTURE, "--as", "ann", "--", *program)
    expect(code == 0, f"{code} {text}")
    return {zone["zoneID"]["zoneName"] for zone in json.loads(text)["zones"]}


@check
def curl_python_and_node_take_the_mock_server_for_apples(world):
    programs = (
        ("/bin/sh", "-c", CURL),
        ("/usr/bin/python3", "-c", PYTHON),
        (sys.executable, "-c", REQUESTS),
        ("/usr/bin/node", "-e", NODE),
    )
    for program in programs:
        names = zones_seen_by(world, *program)
        expect("Notes" in names, f"{program[0]}: {names}")


@check
def apples_names_lead_elsewhere_again_afterwards(world):
    before = open("/etc/hosts", encoding="utf-8").read()
    code, text = run(
        world.mock, "exec", "--apple", "-q", "--",
        "/bin/sh", "-c", "cat /etc/hosts; exit 7")
    expect(code == 7 and "api.apple-cloudkit.com" in text, f"{code} {text}")
    expect(open("/etc/hosts", encoding="utf-8").read() == before, "the hosts file has changed")
