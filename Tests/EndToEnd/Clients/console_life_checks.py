"""What a view of the console has begun ends with it, and nothing is asked that nobody waits for."""

import requests
from common import SECONDS_MAX, check, expect
from console_page import DATABASE, address, ask, console
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

# Notes what the page asks for, and holds the answers to paths that hold a word back until they are let go.
WATCH = r"""
const [held] = arguments;
const real = window.fetch;
window.asked = [];
window.release = null;
const free = new Promise((done) => { window.release = done; });
window.fetch = async (url, init = {}) => {
  const entry = { path: url.replace(/.*\/_mock\/v1\//, ""), range: init.headers?.range ?? null, given: false };
  init.signal?.addEventListener("abort", () => { entry.given = true; });
  asked.push(entry);
  const answer = real(url, init);
  if (held && entry.path.startsWith(held)) { answer.catch(() => {}); await free; }
  return answer;
};
"""


def watch(page, held=""):
    page.run(WATCH, held)


def asked(page, start):
    """What was asked for that begins so: path, range, and whether it was given up."""
    return [entry for entry in page.run("return asked") if entry["path"].startswith(start)]


def go(page, place):
    page.run("location.hash = arguments[0]", place)


@check
def console_asks_nothing_for_a_view_that_was_left(world):
    with console(world, "left") as page:
        page.look(1440)
        page.open(address("requests"))
        watch(page)
        client = page.server.client("ann")
        client.raw_post("/zones/list", {})
        page.wait(lambda: asked(page, "journal"), "the journal is not asked for again")
        # Left while a filter that was typed is still to be asked for.
        page.run("const input = document.querySelector('.filters input'); input.value = 'records/*';"
                 " input.dispatchEvent(new Event('input')); location.hash = arguments[0]",
                 address("events"))
        page.wait(lambda: page.heading() == "Events", "the view does not change")
        count = len(asked(page, "journal"))
        client.raw_post("/zones/list", {})
        beats = len(asked(page, "health"))
        page.wait(lambda: len(asked(page, "health")) >= beats + 2, "the server's health is not asked for")
        expect(len(asked(page, "journal")) == count, "the journal is asked for by nobody")


@check
def console_gives_up_what_it_asked_for_a_view_that_was_left(world):
    with console(world, "given-up") as page:
        page.look(1440)
        page.open()
        watch(page, "record")
        go(page, address("data", **DATABASE, zone="Garden", record="rose"))
        page.wait(lambda: asked(page, "records") and asked(page, "record?"), "nothing is asked")
        go(page, address("faults"))
        page.wait(lambda: page.heading() == "Faults", "the view does not change")
        left = [entry["path"] for entry in asked(page, "record") if not entry["given"]]
        expect(not left, f"still waits for {left}")


@check
def console_lets_no_dialog_outlive_its_view(world):
    with console(world, "dialogs") as page:
        page.look(1440)
        page.open(address("faults"))
        page.tab_to("Add a fault", "button")
        page.press(Keys.ENTER)
        dialogs = "return document.querySelectorAll('dialog').length"
        page.wait(lambda: page.run(dialogs) == 1, "no dialog")
        go(page, address("events"))
        page.wait(lambda: page.heading() == "Events", "the view does not change")
        expect(page.run(dialogs) == 0, "the dialog is there without its view")
        page.wait_until_still()
        # What opens it comes too late.
        watch(page, "users")
        page.tab_to("Purge", "button")
        page.press(Keys.ENTER)
        page.wait(lambda: asked(page, "users"), "nothing is asked for the dialog")
        go(page, address("faults"))
        page.wait(lambda: page.heading() == "Faults", "the view does not change")
        page.run("release()")
        beats = len(asked(page, "faults"))
        ask(page.server, "POST", "faults", {"rules": ["zones/list by user bob -> delay 1ms"]})
        page.wait(lambda: len(asked(page, "faults")) > beats, "the view does not go on")
        expect(page.run(dialogs) == 0, "a dialog came after its view")


@check
def console_lists_once_at_a_time(world):
    with console(world, "once") as page:
        page.look(1440)
        page.open(address("data", **DATABASE))
        watch(page, "zones")
        again = page.driver.find_element(By.XPATH, "//button[.='Load again']")
        again.click()
        page.wait(lambda: len(asked(page, "zones")) == 1, "nothing is asked")
        again.click()
        page.wait(lambda: len(asked(page, "zones")) == 2, "it is not asked again")
        expect([entry["given"] for entry in asked(page, "zones")] == [True, False],
               "two lists are read side by side")
        page.run("release()")
        page.wait_until_still()
        expect("Garden" in page.driver.find_element(By.TAG_NAME, "table").text, "no list came")


@check
def console_closes_a_request_that_its_address_opened(world):
    with console(world, "closing") as page:
        page.look(1440)
        page.open(address("requests", entry=6))
        page.wait(lambda: page.run("return document.querySelector('.record-name')?.textContent")
                  == "records/modify", "the address opens no request")
        expect("entry=6" in page.run("return location.hash"), "the address lost its request")
        page.tab_to("Close", "a")
        page.press(Keys.ENTER)
        page.wait(lambda: "Choose a request" in page.driver.find_element(By.CLASS_NAME, "detail").text,
                  "the request stays open")


@check
def console_looks_into_files_without_fetching_them(world):
    with console(world, "files") as page:
        client = page.server.client("ann")
        zone = {"zoneName": "Garden"}
        text = "A line of a long letter.\n" * 100_000
        upload = client.raw_post("/assets/upload", {"zoneID": zone, "tokens": [
            {"recordType": "Letter", "fieldName": "file", "recordName": "letter"}]})
        file = requests.post(upload["tokens"][0]["url"], data=text.encode(),
                             verify=page.server.ca, timeout=SECONDS_MAX).json()["singleFile"]
        client.raw_post("/records/modify", {"zoneID": zone, "operations": [
            {"operationType": "create", "record": {
                "recordName": "letter", "recordType": "Letter",
                "fields": {"file": {"value": file}}}}]})
        page.look(1440)
        page.open()
        watch(page)
        go(page, address("data", **DATABASE, zone="Garden", record="letter"))
        page.wait(lambda: "long letter" in page.driver.find_element(By.CLASS_NAME, "preview").text,
                  "nothing of the file is shown")
        ranges = [entry["range"] for entry in asked(page, "asset")]
        expect(ranges == ["bytes=0-1023"], f"{ranges}")
        expect(len(page.driver.find_element(By.CLASS_NAME, "preview").text) < 2000, "too much is shown")
