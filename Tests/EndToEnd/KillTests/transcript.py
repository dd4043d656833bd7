"""Asks a mock server of its own for things at random, and prints a line for each answer.

    transcript.py CKSWEEP FOLDER REQUESTS SEED

The same seed asks for the same, as far as the answers are the same: what a request names comes from
answers before it. Each line has the number of the request, what was asked, the status, and a digest
of all header fields and the body. Where the server listens is left out of it.
"""

import hashlib
import http.client
import json
import os
import random
import ssl
import subprocess
import sys
import urllib.parse

CONTAINER = "iCloud.com.example.myexampleapp"
START = 1_768_465_800_000
USERS = ("ann", "bob")
ZONES = ("Notes", "Books", "Trips")
TYPES = ("Note", "Book")
TEXTS = ("", "a", "milk", "é", "a longer text " * 20)


class Server:
    def __init__(self, program, folder):
        os.makedirs(folder)
        ready = os.path.join(folder, "ready.json")
        self.process = subprocess.Popen(
            [program, "mock", "serve", "--state", folder, "--ready-file", ready,
             "--random-seed", "7", "--container", CONTAINER],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if not self.process.stdout.readline().startswith("ready "):
            self.process.kill()
            self.process.wait()
            raise SystemExit("the mock server did not start")
        with open(ready, encoding="utf-8") as file:
            self.facts = json.load(file)
        self.port = self.facts["port"]
        self.connection = http.client.HTTPSConnection(
            "localhost", self.port, timeout=60,
            context=ssl.create_default_context(cafile=self.facts["ca"]))

    def send(self, method, target, body=None):
        """The answer's status, header fields and body."""
        self.connection.request(method, target, body)
        answer = self.connection.getresponse()
        return answer.status, answer.getheaders(), answer.read()

    def administer(self, method, path, body):
        """The answer of the administration."""
        self.connection.request(
            method, "/_mock/v1/" + path, json.dumps(body),
            {"Authorization": f"Bearer {self.facts['adminToken']}"})
        return self.connection.getresponse().read()

    def stop(self):
        self.connection.close()
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


class Client:
    """One person's requests, and what the answers told."""

    def __init__(self, server, user, choose):
        self.server, self.user, self.choose = server, user, choose
        # Of after the clock was stopped: a token tells when its user signed in.
        self.token = json.loads(
            server.administer("POST", "tokens", {"user": user}))["webToken"]
        self.records, self.tokens, self.markers = {}, {}, {}
        self.receipts, self.downloads, self.uploads = [], [], []

    def ask(self, path, body=None, scope="private"):
        """Sends a request of the service; says what was asked and what came back."""
        query = urllib.parse.urlencode(
            {"ckAPIToken": self.server.facts["apiToken"], "ckWebAuthToken": self.token})
        target = f"/database/1/{CONTAINER}/development/{scope}/{path}?{query}"
        answer = self.server.send(
            "POST" if body is not None else "GET", target,
            None if body is None else json.dumps(body))
        for name, value in answer[1]:
            if name.lower() == "x-apple-cloudkit-web-auth-token":
                self.token = value
        try:
            facts = json.loads(answer[2])
        except ValueError:
            facts = {}
        self.learn(facts, scope)
        return f"{self.user} {scope}/{path}", answer, facts

    def learn(self, facts, scope):
        for record in facts.get("records", []):
            if "recordChangeTag" in record:
                zone = record.get("zoneID", {}).get("zoneName")
                self.records[(scope, zone, record["recordName"])] = record["recordChangeTag"]
                for field in record.get("fields", {}).values():
                    if isinstance(field.get("value"), dict) and "downloadURL" in field["value"]:
                        self.downloads = (self.downloads + [field["value"]["downloadURL"]])[-20:]
            if record.get("shortGUID"):
                GUIDS.append(record["shortGUID"])
        for token in facts.get("tokens", []):
            if "url" in token:
                self.uploads.append(token)

    # The kinds of request.

    def zone(self):
        return {"zoneName": self.choose(ZONES)}

    def save_zone(self):
        kind = self.choose(("create", "create", "create", "delete"))
        return self.ask(
            "zones/modify", {"operations": [{"operationType": kind, "zone": {"zoneID": self.zone()}}]})

    def list_zones(self):
        return self.ask("zones/list", {}, self.choose(("private", "shared")))

    def change(self):
        zone, operations = self.zone(), []
        for _ in range(self.choose((1, 1, 2, 5))):
            name = f"r{self.choose(range(12))}"
            kind = self.choose(("create", "update", "forceUpdate", "forceReplace", "delete"))
            record = {"recordName": name, "recordType": self.choose(TYPES)}
            tag = self.records.get(("private", zone["zoneName"], name))
            if kind in ("update", "delete"):
                record["recordChangeTag"] = tag or "1"
            if kind != "delete":
                record["fields"] = {
                    "text": {"value": self.choose(TEXTS), "type": "STRING"},
                    "number": {"value": self.choose(range(9)), "type": "INT64"},
                }
                if self.receipts and self.choose((True, False)):
                    record["fields"]["file"] = {
                        "value": self.choose(self.receipts), "type": "ASSETID"}
                if self.choose((True, False, False)):
                    record["parent"] = {"recordName": f"r{self.choose(range(12))}"}
            operations.append({"operationType": kind, "record": record})
        return self.ask(
            "records/modify",
            {"zoneID": zone, "operations": operations, "atomic": self.choose((True, False))})

    def share(self):
        zone = self.zone()
        root = f"r{self.choose(range(12))}"
        share = {"recordName": f"share-{root}", "recordType": "cloudkit.share",
                 "forRecord": {"recordName": root, "recordChangeTag": self.records.get(
                     ("private", zone["zoneName"], root), "1")}}
        if self.choose((True, False)):
            share = {"recordName": "cloudkit.zoneshare", "recordType": "cloudkit.share"}
        share["publicPermission"] = self.choose(("NONE", "READ_ONLY", "READ_WRITE"))
        return self.ask(
            "records/modify",
            {"zoneID": zone, "operations": [{"operationType": "create", "record": share}]})

    def accept(self):
        guid = self.choose(GUIDS) if GUIDS else "nobody"
        return self.ask(
            self.choose(("records/resolve", "records/accept")), {"shortGUIDs": [{"value": guid}]},
            "public")

    def query(self):
        zone = self.zone()
        kind = self.choose(TYPES)
        body = {"zoneID": zone, "resultsLimit": 3, "query": {"recordType": kind}}
        marker = self.markers.pop((zone["zoneName"], kind), None)
        if marker:
            body["continuationMarker"] = marker
        asked, answer, facts = self.ask("records/query", body)
        if "continuationMarker" in facts:
            self.markers[(zone["zoneName"], kind)] = facts["continuationMarker"]
        return asked, answer, facts

    def changes(self):
        zone = self.zone()
        request = {"zoneID": zone, "resultsLimit": 5}
        if zone["zoneName"] in self.tokens:
            request["syncToken"] = self.tokens[zone["zoneName"]]
        asked, answer, facts = self.ask("changes/zone", {"zones": [request]})
        for item in facts.get("zones", []):
            if "syncToken" in item:
                self.tokens[zone["zoneName"]] = item["syncToken"]
        return asked, answer, facts

    def database_changes(self):
        return self.ask("changes/database", {}, self.choose(("private", "shared")))

    def reserve(self):
        return self.ask("assets/upload", {
            "zoneID": self.zone(),
            "tokens": [{"recordType": self.choose(TYPES), "fieldName": "file",
                        "recordName": f"r{self.choose(range(12))}"}]})

    def upload(self):
        if not self.uploads:
            return self.reserve()
        address = urllib.parse.urlsplit(self.uploads.pop(0)["url"])
        content = bytes([self.choose(range(256))]) * self.choose((0, 1, 70_000))
        answer = self.server.send("POST", f"{address.path}?{address.query}", content)
        receipt = json.loads(answer[2]).get("singleFile")
        if receipt:
            self.receipts = (self.receipts + [receipt])[-5:]
        return "upload", answer, {}

    def download(self):
        if not self.downloads:
            return self.change()
        address = urllib.parse.urlsplit(self.choose(self.downloads).replace("${f}", "file"))
        return "download", self.server.send("GET", f"{address.path}?{address.query}"), {}

    def subscribe(self):
        kind = self.choose(("create", "delete"))
        subscription = {"subscriptionID": f"s{self.choose(range(3))}"}
        if kind == "create":
            subscription.update(subscriptionType="zone", zoneID=self.zone())
        return self.ask(
            "subscriptions/modify",
            {"operations": [{"operationType": kind, "subscription": subscription}]})

    def person(self):
        return self.choose((
            lambda: self.ask("users/caller", scope="public"),
            lambda: self.ask("users/current", scope="public"),
            lambda: self.ask(
                "users/discover",
                {"lookupInfos": [{"emailAddress": f"{self.choose(USERS)}@example.com"}]}, "public"),
            lambda: self.ask("tokens/create", {"apnsEnvironment": "development"}),
        ))()


GUIDS = []
KINDS = (
    [Client.change] * 8 + [Client.save_zone] * 2 + [Client.changes] * 3 + [Client.query] * 3
    + [Client.share] * 2 + [Client.accept] * 2 + [Client.reserve, Client.download] * 1
    + [Client.upload] * 2
    + [Client.list_zones, Client.database_changes, Client.subscribe, Client.person]
)


def main():
    program, folder, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    generator = random.Random(seed)
    server = Server(program, folder)
    try:
        server.administer("PUT", "clock", {"mode": "frozen", "milliseconds": START})
        clients = [Client(server, user, generator.choice) for user in USERS]
        for number in range(count):
            step = generator.choice((0, 1, 50, 5_000))
            server.administer("POST", "clock/advance", {"milliseconds": step})
            asked, (status, fields, body), _ = generator.choice(KINDS)(generator.choice(clients))
            text = json.dumps(sorted(fields)).encode() + b"\n" + body
            text = text.replace(f":{server.port}".encode(), b"")
            if os.environ.get("CKSWEEP_TRANSCRIPT"):
                with open(os.environ["CKSWEEP_TRANSCRIPT"], "ab") as file:
                    file.write(f"{number} {asked} {status} ".encode() + text + b"\n")
            print(number, asked, status, hashlib.sha256(text).hexdigest(), flush=True)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
