"""The load generators: wrk for HTTP/1.1, h2load for HTTP/2; both on the generator's core."""

import os
import re
import subprocess
import tempfile

from servers import GENERATOR_CORE, BenchError, pinned

# Zone after zone is created, and deleted 64 zones later, when its creation has been answered:
# every request is one durable change, half of them deletions.
WRK_SCRIPT = """
local n = 0
local headers = {["Content-Type"] = "application/json"}
request = function()
  local kind, zone = "create", n / 2
  if n %% 2 == 1 then kind, zone = "delete", (n - 1) / 2 - 64 end
  n = n + 1
  return wrk.format("POST", nil, headers, '{"operations":[{"operationType":"' .. kind ..
    '","zone":{"zoneID":{"zoneName":"%s' .. string.format("%%d", zone) .. '"}}}]}')
end
"""


def wrk(url, name, seconds, connections=64):
    """Requests a second and the 99th percentile in milliseconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua", delete=False) as file:
        file.write(WRK_SCRIPT % name)
    try:
        text = subprocess.run(
            pinned(GENERATOR_CORE, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency",
                   "-s", file.name, url),
            check=True, capture_output=True, text=True).stdout
    finally:
        os.unlink(file.name)
    if "Non-2xx" in text:
        raise BenchError("wrk got answers other than 2xx:\n" + text)
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
    value, unit = re.search(r"^\s+99%\s+([\d.]+)(us|ms|s)\s*$", text, re.M).groups()
    return rate, float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def h2load(url, names, seconds, clients=8, streams=32):
    """Requests a second over HTTP/2.

    h2load sends one body for ever, so two of them run side by side: one creates zone A and
    deletes B, the other deletes A and creates B. They meet in any order, so of the two changes a
    request asks for about one is made: as many as with wrk.
    """
    first, second = names
    bodies = [modify([("create", first), ("delete", second)]),
              modify([("delete", first), ("create", second)])]
    running, files = [], []
    for body in bodies:
        with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
            file.write(body)
        files.append(file.name)
        running.append(subprocess.Popen(
            pinned(GENERATOR_CORE, "h2load", "-D", str(seconds), "-c", str(clients // 2),
                   "-m", str(streams), "-H", "content-type: application/json", "-d", file.name,
                   url),
            stdout=subprocess.PIPE, text=True))
    texts = [process.communicate()[0] for process in running]
    for name in files:
        os.unlink(name)
    rate = 0.0
    for process, text in zip(running, texts):
        match = re.search(r"finished in [\d.]+m?s, ([\d.]+) req/s", text)
        codes = re.search(r"status codes: (\d+) 2xx, 0 3xx, 0 4xx, 0 5xx", text)
        if process.returncode or not match or not codes or codes[1] == "0":
            raise BenchError("h2load:\n" + text)
        rate += float(match[1])
    return rate


def modify(operations):
    items = ",".join(
        '{"operationType":"%s","zone":{"zoneID":{"zoneName":"%s"}}}' % item for item in operations)
    return '{"operations":[' + items + ']}'
