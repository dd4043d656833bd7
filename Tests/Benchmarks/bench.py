"""Runs the benchmarks: one line a figure, NAME VALUE TARGET ok|short."""

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys

import asset_figures
import cloudkit_figures
import console_figures
import donation_figures
import evidence_figures
import export_figures
import push_figures
import server_figures
import simulation_figures
import store_figures
import sweep_figures
from servers import BenchError

HERE = os.path.dirname(os.path.abspath(__file__))

# Name -> (bound, target). A figure is ok on the right side of its target.
TARGETS = {
    "server.h1.durable_zone_delete_vs_nginx": ("min", 0.45),
    "server.h2.durable_zone_delete_vs_nginx": ("min", 0.8),
    "server.h1.durable_vs_aiohttp": ("min", 3.5),
    "server.p99_ms": ("max", 10),
    "server.zone_delete_100k_vs_10_records": ("max", 1.5),
    "server.ready_ms": ("max", 50),
    "server.idle_rss_mib": ("max", 25),
    "mock.vs_moto_start": ("min", 10),
    "mock.reset_10k_records_p99_ms": ("max", 5),
    "mock.snapshot_10k_ms": ("max", 10),
    "mock.restore_10k_ms": ("max", 10),
    "mock.namespace_ms": ("max", 2),
    "mock.namespace_p99_ms": ("max", 10),
    "mock.fork_10k_ms": ("max", 10),
    "mock.query_sorted_page_100k_ms": ("max", 10),
    "mock.longest_turn_ms_1m_records": ("max", 50),
    "mock.asset_upload_mb_per_s_vs_nginx_put": ("min", 0.4),
    "mock.asset_download_vs_nginx": ("min", 0.6),
    "mock.asset_rss_growth_mib": ("max", 16),
    "mock.push_p99_ms": ("max", 20),
    # Printed: how fast it is says more of the browser and the machine.
    "mock.console_first_paint_ms": ("min", 0),
    "sweep.efficiency_50ms": ("min", 0.92),
    "sweep.efficiency_50ms_slow_disk": ("min", 0.92),
    # With 100 zones in each and all three databases in scope: three looks of 11 requests (one before
    # the deletion, two passes after it), in each pass the zones by name, who is signed in before
    # anything is sent, and 2 that delete.
    "sweep.requests_per_container": ("max", 38),
    "sweep.delete_phase_vs_apple_sample": ("max", 1.1),
    "sweep.delete_phase_vs_apple_sample_slow_disk": ("max", 1.1),
    "sweep.vs_curl_loop": ("min", 20),
    "sweep.rss_1m_zones_vs_10k": ("max", 1.3),
    "sweep.rss_1m_zones_mib": ("max", 60),
    "sweep.rss_10m_records_mib": ("max", 100),
    "sweep.default_zone_records_per_s_vs_batch_limit": ("min", 0.85),
    "evidence.verify_1m_events_s": ("max", 5),
    # Printed: an event tells of up to 200 things, with a pseudonym for each.
    "evidence.bytes_per_event": ("min", 0),
    "export.mb_per_s_vs_curl": ("min", 0.7),
    "export.rss_400mb_mib": ("max", 60),
    "cli.start_ms": ("max", 25),
    "binary_mb_stripped": ("max", 25),
    "donations.donate_per_s_vs_sqlite": ("min", 0.5),
    "donations.delete_domain_100k_ms_vs_10k": ("max", 12),
    "donations.delete_all_1m_s": ("max", 3),
    "donations.search_1m_p99_ms": ("max", 20),
    "donations.suggest_100k_ms": ("max", 10),
    "donations.rss_1m_vs_100k": ("max", 1.3),
    "sync.changes_100k_records_per_s_vs_json_parse": ("min", 0.3),
    "sync.steady_state_requests": ("max", 1),
    "sync.rss_1m_records_mib": ("max", 120),
    "sim.steps_per_s": ("min", 0),
    "cloudkit.modify_200_vs_client": ("max", 1.2),
    "cloudkit.fetch_changes_100k_rss_mib": ("max", 120),
    "cksyncengine.send_10k_vs_modify": ("max", 1.3),
    "cksyncengine.fetch_100k_rss_mib": ("max", 120),
}

# Each measurement gives some figures in one round.
MEASUREMENTS = [
    (server_figures.throughput, [
        "server.h1.durable_zone_delete_vs_nginx", "server.h2.durable_zone_delete_vs_nginx",
        "server.h1.durable_vs_aiohttp", "server.p99_ms"]),
    (server_figures.zone_deletion, ["server.zone_delete_100k_vs_10_records"]),
    (server_figures.start, ["server.ready_ms", "server.idle_rss_mib"]),
    (server_figures.moto_start, ["mock.vs_moto_start"]),
    (store_figures.resets, ["mock.reset_10k_records_p99_ms"]),
    (store_figures.snapshots, ["mock.snapshot_10k_ms", "mock.restore_10k_ms"]),
    (store_figures.namespaces, [
        "mock.namespace_ms", "mock.namespace_p99_ms", "mock.fork_10k_ms"]),
    (store_figures.sorted_pages, ["mock.query_sorted_page_100k_ms"]),
    (store_figures.longest_turn, ["mock.longest_turn_ms_1m_records"]),
    (asset_figures.assets, [
        "mock.asset_upload_mb_per_s_vs_nginx_put", "mock.asset_download_vs_nginx",
        "mock.asset_rss_growth_mib"]),
    (push_figures.delivery, ["mock.push_p99_ms"]),
    (console_figures.first_paint, ["mock.console_first_paint_ms"]),
    (sweep_figures.efficiency, ["sweep.efficiency_50ms", "sweep.requests_per_container"]),
    (sweep_figures.efficiency_slow_disk, ["sweep.efficiency_50ms_slow_disk"]),
    (sweep_figures.apple_sample, ["sweep.delete_phase_vs_apple_sample"]),
    (sweep_figures.apple_sample_slow_disk, ["sweep.delete_phase_vs_apple_sample_slow_disk"]),
    (sweep_figures.curl_loop, ["sweep.vs_curl_loop"]),
    (sweep_figures.memory, ["sweep.rss_1m_zones_vs_10k", "sweep.rss_1m_zones_mib"]),
    (sweep_figures.memory_records, ["sweep.rss_10m_records_mib"]),
    (sweep_figures.default_zone, ["sweep.default_zone_records_per_s_vs_batch_limit"]),
    (export_figures.throughput, ["export.mb_per_s_vs_curl", "export.rss_400mb_mib"]),
    (evidence_figures.verify, ["evidence.verify_1m_events_s", "evidence.bytes_per_event"]),
    (sweep_figures.command_start, ["cli.start_ms"]),
    (sweep_figures.command_size, ["binary_mb_stripped"]),
    (donation_figures.donate, ["donations.donate_per_s_vs_sqlite"]),
    (donation_figures.delete_domain, ["donations.delete_domain_100k_ms_vs_10k"]),
    (donation_figures.delete_all, ["donations.delete_all_1m_s"]),
    (donation_figures.search, ["donations.search_1m_p99_ms"]),
    (donation_figures.suggest, ["donations.suggest_100k_ms"]),
    (donation_figures.memory, ["donations.rss_1m_vs_100k"]),
    (donation_figures.sync_changes, ["sync.changes_100k_records_per_s_vs_json_parse"]),
    (donation_figures.sync_steady, ["sync.steady_state_requests"]),
    (donation_figures.sync_memory, ["sync.rss_1m_records_mib"]),
    (simulation_figures.steps, ["sim.steps_per_s"]),
    (cloudkit_figures.modify, ["cloudkit.modify_200_vs_client"]),
    (cloudkit_figures.fetch_changes, ["cloudkit.fetch_changes_100k_rss_mib"]),
    (cloudkit_figures.engine_send, ["cksyncengine.send_10k_vs_modify"]),
    (cloudkit_figures.engine_fetch, ["cksyncengine.fetch_100k_rss_mib"]),
]

# A round of these takes a minute or two; the first is a median of its own.
ONE_ROUND = {server_figures.zone_deletion, store_figures.longest_turn, sweep_figures.memory,
             sweep_figures.memory_records, sweep_figures.command_size,
             donation_figures.delete_all, donation_figures.search, donation_figures.memory,
             donation_figures.sync_memory, simulation_figures.steps}


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench")
    parser.add_argument("--bin", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--list", action="store_true", help="print figures and targets")
    parser.add_argument("--rounds", type=rounds, default=5, help="rounds of each figure")
    parser.add_argument("prefixes", nargs="*", help="only figures whose names begin so")
    options = parser.parse_args()
    wanted = [name for name in TARGETS
              if not options.prefixes or name.startswith(tuple(options.prefixes))]
    if not wanted:
        parser.error(f"no figure begins with {' or '.join(options.prefixes)}; see --list")
    if options.list:
        for name in wanted:
            bound, target = TARGETS[name]
            print(name, ("≥" if bound == "min" else "≤") + f" {target:g}")
        return 0
    if (os.cpu_count() or 1) < 2:
        raise BenchError("two cores are needed, one for the server and one for the generator")
    results, failures = [], []
    for measure, names in MEASUREMENTS:
        if not set(names) & set(wanted):
            continue
        try:
            values = medians(measure, names, options)
        except (BenchError, OSError, http.client.HTTPException,
                subprocess.SubprocessError) as error:
            # The other figures can still be had.
            failures.append(f"{measure.__name__}: {error}")
            print(f"error: {failures[-1]}", file=sys.stderr)
            continue
        for name in names:
            if name in wanted:
                results.append(verdict(name, values[name]))
                if not options.json:
                    print("{name} {value:.4g} {target:g} {verdict}".format(**results[-1]),
                          flush=True)
    if options.json:
        print(json.dumps(results, indent=2))
    if failures:
        return 2
    return 0 if all(result["verdict"] == "ok" for result in results) else 1


def medians(measure, names, options):
    """The median of each figure over the rounds."""
    taken = []
    count = 1 if measure in ONE_ROUND else options.rounds
    for number in range(count):
        print(f"  {', '.join(names)}: round {number + 1} of {count}", file=sys.stderr)
        taken.append(measure(options.bin, HERE))
    return {name: statistics.median(each[name] for each in taken) for name in names}


def rounds(text):
    if not text.isdigit() or not 1 <= int(text) <= 100:
        raise argparse.ArgumentTypeError("must be a number from 1 to 100")
    return int(text)


def verdict(name, value):
    bound, target = TARGETS[name]
    good = value >= target if bound == "min" else value <= target
    return {"name": name, "value": value, "bound": bound, "target": target,
            "verdict": "ok" if good else "short"}


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchError as problem:
        print(f"error: {problem}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
