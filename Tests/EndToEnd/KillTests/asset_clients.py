"""Clients that make a server of assets hold on to things; prints what came of it as JSON.

    asset_clients.py parallel READY FOLDER    many uploads end while the disk takes nothing, and a
                                              fixture with a short file is loaded
    asset_clients.py stalled READY            many downloads and uploads that do not go on
    asset_clients.py late READY               an upload that begins before its address expires

READY is the ready file of a server; while FOLDER holds a file "armed", its disk takes
nothing but short files.
"""

import http.client
import json
import os
import sys
import urllib.parse

import connecting
from connecting import frame

ZONE = {"zoneName": "Notes"}
FILE = os.urandom(4 << 20)
# Clients that do not go on are cut after one or two times of 30 seconds; others may wait for that.
POLITE_SECONDS_MAX = 180
FIXTURE = {
    "version": 1, "shows": "A record with a file.", "users": ["ada"],
    "databases": [{
        "container": "iCloud.com.example.kill", "user": "ada",
        "zones": [{"name": "Notes", "records": [{
            "recordName": "seeded", "recordType": "Note",
            "fields": {"photo": {"value": {"base64": "SGk="}}}}]}]}]}


class Server:
    def __init__(self, ready):
        with open(ready, encoding="utf-8") as file:
            facts = json.load(file)
        self.port, self.ca, self.pid = facts["port"], facts["ca"], facts["pid"]
        self.authorization = {"Authorization": f"Bearer {facts['adminToken']}"}
        self.base = len(facts["url"])
        self.query = urllib.parse.urlencode({
            "ckAPIToken": facts["apiToken"], "ckWebAuthToken": facts["webTokens"]["ada"]})
        self.http = None
        self.ask("zones/modify", {"operations": [
            {"operationType": "create", "zone": {"zoneID": ZONE}}]})

    def connect(self, protocol="http/1.1", receive_bytes=None):
        return connecting.connect(
            self.port, connecting.tls(self.ca, protocol), receive_bytes, seconds_max=60)

    def send(self, method, path, body=None, headers=None):
        """The answer's status and body."""
        if self.http is None:
            self.http = http.client.HTTPSConnection(
                "localhost", self.port, timeout=POLITE_SECONDS_MAX,
                context=connecting.tls(self.ca))
        self.http.request(method, path, body, headers or {})
        answer = self.http.getresponse()
        return answer.status, answer.read()

    def ask(self, operation, body):
        path = (f"/database/1/iCloud.com.example.kill/development/private/{operation}"
                f"?{self.query}")
        status, answer = self.send("POST", path, json.dumps(body))
        if status != 200:
            raise SystemExit(f"{operation}: {status} {answer[:300]}")
        return json.loads(answer)

    def admin(self, method, path, body=None):
        status, answer = self.send(method, "/_mock/v1/" + path, body, self.authorization)
        if status != 200:
            raise SystemExit(f"{path}: {status} {answer[:300]}")

    def upload_paths(self, count, record="a"):
        token = {"recordType": "Note", "fieldName": "photo", "recordName": record}
        answer = self.ask("assets/upload", {"zoneID": ZONE, "tokens": [token] * count})
        return [item["url"][self.base:] for item in answer["tokens"]]

    def attach(self, record):
        """The path that a new asset is had from."""
        status, answer = self.send("POST", self.upload_paths(1, record)[0], FILE)
        if status != 200:
            raise SystemExit(f"upload: {status} {answer[:300]}")
        value = json.loads(answer)["singleFile"]
        saved = self.ask("records/modify", {"zoneID": ZONE, "operations": [
            {"operationType": "forceReplace", "record": {
                "recordName": record, "recordType": "Note",
                "fields": {"photo": {"value": value}}}}]})
        return saved["records"][0]["fields"]["photo"]["value"]["downloadURL"][self.base:]

    def resident_mib(self):
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024

    def open_files(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))


class Uploads:
    """Uploads on one HTTP/2 connection, which reads only what lets it send."""

    def __init__(self, server):
        self.socket = server.connect("h2")
        self.window, self.received, self.next = 65_535, b"", 1
        self.socket.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0))

    def begin(self, path):
        stream, self.next = self.next, self.next + 2
        path = path.encode()
        self.socket.sendall(frame(
            1, 4, stream, b"\x83\x87\x04" + bytes([len(path)]) + path + b"\x01\x09localhost"))
        return stream

    def send(self, stream, count, ends=False):
        """Sends no more than what the stream's window has room for."""
        while count > 0:
            size = min(count, 16_384)
            while self.window < size:
                self.read()
            self.window -= size
            count -= size
            self.socket.sendall(
                frame(0, 1 if ends and count == 0 else 0, stream, b"x" * size))

    def read(self):
        self.received += self.socket.recv(65_536)
        while len(self.received) >= 9:
            size = int.from_bytes(self.received[:3], "big")
            if len(self.received) < 9 + size:
                return
            kind, flags = self.received[3:5]
            stream = int.from_bytes(self.received[5:9], "big")
            payload = self.received[9:9 + size]
            self.received = self.received[9 + size:]
            if kind == 8 and stream == 0:
                self.window += int.from_bytes(payload, "big")
            elif kind == 4 and not flags & 1:
                self.socket.sendall(frame(4, 1, 0))
            elif kind == 6 and not flags & 1:
                self.socket.sendall(frame(6, 1, 0, payload))


def parallel(server, folder):
    paths = server.upload_paths(200)
    armed = os.path.join(folder, "armed")
    server.attach("first")
    empty, peak = server.resident_mib(), 0
    with open(armed, "wb"):
        pass
    clients = []
    for _ in range(20):
        client = Uploads(server)
        clients.append(client)
        for number in range(200):
            client.send(client.begin(paths[number]), 60_000, ends=True)
        server.admin("GET", "health")
        peak = max(peak, server.resident_mib())
    # A fixture's file is not behind those that wait for the disk.
    server.admin("POST", "seed", json.dumps(FIXTURE))
    for client in clients:
        client.socket.close()
    os.remove(armed)
    # Some of the others may be on their way still.
    for _ in range(1000):
        status, _ = server.send("POST", server.upload_paths(1)[0], FILE)
        if status != 503:
            break
    return {"peak_above_empty_mib": round(peak - empty), "polite": status}


def stalled(server):
    path = server.attach("a")
    before, held = server.open_files(), []
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    for _ in range(5):
        client = server.connect(receive_bytes=4096)
        client.sendall(request * 64)
        client.recv(1)
        held.append(client)
    downloads = server.open_files() - before
    client = Uploads(server)
    streams = [client.begin(path) for path in server.upload_paths(200)]
    for _ in range(2):
        for stream in streams:
            client.send(stream, 60_000)
    server.admin("GET", "health")
    uploads = server.open_files() - before - downloads
    server.attach("b")
    status, body = server.send("GET", path)
    return {"downloads": downloads, "uploads": uploads, "polite": status,
            "whole": body == FILE}


def late(server):
    path = server.upload_paths(1)[0]
    client = server.connect()
    client.sendall((f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
                    "Expect: 100-continue\r\n\r\n").encode())
    begun = client.recv(1000).startswith(b"HTTP/1.1 100")
    server.admin("POST", "clock/advance", '{"seconds":900}')
    # Between requests it forgets what has expired.
    for _ in range(50):
        server.admin("GET", "health")
    refused, _ = server.send("POST", path, b"later")
    client.sendall(b"photo")
    taken = client.recv(1000)
    return {"begun": begun, "later": refused, "status": int(taken.split()[1])}


def main():
    scenario, server = sys.argv[1], Server(sys.argv[2])
    print(json.dumps({"parallel": parallel, "stalled": stalled, "late": late}[scenario](
        server, *sys.argv[3:])))


main()
