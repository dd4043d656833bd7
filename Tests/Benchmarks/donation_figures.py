"""Figures of the donation store."""

import subprocess
import sys
import tempfile

from servers import BenchError


def taken(binary, figure, rows=None):
    """What DonationBench says of one figure, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="cksweep-donations-") as folder:
        command = [f"{binary}/DonationBench", figure, f"{folder}/store"]
        if rows:
            command.append(str(rows))
        done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    if done.returncode:
        raise BenchError(f"DonationBench {figure}: {done.stderr.strip()}")
    values = {}
    for line in done.stdout.splitlines():
        name, value = line.split()
        values[name] = float(value)
    told = ", ".join(f"{name} {value:.4g}" for name, value in values.items())
    print(f"  {figure} {rows or ''}: {told}", file=sys.stderr)
    return values


def donate(binary, here):
    """Donations a second, each on disk before the next, over SQLite alone with the same rows,
    table and indexes and a prepared statement."""
    return {"donations.donate_per_s_vs_sqlite": taken(binary, "donate")["ratio"]}


def delete_domain(binary, here):
    """Deleting a domain of 100,000 items among as many that stay, over one of 10,000."""
    # The small one takes as long as a disturbance: the middle of three.
    few = sorted(taken(binary, "delete-domain", 10_000)["ms"] for _ in range(3))[1]
    many = taken(binary, "delete-domain", 100_000)["ms"]
    return {"donations.delete_domain_100k_ms_vs_10k": many / few}


def delete_all(binary, here):
    """Erasing 1,000,000 donations of all kinds, durably."""
    return {"donations.delete_all_1m_s": taken(binary, "delete-all", 1_000_000)["s"]}


def search(binary, here):
    """The 99th percentile of 2000 searches with one to three words over 1,000,000 items."""
    return {"donations.search_1m_p99_ms": taken(binary, "search", 1_000_000)["p99_ms"]}


def suggest(binary, here):
    """The median time of suggestions at 500 moments over 100,000 donations."""
    return {"donations.suggest_100k_ms": taken(binary, "suggest", 100_000)["p50_ms"]}


def memory(binary, here):
    """The most memory with 1,000,000 donations over that with 100,000: donated, exported,
    searched, suggested, looked through and deleted."""
    few = taken(binary, "memory", 100_000)["rss_mib"]
    many = taken(binary, "memory", 1_000_000)["rss_mib"]
    return {"donations.rss_1m_vs_100k": many / few}


def sync_changes(binary, here):
    """Records a second of the first scan of a zone, decoding, deciding and storing, over those that
    the client's JSON decoder alone makes of the same pages; by processor time of one process.
    (simdjson alone, which only looks for the structure, takes a fifth of the decoder's time.)"""
    return {"sync.changes_100k_records_per_s_vs_json_parse":
            taken(binary, "sync-changes", 100_000)["ratio_decode"]}


def sync_steady(binary, here):
    """Requests of a round in which nothing changed, for each database."""
    return {"sync.steady_state_requests": taken(binary, "sync-steady")["requests"]}


def sync_memory(binary, here):
    """The most memory while a zone of 1,000,000 records is scanned, and scanned again after its
    token was refused."""
    return {"sync.rss_1m_records_mib": taken(binary, "sync-memory", 1_000_000)["rss_mib"]}
