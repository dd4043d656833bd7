"""The load generators: wrk for HTTP/1.1, our own for HTTP/2; both on the generator's core."""

import os
import re
import subprocess
import tempfile
from urllib.parse import urlsplit

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


def zone_load(binary, url, name, seconds, connections=8, streams=32):
    """Requests a second over HTTP/2, of the same kind as with wrk.

    h2load sends one body for ever, which can create or delete a zone only once, so the generator
    is our own.
    """
    parts = urlsplit(url)
    done = subprocess.run(
        pinned(GENERATOR_CORE, f"{binary}/ZoneLoad", parts.hostname, str(parts.port),
               url[url.index(parts.path):], str(seconds), str(connections), str(streams), name),
        capture_output=True, text=True, check=False)
    match = re.fullmatch(r"requests (\d+) seconds ([\d.]+) bad 0\n", done.stdout)
    if done.returncode or not match:
        raise BenchError(f"ZoneLoad: exit {done.returncode}: {done.stdout}{done.stderr}")
    return int(match[1]) / float(match[2])
