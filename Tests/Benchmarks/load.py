"""The load generators: wrk for HTTP/1.1, h2load for HTTP/2; both on the generator's core."""

import os
import re
import subprocess
import tempfile

from servers import GENERATOR_CORE, pinned

# Creates a zone, then deletes it, and so on: every request is one durable write, half of them
# deletions. Each wrk thread and each connection's turn has names of its own.
WRK_SCRIPT = """
local n = 0
local run = "%s"
request = function()
  n = n + 1
  local zone = run .. math.floor((n - 1) / 2)
  local kind = (n %% 2 == 1) and "create" or "delete"
  local body = '{"operations":[{"operationType":"' .. kind ..
    '","zone":{"zoneID":{"zoneName":"' .. zone .. '"}}}]}'
  return wrk.format("POST", nil, {["Content-Type"] = "application/json"}, body)
end
response = function(status) if status ~= 200 then bad = (bad or 0) + 1 end end
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
        raise SystemExit("error: wrk got answers other than 2xx:\n" + text)
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
    value, unit = re.search(r"^\s+99%\s+([\d.]+)(us|ms|s)\s*$", text, re.M).groups()
    return rate, float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def h2load(url, names, requests, clients=8, streams=32):
    """Requests a second over HTTP/2.

    h2load sends one body for ever, so two of them run side by side, one creating zone A and
    deleting B, the other deleting A and creating B: every request finds something to delete or
    create again.
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
            pinned(GENERATOR_CORE, "h2load", "-n", str(requests // 2), "-c", str(clients // 2),
                   "-m", str(streams), "-H", "content-type: application/json", "-d", file.name,
                   url),
            stdout=subprocess.PIPE, text=True))
    rate = 0.0
    for process in running:
        text = process.communicate()[0]
        match = re.search(r"finished in [\d.]+m?s, ([\d.]+) req/s", text)
        if process.returncode or not match or f"{requests // 2} succeeded" not in text:
            raise SystemExit("error: h2load:\n" + text)
        rate += float(match[1])
    for name in files:
        os.unlink(name)
    return rate


def modify(operations):
    items = ",".join(
        '{"operationType":"%s","zone":{"zoneID":{"zoneName":"%s"}}}' % item for item in operations)
    return '{"operations":[' + items + ']}'
