"""The servers that a benchmark starts and stops, each pinned to a core."""

import http.client
import json
import os
import shutil
import signal
import ssl
import subprocess
import tempfile
import time

SERVER_CORE, GENERATOR_CORE = "0", "1"


class BenchError(Exception):
    """Why a figure could not be measured, for people."""


def pinned(core, *command):
    """The command that runs `command` on one core."""
    return ["taskset", "-c", core, *command]


def wait_for(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise BenchError(f"{what} did not come within {seconds} s")
        time.sleep(0.005)


class MockServer:
    """`cloudkit-mock serve` in a state folder of its own."""

    def __init__(self, binary, *options, durable=False, core=SERVER_CORE):
        self.folder = tempfile.mkdtemp(prefix="cksweep-bench-")
        ready = os.path.join(self.folder, "ready.json")
        store = ["--store", os.path.join(self.folder, "store")] if durable else []
        started = time.monotonic()
        self.process = subprocess.Popen(
            pinned(core, binary, "serve", "--any-container", "--port", "0", "--ready-file", ready,
                   "--state", os.path.join(self.folder, "state"), *store, *options),
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        self.ready_ms = (time.monotonic() - started) * 1000
        if not line.startswith("ready "):
            self.process.kill()
            self.process.wait()
            raise BenchError(f"the mock server did not start: {line!r}")
        with open(ready, encoding="utf-8") as file:
            self.ready = json.load(file)
        self.url, self.ca = self.ready["url"], self.ready["ca"]
        self.authorization = {"Authorization": f"Bearer {self.ready['adminToken']}"}
        self.host, port = self.url.removeprefix("https://").split(":")
        self.port = int(port)
        self.context = ssl.create_default_context(cafile=self.ca)
        self.connection = None
        self.used = time.monotonic()

    def disconnect(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def request(self, method, path, body=None, headers=None):
        """One request on a kept connection: status and decoded answer."""
        if time.monotonic() - self.used > 2:
            # The server may have closed what was idle.
            self.disconnect()
        if self.connection is None:
            self.connection = http.client.HTTPSConnection(
                self.host, self.port, context=self.context, timeout=600)
        data = None if body is None else json.dumps(body).encode()
        self.connection.request(
            method, path, data, {"Content-Type": "application/json", **(headers or {})})
        answer = self.connection.getresponse()
        text = answer.read()
        self.used = time.monotonic()
        return answer.status, json.loads(text) if text else None

    def admin(self, method, path, body=None):
        """One administrative request that must succeed."""
        status, answer = self.request(method, "/_mock/v1/" + path, body, self.authorization)
        if status >= 300:
            raise BenchError(f"admin {method} {path}: {status} {answer}")
        return answer

    def web_token(self, user):
        """A token of a user who signed in; new users are made on the way."""
        known = self.ready["webTokens"].get(user)
        return known or self.admin("POST", "tokens", {"user": user})["webToken"]

    def memory_mib(self, key="VmRSS"):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            for line in file:
                if line.startswith(key + ":"):
                    return int(line.split()[1]) / 1024
        raise BenchError("no memory figure")

    def stop(self):
        self.disconnect()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Other:
    """A server of others' with a certificate made for the run: nginx or aiohttp."""

    def __init__(self, kind, here):
        self.folder = tempfile.mkdtemp(prefix="cksweep-bench-")
        self.ca = os.path.join(self.folder, "cert.pem")
        key = os.path.join(self.folder, "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", self.ca],
            check=True, stderr=subprocess.DEVNULL)
        self.port = free_port()
        self.url = f"https://localhost:{self.port}"
        if kind == "nginx":
            command = self.nginx(key)
        else:
            command = [os.sys.executable, os.path.join(here, "aiohttp_mock.py"), str(self.port),
                       self.ca, key]
        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            pinned(SERVER_CORE, *command), stdout=subprocess.DEVNULL, stderr=self.said)
        context = ssl.create_default_context(cafile=self.ca)
        try:
            wait_for(lambda: self.is_up(context), f"an answer of {kind}")
        except BenchError:
            self.stop()
            raise

    def is_up(self, context):
        if self.process.poll() is not None:
            self.said.seek(0)
            raise BenchError(f"a server ended early: {self.said.read().strip()[-500:]}")
        return answers(self.port, context)

    def nginx(self, key):
        answer = json.dumps({"zones": [{"zoneID": {
            "zoneName": "bench", "ownerRecordName": "_" + "0" * 32,
            "zoneType": "REGULAR_CUSTOM_ZONE"}, "deleted": True}]}).replace('"', '\\"')
        config = os.path.join(self.folder, "nginx.conf")
        # Its worker would be another user, who may not write into the folder.
        user = "user root;" if os.geteuid() == 0 else ""
        with open(config, "w", encoding="utf-8") as file:
            file.write(f"""
daemon off; {user} worker_processes 1; pid {self.folder}/pid; error_log /dev/null;
events {{ worker_connections 1024; }}
http {{
  access_log off; keepalive_requests 1000000000;
  client_body_temp_path {self.folder}/body; proxy_temp_path {self.folder}/proxy;
  fastcgi_temp_path {self.folder}/fcgi; uwsgi_temp_path {self.folder}/uwsgi;
  scgi_temp_path {self.folder}/scgi;
  client_max_body_size 0;
  server {{
    listen 127.0.0.1:{self.port} ssl http2;
    ssl_certificate {self.ca}; ssl_certificate_key {key}; ssl_protocols TLSv1.2 TLSv1.3;
    location /files/ {{ root {self.folder}; dav_methods PUT; create_full_put_path on; }}
    location / {{ default_type application/json; return 200 "{answer}"; }}
  }}
}}
""")
        return ["nginx", "-c", config, "-p", self.folder]

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.said.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Moto:
    """moto's server for all of its services, which answers without TLS."""

    def __init__(self):
        port = free_port()
        program = os.path.join(os.path.dirname(os.sys.executable), "moto_server")
        started = time.perf_counter()
        self.process = subprocess.Popen(
            pinned(SERVER_CORE, program, "-H", "127.0.0.1", "-p", str(port)),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(lambda: self.is_up(port), "an answer of moto")
        except BenchError:
            self.stop()
            raise
        self.ready_seconds = time.perf_counter() - started

    def is_up(self, port):
        if self.process.poll() is not None:
            raise BenchError(f"moto ended early, with {self.process.returncode}")
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("GET", "/moto-api/")
            return connection.getresponse().status == 200
        except OSError:
            return False

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def free_port():
    import socket
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port, context):
    try:
        connection = http.client.HTTPSConnection("localhost", port, context=context, timeout=2)
        connection.request("GET", "/")
        connection.getresponse().read()
        return True
    except OSError:
        return False
