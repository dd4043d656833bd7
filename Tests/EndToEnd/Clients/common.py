"""What the checks share: servers, programs, and the list of checks."""

import json
import os
import pathlib
import subprocess

import requests

ROOT = pathlib.Path(__file__).resolve().parents[3]
FIXTURE = ROOT / "Containers" / "fixtures" / "demo.json"
CONTAINER = "iCloud.com.example.myexampleapp"
SECONDS_MAX = 60

checks = []


def check(function):
    """A function that is a check; its name says what of. What it returns is printed: numbers to look at."""
    checks.append(function)
    return function


def expect(condition, text):
    if not condition:
        raise AssertionError(text)


def mock_program(cksweep):
    """The path of `cloudkit-mock`, which is built next to `cksweep`."""
    return str(pathlib.Path(cksweep).with_name("cloudkit-mock"))


class Server:
    """One `cloudkit-mock serve`, in a folder of its own."""

    def __init__(self, program, folder, *options):
        folder.mkdir()
        self.program = program
        self.folder = folder
        self.process = subprocess.Popen(
            [program, "serve", "--state", str(folder), *options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("ready https://"):
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"the server did not start: {line!r}")
        self.ready = json.loads((folder / "ready.json").read_text())
        self.url = self.ready["url"]
        self.ca = self.ready["ca"]
        self.authorization = {"Authorization": f"Bearer {self.ready['adminToken']}"}
        self.port = int(self.url.rsplit(":", 1)[1])

    def mock(self, *words):
        """An administrative verb; must succeed."""
        subprocess.run(
            [self.program, *words, "--state", str(self.folder), "-q"], check=True,
            stdout=subprocess.DEVNULL, timeout=SECONDS_MAX)

    def client(self, user="ann", scope="private", token=None):
        """The third party's client for one database."""
        # Not everybody who starts a server has it.
        from pyicloud.common.cloudkit.client import CloudKitContainerClient
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
        try:
            code = self.process.wait(SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        expect(code == 0, "the server did not end with 0")


class World:
    """What the checks share."""

    def __init__(self, cksweep, folder):
        self.cksweep = cksweep
        self.mock = mock_program(cksweep)
        self.folder = folder
        self.servers = []
        try:
            self.server = self.start("one", "--seed", str(FIXTURE))
            self.other = self.start("two", "--name", "other.localhost")
            # For services whose containers are Apple's own.
            self.apple = self.start("three", "--any-container")
        except BaseException:
            self.stop()
            raise

    def start(self, name, *options):
        self.servers.append(Server(self.mock, self.folder / name, *options))
        return self.servers[-1]

    def stop(self):
        for server in self.servers:
            server.stop()


def run(*words, stdin="", **variables):
    """A program's status and all it printed."""
    done = subprocess.run(
        [str(word) for word in words], input=stdin, capture_output=True, text=True,
        timeout=SECONDS_MAX, env={**os.environ, **variables})
    return done.returncode, done.stdout + done.stderr
