"""The console of the mock server in Chromium: by keyboard alone, and every view against rules of
accessibility, at the widths of a phone and of a desk, in light and in dark."""

from browser_checks import chromium
from common import CONTAINER, SECONDS_MAX, check, expect
from console_page import DATABASE, HOSTILE, LARGE, SIZES, Console, address, ask, console
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


@check
def console_views_are_reached_by_keyboard_alone(world):
    with console(world, "keys") as page:
        for width in SIZES:
            page.look(width)
            page.open()
            browse(page)
            requests_and_faults(page)
            events_and_server(page)
            page.go("Devices")
            expect(page.heading() == "Devices and feeds", page.heading())
            page.expect_no_complaints()


def browse(page):
    """From the accounts to a record and back."""
    page.press(Keys.TAB)
    expect(page.focused()[2] == "Skip to the content", f"{page.focused()}")
    page.press(Keys.ENTER)
    expect(page.focused()[0] == "MAIN", f"{page.focused()}")
    page.go("Data")
    page.tab_to("ann", "a")
    page.enter("ann")
    page.tab_to("Private database", "a")
    page.enter("Private database")
    page.tab_to("Garden", "a")
    page.enter("Garden")
    page.tab_to("Record name")
    page.press("leaf-01", Keys.ENTER)
    page.wait(lambda: "10 records" in page.driver.find_element(By.ID, "records-count").text,
              "the search finds no ten records")
    page.tab_to("Records of zone Garden")
    page.press(Keys.END, Keys.ARROW_UP, Keys.ENTER)
    page.wait(lambda: page.focused()[0] == "H2", "no record was opened")
    expect(page.focused()[2] == "leaf-018", f"{page.focused()}")
    page.wait_until_still()
    page.tab_to("rose", "a")
    page.press(Keys.ENTER)
    page.wait(lambda: page.focused()[2] == "rose", "the reference leads nowhere")
    page.wait(lambda: page.run("return document.querySelector('.preview img')?.naturalWidth") == 320,
              "the picture is not shown")
    shown = page.driver.find_element(By.CLASS_NAME, "detail").text
    expect(HOSTILE in shown, "the text was changed")
    expect(str(LARGE) in shown, "the digits of a large number were changed")
    expect("owned" not in page.driver.title, "a record's text ran as a script")
    here = page.run("return location.href")
    page.open(here.split("/", 3)[3])
    page.wait(lambda: page.run("return document.querySelector('.record-name').textContent") == "rose",
              "the address does not lead back to the record")
    page.tab_to("Close", "a")
    page.press(Keys.ESCAPE)
    page.wait(lambda: page.focused()[1] == "listbox", "Escape does not lead back to the list")


def requests_and_faults(page):
    """A request is made a fault, which is found and removed."""
    page.go("Requests")
    page.tab_to("Requests, the newest first")
    page.press(Keys.HOME, Keys.ARROW_DOWN, Keys.ENTER)
    page.wait(lambda: page.focused()[0] == "H2", "no request was opened")
    page.tab_to("Make this a fault", "button")
    page.press(Keys.ENTER)
    page.wait(lambda: page.focused()[0] == "TEXTAREA", "no dialog was opened")
    rule = page.run("return document.activeElement.value")
    expect(" -> " in rule and CONTAINER in rule, rule)
    page.audit("the dialog of a fault")
    page.tab_to("Add the fault", "button")
    page.press(Keys.ENTER)
    page.wait(lambda: page.focused()[2] == "Make this a fault", "the focus did not come back")
    page.go("Faults")
    expect(rule.split(" ")[0] in page.driver.find_element(By.TAG_NAME, "table").text, rule)
    page.tab_to("Add a fault", "button")
    page.press(Keys.ENTER)
    page.wait(lambda: page.focused()[0] == "TEXTAREA", "no dialog was opened")
    page.press("nonsense")
    page.tab_to("Add the fault", "button")
    page.press(Keys.ENTER)
    page.wait(lambda: "->" in page.driver.find_element(By.CSS_SELECTOR, "dialog .failure").text,
              "the refusal is not shown")
    # The browser notes the status 400 that was provoked here.
    page.driver.get_log("browser")
    page.press(Keys.ESCAPE)
    page.wait(lambda: page.focused()[2] == "Add a fault", "Escape does not close the dialog")
    count = len(ask(page.server, "GET", "faults")["rules"])
    page.tab_to("Remove fault-", "button")
    page.press(Keys.ENTER)
    page.wait(lambda: len(ask(page.server, "GET", "faults")["rules"]) == count - 1,
              "the fault was not removed")


def events_and_server(page):
    """An event, the clock, a switch and a reset that is thought better of."""
    page.go("Events")
    page.tab_to("Snapshot", "button")
    page.press(Keys.ENTER)
    page.wait(lambda: page.focused()[2] == "Name", "no dialog was opened")
    page.press("evening", Keys.ENTER)
    page.wait(lambda: "evening" in page.driver.find_element(By.CLASS_NAME, "told").text,
              "what the event did is not told")
    expect("evening" in ask(page.server, "GET", "snapshots")["snapshots"], "no snapshot was taken")
    page.go("Clock")
    page.go("Snapshots")
    page.go("Server")
    page.tab_to("Reset", "button")
    page.press(Keys.ENTER)
    page.wait(lambda: page.run("return document.querySelector('dialog[open]') !== null"), "no dialog")
    page.audit("the dialog of a reset")
    page.press(Keys.ESCAPE)
    page.wait(lambda: page.focused()[2].startswith("Reset"), "the focus did not come back")
    page.tab_to("listsDefaultZone")
    before = ask(page.server, "GET", "options")["listsDefaultZone"]
    page.press(Keys.SPACE)
    page.wait(lambda: ask(page.server, "GET", "options")["listsDefaultZone"] != before,
              "the switch was not set")


@check
def console_views_keep_the_rules_of_accessibility(world):
    zone = {**DATABASE, "zone": "Garden"}
    views = {
        "accounts": address("data"), "account": address("data", user="ann"),
        "database": address("data", **DATABASE), "zone": address("data", **zone),
        "record": address("data", **zone, record="rose"),
        "tombstone": address("data", **zone, deleted="only", record="leaf-007"),
        "share": address("data", **zone, record="cloudkit.zoneshare"),
        "requests": address("requests"), "request": address("requests", entry=6),
        "why": address("requests", entry=7),
        "findings": address("findings"), "faults": address("faults"),
        "gates": address("gates"), "events": address("events"), "devices": address("devices"),
        "found": address("data", find="rose"), "clock": address("clock"),
        "worlds": address("worlds"), "server": address("server"),
        "new gate": address("gates"), "new namespace": address("worlds"),
    }
    # What is pressed in some of them first, and what comes then.
    pressed = {
        "why": ("Why this response?", ".reasons .facts"), "new gate": ("Add a gate…", "dialog[open]"),
        "new namespace": ("Create a namespace…", "dialog[open]"),
    }
    with console(world, "rules") as page:
        for width in SIZES:
            for scheme in ("light", "dark"):
                page.look(width, scheme)
                for name, place in views.items():
                    page.open(place)
                    if name in pressed:
                        words, comes = pressed[name]
                        page.driver.find_element(By.XPATH, f"//button[.='{words}']").click()
                        page.wait(lambda: page.run("return document.querySelector(arguments[0])", comes),  # noqa: B023
                                  f"{words} does nothing")
                    page.audit(f"{name} at {width} in {scheme}")
        page.expect_no_complaints()


# What stands in the bar upon something else, or is broken into lines.
BROKEN = r"""
const all = [...document.querySelectorAll(".brand, .bar li a, .health")].map((element) =>
  ({ words: element.textContent, box: element.getBoundingClientRect() }));
const lines = (element) => {
  const range = document.createRange();
  range.selectNodeContents(element.firstChild);
  return range.getClientRects().length;
};
const broken = [...document.querySelectorAll(".bar li a")].filter((element) => lines(element) > 1);
return broken.map(({ textContent }) => textContent).concat(all.filter((one) => all.some((other) => one !== other
  && one.box.left < other.box.right - 1 && other.box.left < one.box.right - 1
  && one.box.top < other.box.bottom - 1 && other.box.top < one.box.bottom - 1)).map(({ words }) => words));
"""


@check
def console_fits_windows_of_every_width(world):
    with console(world, "widths") as page:
        for view in ("data", "requests", "findings", "gates", "worlds", "server"):
            page.open(address(view))
            for width in (320, 599, 600, 899, 900, 1100, 1279, 1280):
                page.look(width)
                page.wait(lambda: page.run("return innerWidth") == width, "the window stays")  # noqa: B023
                wide = page.run("return document.documentElement.scrollWidth")
                expect(wide <= width, f"{view} is wider than {width}: {wide}")
                wrong = page.run(BROKEN)
                expect(not wrong, f"{view} at {width}: broken or upon another: {wrong}")


# Notes how long the page did not answer, what it asked for, and how many rows it made.
MEASURE = r"""
window.measured = { task: 0, gap: 0, rows: 0, asked: [] };
let last = performance.now();
const beat = (now) => {
  measured.gap = Math.max(measured.gap, now - last);
  last = now;
  requestAnimationFrame(beat);
};
requestAnimationFrame(beat);
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) measured.task = Math.max(measured.task, duration);
}).observe({ type: "longtask" });
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) measured.rows += addedNodes.length;
}).observe(document.querySelector(".list-space"), { childList: true });
const fetched = window.fetch;
window.fetch = (url, init) => {
  measured.asked.push(url);
  return fetched(url, init);
};
"""

# Scrolls from the top so far, or to the bottom, in so many steps; tells what was seen after each.
SCROLL = r"""
const [steps, far, done] = arguments;
const list = document.querySelector(".list");
const seen = { blank: 0, rows: 0, made: 0, wrong: 0 };
const frame = () => new Promise(requestAnimationFrame);
(async () => {
  const last = far ?? list.scrollHeight - list.clientHeight;
  for (let step = 0; step <= steps; step += 1) {
    const before = measured.rows;
    list.scrollTop = Math.round(last * step / steps);
    await frame();
    await frame();
    const rows = [...list.querySelectorAll(".row")];
    const { top, bottom } = list.getBoundingClientRect();
    const boxes = rows.map((row) => row.getBoundingClientRect());
    const inside = boxes.filter((box) => box.bottom > top + 1 && box.top < bottom - 1);
    const covered = inside.reduce((sum, box) => sum + Math.min(box.bottom, bottom) - Math.max(box.top, top), 0);
    if (covered < list.clientHeight - 2) seen.blank += 1;
    if (rows.some((row) => !row.textContent)) seen.wrong += 1;
    seen.rows = Math.max(seen.rows, rows.length);
    seen.made = Math.max(seen.made, measured.rows - before);
  }
  done({ ...seen, visible: Math.ceil(list.clientHeight / 56) });
})();
"""
SCROLL_STEPS = 500


@check
def console_shows_a_hundred_thousand_records(world):
    count = 100_000
    server = world.start("many", "--any-container")
    container = "iCloud.com.example.large"
    made = ask(server, "POST", "seed", {
        "profile": "tiny", "users": ["ann"], "containers": [container], "zones": 1,
        "records": count})
    expect(made["records"] >= count, f"{made}")
    zones = ask(server, "GET", f"zones?container={container}&user=ann")["zones"]
    zone = max(zones, key=lambda zone: zone["records"])["zone"]
    with chromium(world.folder / "chromium-many", server.ca) as driver:
        page = Console(driver, server)
        page.look(1440)
        page.open(address("data", user="ann", container=container, zone=zone))
        page.run(MEASURE)
        page.tab_to("Records of zone")
        reached = 0
        rows = "return document.querySelectorAll('[role=option]').length"
        last = ("const a = document.getElementById(document.querySelector('[role=listbox]')"
                ".getAttribute('aria-activedescendant')); return Number(a.ariaPosInSet)")

        def farther():
            page.press(Keys.END)
            return page.run(last) > reached

        while reached < count:
            page.wait(farther, f"no more come after {reached}")
            reached = page.run(last)
            expect(page.run(rows) < 100, "the page holds more rows than can be seen")
        page.wait(lambda: "100,000 records" == driver.find_element(By.ID, "records-count").text,
                  "not all were counted")
        page.press(Keys.HOME)
        expect(page.run(last) == 1, "Home does not lead to the first")
        loading = page.run("return measured")
        pages = [url for url in loading["asked"] if "/records?" in url]
        expect(len(pages) <= count // 500 + 1, f"{len(pages)} requests for the records")
        page.run("Object.assign(measured, { task: 0, gap: 0, rows: 0, asked: [] })")
        driver.set_script_timeout(SECONDS_MAX)
        slow = driver.execute_async_script(SCROLL, 100, 100 * 56)
        expect(slow["blank"] == 0, f"{slow['blank']} of 100 steps by a row show less than a page")
        expect(slow["made"] <= 2, f"{slow['made']} rows are made for one that comes")
        seen = driver.execute_async_script(SCROLL, SCROLL_STEPS, None)
        scrolling = page.run("return measured")
        expect(seen["blank"] == 0, f"{seen['blank']} of {SCROLL_STEPS} steps show less than a page")
        expect(seen["wrong"] == 0, f"{seen['wrong']} of {SCROLL_STEPS} steps show empty rows")
        # What can be seen, as much again above and below as the list keeps ready, and the active row.
        rows_max = seen["visible"] + 2 * 8 + 2
        expect(seen["rows"] <= rows_max, f"{seen['rows']} rows are in the page")
        expect(seen["made"] <= rows_max, f"{seen['made']} rows are made in a step")
        asked = [url for url in scrolling["asked"] if "/records?" in url]
        expect(not asked, f"{len(asked)} requests for records that are there")
        page.expect_no_complaints()
        return ", ".join(
            f"{what}: longest task {numbers['task']:.0f} ms, longest gap between frames"
            f" {numbers['gap']:.0f} ms" for what, numbers in
            (("loading", loading), ("scrolling", scrolling))) + (
                f"; {len(pages)} requests, at most {seen['rows']} rows")


@check
def console_says_when_the_server_is_gone(world):
    server = world.start("gone")
    with chromium(world.folder / "chromium-gone", server.ca) as driver:
        page = Console(driver, server)
        page.look(360)
        page.open()
        world.servers.remove(server)
        server.stop()
        driver.find_element(By.XPATH, "//a[.='Faults']").click()
        page.wait(lambda: "cloudkit-mock serve" in driver.find_element(By.CLASS_NAME, "failure").text,
                  "nothing says what to do")
        page.wait(lambda: driver.find_element(By.ID, "health").text == "unreachable",
                  "the state is not told")
