"""Saves, reads and deletes a note with CloudKit Web Services, using only Python's standard library.

    cloudkit-mock exec --any-container -- python3 notes.py
"""

import json
import os
import ssl
import urllib.error
import urllib.parse
import urllib.request

CONTAINER = "iCloud.com.example.notes"
ZONE = {"zoneName": "Notes"}

server = os.environ["CLOUDKIT_EMULATOR_URL"]
trust = ssl.create_default_context(cafile=os.environ["CLOUDKIT_EMULATOR_CA"])
tokens = {
    "ckAPIToken": os.environ["CLOUDKIT_EMULATOR_API_TOKEN"],
    "ckWebAuthToken": os.environ["CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN"],
}


def ask(path, body):
    """Sends one request to the user's private database."""
    url = f"{server}/database/1/{CONTAINER}/development/private/{path}"
    request = urllib.request.Request(
        f"{url}?{urllib.parse.urlencode(tokens)}", data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, context=trust, timeout=30) as answer:
        # Each response has the token for the next request.
        token = answer.headers.get("X-Apple-CloudKit-Web-Auth-Token")
        if token:
            tokens["ckWebAuthToken"] = token
        return json.load(answer)


def modify(kind, operation):
    """One change, which may be refused although the request succeeded."""
    place = {"zoneID": ZONE} if kind == "records" else {}
    answer = ask(f"{kind}/modify", {"operations": [operation], **place})[kind][0]
    if "serverErrorCode" in answer:
        raise SystemExit(f"{operation['operationType']}: {answer['serverErrorCode']}")
    return answer


def by_query(record_type):
    """The records of a type, from all pages: a page can be empty and still have a continuation marker."""
    body = {"zoneID": ZONE, "query": {"recordType": record_type}}
    while True:
        page = ask("records/query", body)
        yield from page["records"]
        if "continuationMarker" not in page:
            return
        body["continuationMarker"] = page["continuationMarker"]


def changes():
    """The records of the zone, from all pages of its feed. A real client stores the last syncToken for the next time."""
    zone = {"zoneID": ZONE}
    while True:
        page = ask("changes/zone", {"zones": [zone]})["zones"][0]
        yield from page["records"]
        zone["syncToken"] = page["syncToken"]
        if not page["moreComing"]:
            return


modify("zones", {"operationType": "create", "zone": {"zoneID": ZONE}})
note = modify("records", {"operationType": "create", "record": {
    "recordName": "milk", "recordType": "Note", "fields": {"title": {"value": "Buy milk"}}}})
print("saved:", note["recordName"], note["recordChangeTag"])
found = ask("records/lookup", {"zoneID": ZONE, "records": [{"recordName": "milk"}]})["records"][0]
print("found:", found["fields"]["title"]["value"])
names = [record["recordName"] for record in by_query("Note")] + [
    record["recordName"] for record in changes()]
if names != ["milk", "milk"]:
    raise SystemExit(f"the query and the changes have {names}")
modify("zones", {"operationType": "delete", "zone": {"zoneID": ZONE}})
names = [zone["zoneID"]["zoneName"] for zone in ask("zones/list", {})["zones"]]
print("left:", ", ".join(names))
if "Notes" in names:
    raise SystemExit("the zone still exists")
