"""The pictures of README: the mock server's console, and a report. Run by scripts/pictures.

Both show a real run: the server after a sweep, and the report of that sweep. Each is made in light and dark
colors (NAME~dark.png), as a PNG of at most 150 kB.
"""

import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

from browser_checks import chromium
from common import CONTAINER, FIXTURE, ROOT, SECONDS_MAX, Server, mock_program, run
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

FOLDER = ROOT / "Sources" / "Sweep" / "Commands" / "Commands.docc" / "Resources"
LIST = ROOT / "Containers" / "example.json"
BYTES_MAX = 150_000


def must(*words, **variables):
    code, text = run(*words, **variables)
    if code:
        raise SystemExit(f"{words} ended with {code}: {text}")
    return text


def sweep(cksweep, server, folder):
    """A run whose report is for others: with a case, and signed."""
    state = ["--state", folder / "runs"]
    variables = {
        "CLOUDKIT_EMULATOR_URL": server.url, "CLOUDKIT_EMULATOR_CA": server.ca,
        "CLOUDKIT_EMULATOR_API_TOKEN": server.ready["apiToken"],
        "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN": server.ready["webTokens"]["ann"]}
    words = ["--rehearsal", "-c", LIST, *state]
    told = must(cksweep, "plan", *words, "-o", folder / "ann.plan", **variables)
    digest = next(line.split()[1] for line in told.splitlines() if line.startswith("plan "))
    must(cksweep, "apply", folder / "ann.plan", *words, "--approve", digest, **variables)
    page = folder / "report.html"
    page.write_text(must(
        cksweep, "report", "last", "--as", "html", "--case", "DSR-2026-0117", *state, **variables))
    return page


def resize(driver, width, height):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def pictures(driver, name, show):
    """What `show` loads, in light and in dark colors: a loaded page would fade from one into the other."""
    for scheme, suffix in (("light", ""), ("dark", "~dark")):
        driver.get("about:blank")
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        show()
        picture(driver, FOLDER / f"{name}{suffix}.png")


def picture(driver, path):
    """Saves what the window shows, with at most 128 colors."""
    driver.save_screenshot(str(path))
    subprocess.run(
        ["pngquant", "--force", "--skip-if-larger", "--strip", "--speed", "1", "--output",
         str(path), "128", str(path)], check=False, timeout=SECONDS_MAX)
    size = path.stat().st_size
    if size > BYTES_MAX:
        raise SystemExit(f"{path} has {size} bytes, more than {BYTES_MAX}")
    print(f"{path.relative_to(ROOT)}  {size} bytes")


def console(driver, server):
    """A user's zone, and one of its records."""
    place = urllib.parse.urlencode({
        "user": "bob", "container": CONTAINER, "environment": "development",
        "database": "private", "zone": "Notes", "record": "note-bob-1"})
    driver.get(server.ready["console"])
    driver.get(f"{server.url}/#data?{place}")
    WebDriverWait(driver, SECONDS_MAX).until(
        lambda driver: driver.find_elements(By.CSS_SELECTOR, "#fields-title"),
        "no record is shown")


def main():
    cksweep = str(pathlib.Path(sys.argv[1]).resolve())
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="cksweep-pictures-") as name:
        folder = pathlib.Path(name)
        server = Server(mock_program(cksweep), folder / "server", "--seed", str(FIXTURE))
        try:
            page = sweep(cksweep, server, folder)
            (folder / "home").mkdir()
            with chromium(folder / "home", server.ca) as driver:
                driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
                resize(driver, 1120, 700)
                pictures(driver, "console", lambda: console(driver, server))
                resize(driver, 860, 400)
                driver.get(page.as_uri())
                height = driver.execute_script("return document.documentElement.scrollHeight")
                resize(driver, 860, height)
                pictures(driver, "report", lambda: driver.get(page.as_uri()))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
