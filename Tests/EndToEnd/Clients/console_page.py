"""The console in Chromium, somebody with a keyboard in front of it, and something to see."""

import contextlib
import importlib.util
import json
import pathlib
import struct
import urllib.parse
import zlib

import requests
from browser_checks import chromium
from common import CONTAINER, FIXTURE, SECONDS_MAX, expect
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

SIZES = {1440: 900, 360: 740}
TABS_MAX = 120
HOSTILE = "<img src=x onerror=\"document.title='owned'\"> & \"quoted\""
# The first whole number that JavaScript cannot tell from the one before it.
LARGE = 2 ** 53 + 1
DATABASE = {"user": "ann", "container": CONTAINER, "environment": "development",
            "database": "private"}

# What an accessible page must fulfil; returns what it does not.
AUDIT = r"""
const wrong = [];
const shown = (element) => element.checkVisibility({ visibilityProperty: true });
const numbers = (text) => text.match(/[\d.]+/g).map(Number);
function ground(element) {
  let layers = [];
  for (let at = element; at; at = at.parentElement) {
    const [r, g, b, a = 1] = numbers(getComputedStyle(at).backgroundColor);
    layers.push([r, g, b, a]);
    if (a === 1) break;
  }
  return layers.reverse().reduce((below, [r, g, b, a]) =>
    [r, g, b].map((value, index) => value * a + below[index] * (1 - a)), [255, 255, 255]);
}
function light(color) {
  const [r, g, b] = color.map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(one, other) {
  const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const element = node.parentElement;
  if (!node.data.trim() || !shown(element) || element.closest(".unseen, .skip, :disabled, option")) continue;
  const ratio = contrast(numbers(getComputedStyle(element).color).slice(0, 3), ground(element));
  if (ratio < 4.5) wrong.push(`contrast ${ratio.toFixed(2)}: ${node.data.trim().slice(0, 40)}`);
}
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) wrong.push(`id twice: ${id}`);
for (const name of ["aria-labelledby", "aria-describedby", "aria-activedescendant", "for", "list"]) {
  for (const element of document.querySelectorAll(`[${name}]`)) {
    for (const id of element.getAttribute(name).split(" ")) if (!document.getElementById(id)) wrong.push(`${name}: no ${id}`);
  }
}
const levels = [...document.querySelectorAll("h1, h2, h3, h4")].filter(shown).map((heading) => Number(heading.tagName[1]));
if (levels.filter((level) => level === 1).length !== 1) wrong.push(`h1: ${levels}`);
levels.forEach((level, index) => { if (index && level > levels[index - 1] + 1) wrong.push(`heading levels: ${levels}`); });
for (const table of document.querySelectorAll("table")) {
  if (!table.caption?.textContent) wrong.push("a table without a caption");
  if (table.querySelector("th:not([scope])")) wrong.push("a heading cell without scope");
}
for (const tag of ["header", "nav", "main"]) if (!document.querySelector(tag)) wrong.push(`no ${tag}`);
if (!document.querySelector("[role=status][aria-live=polite]")) wrong.push("no live region");
if (!document.documentElement.lang || !document.title) wrong.push("no language or title");
for (const image of document.images) if (!image.hasAttribute("alt")) wrong.push("an image without alt");
for (const element of document.querySelectorAll("button, input, select, summary, .bar a, .row")) {
  const box = element.getBoundingClientRect();
  if (shown(element) && box.height > 0 && box.height < 18) wrong.push(`too small: ${element.outerHTML.slice(0, 60)}`);
}
if (document.querySelector("[style]:not(.row, .list-space), style, script:not([src])")) wrong.push("inline style or script");
if (document.documentElement.scrollWidth > innerWidth) wrong.push(`wider than the window by ${document.documentElement.scrollWidth - innerWidth}`);
return wrong;
"""

# Deque's rules, all of them but the experimental ones.
AXE = (pathlib.Path(importlib.util.find_spec("axe_playwright_python").origin).parent
       / "axe.min.js").read_text()
RUN_AXE = r"""
const [done] = arguments;
axe.run(document, { resultTypes: ["violations"], preload: false }).then(({ violations }) => done(violations.map(
  ({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map(({ html }) => html.slice(0, 120)) }))));
"""

# Roles that must have a name, wherever they stand.
NAMED = {"link", "button", "textbox", "searchbox", "combobox", "checkbox", "switch", "spinbutton",
         "listbox", "option", "dialog", "image", "table", "heading", "navigation", "DisclosureTriangle"}


def png(width, height):
    """A picture."""
    rows = b"".join(
        b"\0" + b"".join(bytes((x * 255 // width, y * 255 // height, 160)) for x in range(width))
        for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def fill(server):
    """What every view has something to show of."""
    client = server.client("ann")
    zone = {"zoneName": "Garden"}

    def post(path, body):
        reply = client.raw_post(path, body)
        expect("serverErrorCode" not in reply, f"{reply}")
        return reply

    post("/zones/modify", {"operations": [
        {"operationType": "create", "zone": {"zoneID": zone}},
        {"operationType": "create", "zone": {"zoneID": {"zoneName": "Shed"}}}]})
    post("/zones/modify", {"operations": [
        {"operationType": "delete", "zone": {"zoneID": {"zoneName": "Shed"}}}]})
    upload = post("/assets/upload", {"zoneID": zone, "tokens": [
        {"recordType": "Plant", "fieldName": "photo", "recordName": "rose"}]})
    photo = requests.post(
        upload["tokens"][0]["url"], data=png(320, 200), verify=server.ca,
        timeout=SECONDS_MAX).json()
    fields = {
        "photo": {"value": photo["singleFile"]}, "title": {"value": HOSTILE},
        "petals": {"value": 34}, "cells": {"value": LARGE}, "height": {"value": 1.25},
        "planted": {"value": 1768465800000, "type": "TIMESTAMP"},
        "where": {"value": {"latitude": 52.52, "longitude": 13.405}},
        "tags": {"value": ["red", "climbing"], "type": "STRING_LIST"},
        "root": {"value": "aGVsbG8gd29ybGQ=", "type": "BYTES"},
    }
    leaves = [{"operationType": "create", "record": {
        "recordName": f"leaf-{number:03}", "recordType": "Leaf", "parent": {"recordName": "rose"},
        "fields": {"of": {"value": {"recordName": "rose", "action": "NONE"}}}}}
        for number in range(60)]
    post("/records/modify", {"zoneID": zone, "operations": [
        {"operationType": "create",
         "record": {"recordName": "rose", "recordType": "Plant", "fields": fields}}, *leaves]})
    post("/records/modify", {"zoneID": zone, "operations": [
        {"operationType": "forceDelete", "record": {"recordName": "leaf-007"}}]})
    # One that fails, for the journal.
    client.raw_post("/records/modify", {"zoneID": zone, "operations": [
        {"operationType": "create", "record": {"recordName": "rose", "recordType": "Plant"}}]})
    post("/changes/zone", {"zones": [{"zoneID": zone}]})
    made = post("/tokens/create", {"apnsEnvironment": "development"})
    post("/tokens/register", {"apnsEnvironment": "development", "apnsToken": made["apnsToken"]})
    ask(server, "POST", "simulate", {
        "event": "share", "user": "ann", "with": "bob", "container": CONTAINER, "zone": "Garden"})
    ask(server, "POST", "simulate", {"event": "snapshot", "name": "planted"})
    ask(server, "POST", "faults", {"rules": ["zones/lookup by user bob -> delay 20ms"]})
    ask(server, "PUT", "options", {"check": True})
    client.raw_post("/changes/zone", {"zones": [{"zoneID": zone}], "resultLimit": 3})
    ask(server, "POST", "gates", {"name": "open", "when": "zones/lookup by user nobody"})


def ask(server, method, path, body=None):
    """An administrative request."""
    answer = requests.request(
        method, f"{server.url}/_mock/v1/{path}", json=body,
        headers=server.authorization, verify=server.ca, timeout=SECONDS_MAX)
    expect(answer.ok, answer.text)
    return answer.json()


def address(view, **parameters):
    return f"#/{view}" + (f"?{urllib.parse.urlencode(parameters)}" if parameters else "")


class Console:
    """The page, and somebody who has a keyboard only."""

    def __init__(self, driver, server):
        self.driver = driver
        self.server = server
        self.has_token = False

    def look(self, width, scheme="light"):
        """Sets the window's size and the colours."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": SIZES.get(width, 800), "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme},
                         {"name": "prefers-reduced-motion", "value": "reduce"}]})

    def open(self, place=""):
        if not self.has_token:
            # The page keeps the token for the tab.
            self.driver.get(self.server.ready["console"])
            self.has_token = True
        self.driver.get("about:blank")
        self.driver.get(f"{self.server.url}/{place}")
        self.wait_until_still()

    def run(self, script, *words):
        return self.driver.execute_script(script, *words)

    def wait(self, condition, why):
        def holds(_):
            return condition()
        WebDriverWait(self.driver, SECONDS_MAX, 0.1, [Exception]).until(holds, why)

    def wait_until_still(self):
        self.wait(lambda: self.run(
            "return document.querySelector('h1') && !document.querySelector('[aria-busy]')"
            " && !document.querySelector('main').textContent.includes('Loading…')"),
            "the page goes on loading")

    def press(self, *keys):
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def focused(self):
        """Tag, role and words of what has the focus."""
        return self.run(
            "const a = document.activeElement; return [a.tagName, a.getAttribute('role') ?? '',"
            " (a.labels?.[0]?.textContent ?? a.getAttribute('aria-label') ?? a.textContent).trim()]")

    def tab_to(self, words, tag=""):
        """Presses Tab until what has these words has the focus, which must be seen at each step."""
        for _ in range(TABS_MAX):
            self.press(Keys.TAB)
            here = self.focused()
            if here[0] != "BODY":
                outline = self.run(
                    "const s = getComputedStyle(document.activeElement);"
                    " return [s.outlineStyle, parseFloat(s.outlineWidth)]")
                expect(outline[0] != "none" and outline[1] >= 2, f"no focus is seen on {here}")
            if here[2].startswith(words) and (not tag or here[0] == tag.upper()):
                return
        raise AssertionError(f"Tab never came to “{words}”")

    def heading(self):
        return self.driver.find_element(By.TAG_NAME, "h1").text

    def go(self, view):
        """To a view by its link in the bar."""
        self.run("document.activeElement.blur(); scrollTo(0, 0); getSelection().removeAllRanges()")
        self.tab_to(view, "a")
        self.press(Keys.ENTER)
        self.wait(lambda: self.focused()[0] == "H1", f"{view}: the heading has no focus")
        self.wait_until_still()

    def enter(self, heading):
        """Follows the link that has the focus."""
        self.press(Keys.ENTER)
        self.wait(lambda: self.heading() == heading and self.focused()[0] == "H1",
                  f"no view “{heading}” came")
        self.wait_until_still()

    def expect_no_complaints(self):
        """No error in the browser's console, no request to anybody else."""
        complaints = [line for line in self.driver.get_log("browser") if line["level"] == "SEVERE"]
        expect(not complaints, f"{complaints}")
        for line in self.driver.get_log("performance"):
            message = json.loads(line["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                own = url.startswith((self.server.url + "/", "blob:" + self.server.url))
                expect(own or url.startswith(("about:", "chrome:", "data:")), f"asked for {url}")

    def audit(self, where):
        wrong = list(self.run(AUDIT))
        for node in self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]:
            role = node.get("role", {}).get("value")
            name = node.get("name", {}).get("value", "").strip()
            hidden = node.get("ignored") or role == "image" and not name
            if role in NAMED and not name and not hidden:
                wrong.append(f"a {role} without a name")
        if not self.run("return 'axe' in window"):
            self.run(AXE)
        for violation in self.driver.execute_async_script(RUN_AXE):
            wrong.append(f"{violation['id']}: {violation['nodes']}")
        expect(not wrong, f"{where}: {wrong[:5]}")


def text(page, selector):
    return page.driver.find_element(By.CSS_SELECTOR, selector).text


def press_button(page, words):
    page.run("document.activeElement.blur()")
    page.tab_to(words, "button")
    page.press(Keys.ENTER)


def has_dialog(page):
    return page.run("return document.querySelector('dialog[open]') !== null")


def retype(page, words):
    """Types something else into the field that has the focus."""
    page.run("document.activeElement.select()")
    page.press(words)


@contextlib.contextmanager
def console(world, name):
    server = world.start(name, "--seed", str(FIXTURE))
    fill(server)
    with chromium(world.folder / f"chromium-{name}", server.ca) as driver:
        yield Console(driver, server)
