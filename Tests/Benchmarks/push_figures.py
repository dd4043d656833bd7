"""Figures of pushes."""

import http.client
import json
import queue
import threading
import time

from server_figures import with_token
from servers import BenchError, MockServer

CONTAINER = "iCloud.com.example.bench"
PLACE = f"{CONTAINER}/development"
ROUNDS = 300


class Reader(threading.Thread):
    """Waits for pushes on a connection of its own: the moment and the record of each."""

    def __init__(self, mock, courier):
        super().__init__(daemon=True)
        self.connection = http.client.HTTPSConnection(
            mock.host, mock.port, context=mock.context, timeout=60)
        self.target = courier.removeprefix(mock.url)
        self.pushes = queue.Queue()

    def run(self):
        for _ in range(ROUNDS):
            text = b""
            while not text:
                self.connection.request("GET", self.target)
                answer = self.connection.getresponse()
                text = answer.read()
                if answer.status != 200:
                    self.pushes.put((0, f"status {answer.status}"))
                    return
            moment = time.perf_counter()
            self.pushes.put((moment, json.loads(text)["ck"]["qry"]["rid"]))


def delivery(binary, here):
    """From the answer to a durable write until the push for it has come, at the other device."""
    with MockServer(f"{binary}/cloudkit-mock", durable=True) as mock:
        page, phone = (mock.admin("POST", "tokens", {"user": "ann", "device": device})["webToken"]
                       for device in ("page", "phone"))

        def ask(token, path, body):
            status, answer = mock.request("POST", with_token(mock, path, token), body)
            if status != 200:
                raise BenchError(f"{path}: {status} {answer}")
            return answer

        database = f"/database/1/{PLACE}/private"
        ask(phone, f"{database}/zones/modify", {"operations": [
            {"operationType": "create", "zone": {"zoneID": {"zoneName": "Notes"}}}]})
        ask(phone, f"{database}/subscriptions/modify", {"operations": [
            {"operationType": "create", "subscription": {
                "subscriptionID": "all", "subscriptionType": "query", "firesOn": ["create"],
                "query": {"recordType": "Note"}}}]})
        courier = ask(page, f"/device/1/{PLACE}/tokens/create",
                      {"apnsEnvironment": "development"})["webcourierURL"]
        reader = Reader(mock, courier)
        reader.start()
        times = []
        for number in range(ROUNDS):
            name = f"note-{number}"
            ask(phone, f"{database}/records/modify", {
                "zoneID": {"zoneName": "Notes"}, "operations": [
                    {"operationType": "create",
                     "record": {"recordName": name, "recordType": "Note"}}]})
            answered = time.perf_counter()
            try:
                moment, record = reader.pushes.get(timeout=30)
            except queue.Empty:
                raise BenchError(f"no push for {name} came within 30 s") from None
            if record != name:
                raise BenchError(f"the push for {name} is one for {record}")
            times.append(max(0, moment - answered) * 1000)
    times.sort()
    return {"mock.push_p99_ms": times[len(times) * 99 // 100]}
