"""Reports for others in Chromium: on a telephone, on a desk, in the dark, and on paper."""

import base64
import json
import pathlib
import re

from browser_checks import chromium
from common import check, expect
from console_page import AUDIT, AXE, RUN_AXE, SIZES

PAGES = pathlib.Path(__file__).parents[2] / "Sweep" / "CommandsTests" / "Snapshots"
# Rules of the console's audit that hold for a page without controls, too.
RULES = ("contrast", "wider", "h1", "heading levels", "an image", "no language")


def requests_of(driver):
    """What the page asked for."""
    messages = (json.loads(entry["message"])["message"] for entry in driver.get_log("performance"))
    return [message["params"]["request"]["url"] for message in messages
            if message["method"] == "Network.requestWillBeSent"]


def show(driver, page, width, scheme):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": SIZES[width], "deviceScaleFactor": 1, "mobile": False})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    driver.get(page.as_uri())


def sheets(driver):
    """How many sheets of A4 the page takes."""
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    printed = driver.execute_cdp_cmd("Page.printToPDF", {
        "preferCSSPageSize": True, "printBackground": False})
    pdf = base64.b64decode(printed["data"])
    size = re.search(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", pdf)
    expect([round(float(edge)) for edge in size.groups()] == [595, 842], f"no A4: {size}")
    return int(re.search(rb"/Type /Pages\s*/Count (\d+)", pdf).group(1))


@check
def chromium_shows_and_prints_reports(world):
    folder = world.folder / "reports"
    folder.mkdir()
    pages = sorted(PAGES.glob("report-*.html"))
    expect(len(pages) >= 3, f"{len(pages)} pages")
    with chromium(folder, world.server.ca) as driver:
        for page in pages:
            for width in SIZES:
                for scheme in ("light", "dark"):
                    show(driver, page, width, scheme)
                    wrong = [rule for rule in driver.execute_script(AUDIT)
                             if rule.startswith(RULES)]
                    expect(not wrong, f"{page.name} at {width}, {scheme}: {wrong}")
                    driver.execute_script(AXE)
                    wrong = driver.execute_async_script(RUN_AXE)
                    expect(not wrong, f"{page.name} at {width}, {scheme}: {wrong}")
            # The browser's own first page is not ours.
            asked = [url for url in requests_of(driver)
                     if url != page.as_uri() and not url.startswith(("chrome:", "data:"))]
            expect(not asked, f"{page.name} asks for {asked}")
            expect(sheets(driver) == 1, f"{page.name} does not print on one sheet")
    return f"{len(pages)} pages"
