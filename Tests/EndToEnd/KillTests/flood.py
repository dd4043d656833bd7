"""Holds a mock server's sockets against it in every way at once, and prints what came of it as JSON.

    flood.py CKSWEEP FOLDER IDLE READERS WRITERS SECONDS

IDLE clients do nothing, READERS take long answers slowly or not at all, WRITERS send long bodies
slowly or never to their end, and six more threads flood. Beside them a polite client asks for its
zones; it is a process of its own, and so is the server.
"""

import http.client
import json
import multiprocessing
import os
import random
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse

import connecting
from connecting import frame

ANSWER_BYTES = 8_000_000
PAUSE = 0.01


class Server:
    def __init__(self, program, folder):
        ready = os.path.join(folder, "ready.json")
        self.process = subprocess.Popen(
            [program, "mock", "serve", "--state", folder, "--ready-file", ready],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if not self.process.stdout.readline().startswith("ready "):
            raise SystemExit("the mock server did not start")
        with open(ready, encoding="utf-8") as file:
            facts = json.load(file)
        self.port, self.ca = facts["port"], facts["ca"]
        self.query = urllib.parse.urlencode({
            "ckAPIToken": facts["apiToken"], "ckWebAuthToken": facts["webTokens"]["ann"]})

    def path(self, operation):
        container = "iCloud.com.example.myexampleapp"
        return f"/database/1/{container}/development/private/{operation}?{self.query}"

    def resident_mib(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024

    def context(self, *protocols):
        return connecting.tls(self.ca, *protocols)

    def connect(self, context, receive_bytes=None):
        return connecting.connect(self.port, context, receive_bytes)


def head(server, operation, length):
    return (f"POST {server.path(operation)} HTTP/1.1\r\nHost: localhost\r\n"
            f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n").encode()


def lookup(names):
    return json.dumps({"records": [{"recordName": name} for name in names]}).encode()


NAMES = [f"large-{number}" for number in range(9)]


def seed(server):
    """Records that together make one long answer."""
    connection = http.client.HTTPSConnection("localhost", server.port, context=server.context())
    for name in NAMES:
        record = {"recordName": name, "recordType": "Article", "fields": {
            "body": {"value": "x" * (ANSWER_BYTES // len(NAMES))}}}
        body = json.dumps({"operations": [{"operationType": "forceUpdate", "record": record}]})
        connection.request("POST", server.path("records/modify"), body)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200 or b"serverErrorCode" in text:
            raise SystemExit(f"no record could be made: {answer.status} {text[:300]}")
    connection.request("POST", server.path("records/lookup"), lookup(NAMES))
    length = len(connection.getresponse().read())
    if length < ANSWER_BYTES:
        raise SystemExit(f"the long answer has only {length} bytes")


# The clients that must not matter. Each function runs in a thread until `over` is set.


def slow_readers(server, over, count):
    """A third takes nothing, a third 64 bytes now and then, a third 20 KB a second."""
    context, body = server.context(), lookup(NAMES)
    clients = []
    while not over.is_set():
        for index, client in enumerate(clients):
            try:
                if index % 3 == 1:
                    client.recv(64)
                elif index % 3 == 2:
                    client.recv(20_000)
            except (BlockingIOError, ssl.SSLWantReadError):
                pass
            except OSError:
                clients[index] = None
        clients = [client for client in clients if client]
        while len(clients) < count and not over.is_set():
            try:
                client = server.connect(context, receive_bytes=8192)
                client.sendall(head(server, "records/lookup", len(body)) + body)
                client.setblocking(False)
                clients.append(client)
            except OSError:
                break
        over.wait(1)


def slow_writers(server, over, count):
    """Half of them send nearly all of a body at once and then little, half little from the start."""
    context = server.context()
    clients = []
    while not over.is_set():
        for index, client in enumerate(clients):
            try:
                client.send(b"x" * 1500)
            except (BlockingIOError, ssl.SSLWantWriteError):
                pass
            except OSError:
                clients[index] = None
        clients = [client for client in clients if client]
        while len(clients) < count and not over.is_set():
            try:
                client = server.connect(context)
                client.settimeout(2)
                client.sendall(head(server, "records/modify", 2_000_000))
                client.sendall(b"x" * (1_900_000 if len(clients) % 2 else 2_000))
                client.setblocking(False)
                clients.append(client)
            except OSError:
                break
        over.wait(1)


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0)
GET = b"\x82\x87\x84\x01\x01a"  # GET, https, /, :authority a


def rapid_reset():
    return PREFACE + b"".join(
        frame(1, 5, stream, GET) + frame(3, 0, stream, b"\0\0\0\x08")
        for stream in range(1, 4001, 2))


def continuation():
    return PREFACE + frame(1, 1, 1, GET) + frame(9, 0, 1, b"\x00\x01a\x01b" * 3000) * 200


def header_bomb():
    """A field of 4,000 bytes in the dynamic table, named over and over."""
    field = b"\x40\x01a\x7f\xa1\x1e" + b"b" * 4000
    block = GET + field + b"\xbe" * 8000
    return PREFACE + b"".join(frame(1, 4, stream, block) for stream in range(1, 401, 2))


def priority():
    return PREFACE + b"".join(
        frame(2, 0, random.randrange(1, 1 << 31) | 1, b"\0\0\0\0\x10") for _ in range(20_000))


def settings():
    return PREFACE + frame(4, 0, 0) * 20_000


def flood(server, over, burst, protocol):
    """Connects, sends all, reads nothing, and comes again."""
    context = server.context(protocol)
    while not over.is_set():
        try:
            client = server.connect(context)
            client.settimeout(1)
            client.sendall(burst)
            over.wait(0.2)
        except OSError:
            pass
        finally:
            over.wait(PAUSE)


def opponents(port_facts, idle, readers, writers, over, go, ready):
    server = object.__new__(Server)
    server.__dict__.update(port_facts)
    context = server.context()
    held = [None] * idle

    def connect_idle(start):
        for index in range(start, idle, 4):
            try:
                held[index] = server.connect(context)
            except OSError:
                pass

    threads = [threading.Thread(target=connect_idle, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ready.put(sum(client is not None for client in held))
    go.wait()
    body = lookup(NAMES[:1])
    pipelined = (head(server, "records/lookup", len(body)) + body) * 64
    jobs = [(slow_readers, readers), (slow_writers, writers)]
    threads = [threading.Thread(target=job, args=(server, over, count)) for job, count in jobs]
    threads += [
        threading.Thread(target=flood, args=(server, over, burst, protocol))
        for burst, protocol in [
            (rapid_reset(), "h2"), (continuation(), "h2"), (header_bomb(), "h2"),
            (priority(), "h2"), (settings(), "h2"), (pipelined, "http/1.1")]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def polite(server, seconds, sample):
    """Milliseconds of each request that was answered, and how many were not."""
    times, failed = [], 0
    connection = None
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        begin = time.monotonic()
        try:
            if connection is None:
                connection = http.client.HTTPSConnection(
                    "localhost", server.port, context=server.context(), timeout=20)
            connection.request("POST", server.path("zones/list"), b"{}")
            answer = connection.getresponse()
            answer.read()
            if answer.status == 200:
                times.append((time.monotonic() - begin) * 1000)
            else:
                failed += 1
        except OSError:
            failed += 1
            connection = None
        sample()
        time.sleep(PAUSE)
    times.sort()
    return times, failed


def quantile(times, part):
    return round(times[min(len(times) - 1, int(len(times) * part))], 2) if times else None


def main():
    program, folder = sys.argv[1:3]
    idle, readers, writers, seconds = (int(word) for word in sys.argv[3:])
    server = Server(program, folder)
    try:
        seed(server)
        empty = server.resident_mib()
        over, go = multiprocessing.Event(), multiprocessing.Event()
        ready = multiprocessing.Queue()
        facts = {key: value for key, value in server.__dict__.items() if key != "process"}
        quiet, quiet_failed = polite(server, min(seconds, 10), lambda: None)
        enemy = multiprocessing.Process(
            target=opponents, args=(facts, idle, readers, writers, over, go, ready))
        enemy.start()
        connected = ready.get(timeout=300)
        calm = server.resident_mib()
        peak = [calm]
        go.set()
        loud, loud_failed = polite(
            server, seconds, lambda: peak.append(server.resident_mib()))
        over.set()
        enemy.join(60)
        if enemy.is_alive():
            enemy.kill()
        print(json.dumps({
            "idle_connections": connected, "empty_mib": round(empty), "idle_mib": round(calm),
            "peak_above_idle_mib": round(max(peak) - calm), "quiet_answered": len(quiet),
            "answered": len(loud), "failed": quiet_failed + loud_failed,
            "quiet_p99_ms": quantile(quiet, 0.99), "loud_p99_ms": quantile(loud, 0.99),
            "quiet_p50_ms": quantile(quiet, 0.5), "loud_p50_ms": quantile(loud, 0.5),
            "lives": server.process.poll() is None}))
    finally:
        server.process.kill()
        server.process.wait()


main()
