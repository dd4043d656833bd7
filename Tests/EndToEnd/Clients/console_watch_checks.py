"""What the console tells of clients: what they do wrong, who waits at gates, why an answer is what it is."""

import concurrent.futures
import contextlib

from common import check, expect
from console_page import (
    address, ask, console, has_dialog, press_button, retype, text)
from pyicloud.exceptions import PyiCloudException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

GARDEN = {"zoneID": {"zoneName": "Garden"}}


def rows(page, caption):
    """The texts of the rows of a table; none where it is not there."""
    return page.run(
        "const table = [...document.querySelectorAll('table')].find(({ caption }) =>"
        " caption.textContent.startsWith(arguments[0]));"
        " return [...table?.tBodies[0].rows ?? []].map(({ textContent }) => textContent)", caption)


def badge(page):
    """The count beside the view's name; empty where there is none."""
    return page.run("const a = document.querySelector('a[href=\"#/findings\"] .badge');"
                    " return a.hidden ? '' : a.textContent")


@check
def console_shows_what_clients_do_wrong(world):
    with console(world, "findings") as page:
        server = page.server
        client = server.client("ann")
        ask(server, "DELETE", "findings")
        ask(server, "PUT", "options", {"check": False})
        page.look(360)
        page.open()
        page.go("Findings")
        known = [rule["rule"] for rule in ask(server, "GET", "findings")["rules"]]
        page.wait(lambda: [row.split(" ")[0] for row in rows(page, "Rules of the linter")]
                  and all(row.startswith(rule) for row, rule in
                          zip(rows(page, "Rules of the linter"), known, strict=True)),
                  "it is not told what is looked for")
        expect("--check" in text(page, ".empty"), "it is not told how the linter is turned on")
        client.raw_post("/changes/zone", {"zones": [GARDEN], "resultLimit": 3})
        press_button(page, "Turn it on")
        page.wait(lambda: ask(server, "GET", "options")["check"], "the linter is not turned on")
        page.wait(lambda: "No client did anything wrong" in text(page, ".empty"), "it is not told that all is well")
        client.raw_post("/changes/zone", {"zones": [GARDEN], "resultLimit": 3})
        page.wait(lambda: len(rows(page, "Findings")) == 1, "what was found is not shown")
        found = ask(server, "GET", "findings")["findings"][0]
        for key in ("rule", "message", "instead", "user", "zone"):
            if key in found:
                expect(found[key] in rows(page, "Findings")[0], f"{key} is not shown")
        page.wait(lambda: badge(page) == "1", "the bar does not count it")
        page.audit("findings")
        # What is undone counts once the clients have ended.
        ask(server, "POST", "faults", {"rules": ["changes/zone once -> empty page"]})
        client.raw_post("/changes/zone", {"zones": [GARDEN]})
        expect(len(ask(server, "GET", "findings")["findings"]) == 1, "it is found too early")
        page.tab_to("The clients have ended")
        page.press(Keys.SPACE)
        page.wait(lambda: any("stopped-early" in row for row in rows(page, "Findings")),
                  "what clients left undone is not shown")
        page.wait_until_still()
        # The last of its requests is the proof.
        page.tab_to(f"Request {found['requests'][-1]}", "a")
        page.press(Keys.ENTER)
        page.wait(lambda: page.run("return document.querySelector('.record-name')?.textContent")
                  == "changes/zone", "the request is not opened")
        expect(f"Number{found['requests'][-1]}" in text(page, ".detail .facts").replace("\n", ""),
               "another request is opened")
        page.go("Findings")
        press_button(page, "Discard all…")
        page.wait(lambda: has_dialog(page), "no dialog")
        page.tab_to("Discard all", "button")
        page.press(Keys.ENTER)
        page.wait(lambda: not ask(server, "GET", "findings")["findings"], "nothing is forgotten")
        page.wait(lambda: badge(page) == "", "the bar goes on to count them")
        page.expect_no_complaints()
        page.open(address("findings", rule="old-tokn"))
        page.wait(lambda: "did you mean" in text(page, "main .failure"), "the refusal is not shown")


@check
def console_releases_who_waits_at_gates(world):
    with (console(world, "gates") as page,
          concurrent.futures.ThreadPoolExecutor(8) as requests):
        server = page.server
        asked = []

        def waiting():
            return [held["number"] for gate in ask(server, "GET", "gates")["gates"]
                    if gate["name"] == "g" for held in gate["waiting"]]

        def ask_and_wait(count):
            for _ in range(count):
                before = len(waiting())
                asked.append(requests.submit(server.client("ann").raw_post, "/zones/list", {}))
                page.wait(lambda: len(waiting()) == before + 1, "the request does not wait")  # noqa: B023

        def answered():
            return sum(one.done() for one in asked)

        def expect_left(numbers, why):
            page.wait(lambda: waiting() == numbers, why)
            page.wait(lambda: answered() == len(asked) - len(numbers), "a request does not go on")
            page.wait(lambda: [row.split("zones/list")[0] for row in rows(
                page, "Requests that wait at g")] == [f"number {number}" for number in numbers],
                "it is shown otherwise")

        page.look(360)
        page.open()
        page.go("Gates")
        try:
            press_button(page, "Add a gate…")
            page.wait(lambda: has_dialog(page), "no dialog")
            page.audit("the dialog of a gate")
            page.tab_to("Name")
            page.press("g")
            page.tab_to("Which requests wait")
            page.press("zones/lst", Keys.ENTER)
            page.wait(lambda: "zones/list" in text(page, "dialog .failure"), "the refusal is not shown")
            # The browser notes the status 400 that was provoked here.
            page.driver.get_log("browser")
            page.tab_to("Which requests wait")
            retype(page, "zones/list")
            page.tab_to("They wait")
            page.press("b")
            page.tab_to("Seconds until")
            retype(page, "500")
            page.press(Keys.ENTER)
            page.wait(lambda: not has_dialog(page), "no gate is added")
            rule = [rule["text"] for rule in ask(server, "GET", "faults")["rules"]
                    if rule["id"] == "gate-g"]
            expect(rule == ["zones/list -> hold g at before-commit deadline 500s"], f"{rule}")
            ask_and_wait(6)
            page.wait(lambda: len(rows(page, "Requests that wait at g")) == 6, "who waits is not shown")
            expect("zones/list" in rows(page, "Requests that wait at g")[0], "what waits is not shown")
            page.audit("a gate where requests wait")
            press_button(page, "Release number 2")
            expect_left([1, 3, 4, 5, 6], "not the chosen one is released")
            press_button(page, "Release the next at g")
            expect_left([3, 4, 5, 6], "not the first is released")
            press_button(page, "Release some… at g")
            page.wait(lambda: has_dialog(page), "no dialog")
            page.tab_to("How many")
            retype(page, "3")
            page.press(Keys.ENTER)
            expect_left([6], "not three are released")
            ask_and_wait(1)
            press_button(page, "Release all at g")
            expect_left([], "not all are released")
            page.expect_no_complaints()
            # Somebody else takes the gate away meanwhile.
            ask_and_wait(2)
            page.wait(lambda: len(rows(page, "Requests that wait at g")) == 2, "who waits is not shown")
            press_button(page, "Release some… at g")
            page.wait(lambda: has_dialog(page), "no dialog")
            ask(server, "DELETE", "gates?name=g")
            page.press(Keys.ENTER)
            page.wait(lambda: "no gate" in text(page, "dialog .failure"), "the refusal is not shown")
            page.press(Keys.ESCAPE)
            page.driver.get_log("browser")
            page.wait(lambda: not rows(page, "Requests that wait at g"), "the gate is shown still")
            press_button(page, "Remove… open")
            page.wait(lambda: has_dialog(page), "no dialog")
            page.tab_to("Remove", "button")
            page.press(Keys.ENTER)
            page.wait(lambda: not ask(server, "GET", "gates")["gates"], "the gate is not removed")
            page.wait(lambda: "No gate is set" in text(page, ".empty"), "the gate is shown still")
            page.expect_no_complaints()
        finally:
            # Nobody is left waiting for an answer.
            ask(server, "DELETE", "gates")
        expect(all("zones" in one.result() for one in asked), "a request was not carried out")


@check
def console_says_why_a_request_was_answered_so(world):
    with console(world, "why") as page:
        server = page.server
        client = server.client("ann")
        ask(server, "POST", "faults", {"rules": ["tokens/create -> THROTTLED retry 2s"]})
        for path, body in (("/tokens/create", {"apnsEnvironment": "development"}),
                           ("/zones/lookup", {"zones": [{"zoneID": {"zoneName": "Nowhere"}}]}),
                           ("/zones/list", {})):
            with contextlib.suppress(PyiCloudException):
                client.raw_post(path, body)
        entries = ask(server, "GET", "journal?last=20")["entries"]
        rules = set()
        page.look(1440)
        page.open(address("requests"))
        for entry in entries:
            page.run("location.hash = arguments[0]", address("requests", entry=entry["number"]))
            page.wait(lambda: page.driver.title.split(" –")[0] == f"Request {entry['number']}", "it is not opened")  # noqa: B023
            told = ask(server, "GET", f"explain?request={entry['number']}")
            page.wait(lambda: page.focused()[0] == "H2", "the request has no focus")
            page.tab_to("Why this response?", "button")
            page.press(Keys.ENTER)
            page.wait(lambda: page.focused()[2] == "Why this response", "the answer has no focus")
            page.wait_until_still()
            reasons = [item.text for item in page.driver.find_elements(By.CSS_SELECTOR, ".reasons > li")]
            expect(len(reasons) == len(told["findings"]), f"{reasons}")
            if not reasons:
                expect("Nothing was refused" in text(page, ".detail"), "it is not told that all is well")
            for reason, finding in zip(reasons, told["findings"], strict=True):
                for key in ("item", "code", "fault", "facts", "request", "response", "status", "source", "date"):
                    expect(finding.get(key, "") in reason, f"{key} of {finding} is not in {reason}")
                rules.add(finding.get("rule") or finding.get("fault"))
        expect(len(rules) >= 3, f"too few rules were met: {rules}")
        page.audit("why an answer is what it is")
        page.expect_no_complaints()
        failed = next(entry for entry in entries if entry.get("failures"))
        page.open(address("requests", entry=failed["number"]))
        page.tab_to("Pause", "button")
        page.press(Keys.ENTER)
        ask(server, "DELETE", "journal")
        page.tab_to("Why this response?", "button")
        page.press(Keys.ENTER)
        page.wait(lambda: "no request" in text(page, ".detail [role=alert]"), "the refusal is not shown")
