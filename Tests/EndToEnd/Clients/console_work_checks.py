"""What is done with the views of the console, by keyboard alone: records, clock, pending work, worlds, tokens."""

import requests
from common import CONTAINER, check, expect
from console_page import (
    DATABASE, LARGE, address, ask, console, has_dialog, press_button, retype, text)
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

RECORD = f"record?user=ann&container={CONTAINER}&zone=Garden&numbersAsStrings=true&name="


@check
def console_changes_records_by_the_rules_of_the_service(world):
    with console(world, "edit") as page:
        server = page.server
        page.look(1440)
        page.open(address("data", **DATABASE, zone="Garden", record="rose"))
        press_button(page, "Change…")
        page.wait(lambda: page.focused()[2] == "Fields", "no dialog")
        page.audit("the dialog of a change")
        fields = page.run("return document.activeElement.value")
        # One that is larger than JavaScript can tell, written as a number.
        retype(page, fields.replace('"34"', str(LARGE + 2)).replace('"red",', ""))
        # Meanwhile somebody else changes it.
        tag = ask(server, "GET", RECORD + "rose")["record"]["recordChangeTag"]
        ask(server, "POST", f"record?user=ann&container={CONTAINER}&zone=Garden", {
            "operationType": "update", "record": {
                "recordName": "rose", "recordChangeTag": tag,
                "fields": {"height": {"value": 2.5}}}})
        page.tab_to("Save", "button")
        page.press(Keys.ENTER)
        page.wait(lambda: "CONFLICT" in text(page, "dialog .failure"), "the change tag is not checked")
        # The browser notes the status 409 that was provoked here.
        page.driver.get_log("browser")
        page.tab_to("Save regardless of the tag")
        page.press(Keys.SPACE)
        page.tab_to("Save", "button")
        page.press(Keys.ENTER)
        page.wait(lambda: not has_dialog(page), "it is not saved")
        saved = ask(server, "GET", RECORD + "rose")["record"]["fields"]
        expect(saved["petals"]["value"] == str(LARGE + 2), f"{saved}")
        expect(saved["tags"]["value"] == ["climbing"], f"{saved}")
        expect(saved["height"]["value"] == "2.5", "what nobody changed here was overwritten")
        expect("photo" in saved, "the file was lost")
        page.wait(lambda: str(LARGE + 2) in text(page, ".detail"), "the change is not shown")
        press_button(page, "New record…")
        page.wait(lambda: has_dialog(page), "no dialog")
        page.tab_to("Name")
        page.press("tulip")
        page.tab_to("Type")
        page.press("Plant", Keys.ENTER)
        page.wait(lambda: text(page, ".record-name") == "tulip", "the new record is not shown")
        press_button(page, "Delete…")
        page.wait(lambda: has_dialog(page), "no dialog")
        page.tab_to("Delete", "button")
        page.press(Keys.ENTER)
        page.wait(lambda: "deleted" in text(page, ".detail .badge"), "its tombstone is not shown")
        page.expect_no_complaints()


@check
def console_finds_records_in_all_databases(world):
    with console(world, "find") as page:
        page.look(360)
        page.open(address("data", user="ann"))
        page.tab_to("Find a record")
        page.press("leaf-00", Keys.ENTER)
        page.wait(lambda: "10 records" in text(page, "main"), "not all are found")
        page.wait(lambda: "deleted" in text(page, "table"), "the deleted one is not found")
        page.tab_to("leaf-007", "a")
        page.press(Keys.ENTER)
        page.wait(lambda: text(page, ".record-name") == "leaf-007", "the record is not opened")
        page.expect_no_complaints()


@check
def console_shows_what_happens_at_once(world):
    with console(world, "live") as page:
        server = page.server
        page.look(1440)
        page.open(address("requests"))
        client = server.client("ann")
        client.raw_post("/zones/list", {})
        page.wait(lambda: text(page, ".row .row-name") == "zones/list", "the request does not come")
        page.open(address("data", **DATABASE, zone="Garden"))
        client.raw_post("/records/modify", {"zoneID": {"zoneName": "Garden"}, "operations": [
            {"operationType": "create",
             "record": {"recordName": "aster", "recordType": "Plant"}}]})
        page.wait(lambda: "changed since" in text(page, ".news"), "nothing tells of the change")
        press_button(page, "Show it")
        page.wait(lambda: text(page, ".row .row-name") == "aster", "the change is not shown")
        page.open(address("clock"))
        ask(server, "PUT", "clock", {"mode": "frozen", "now": "2026-01-15T08:30:00Z"})
        page.wait(lambda: "2026-01-15 08:30:00" in text(page, ".now"), "the clock is not shown")
        page.expect_no_complaints()


@check
def console_moves_the_clock_and_runs_pending_work(world):
    with console(world, "clock") as page:
        server = page.server
        ask(server, "PUT", "clock", {"mode": "frozen", "now": "2026-01-15T08:30:00Z"})
        page.look(360)
        page.open(address("clock"))
        press_button(page, "+ 1 day")
        page.wait(lambda: "2026-01-16 08:30:00" in text(page, ".now"), "a day is not a day")
        page.tab_to("Advance by")
        page.press("-1h30m", Keys.ENTER)
        page.wait(lambda: "2026-01-16 07:00:00" in text(page, ".now"), "it is not moved")
        page.tab_to("It advances")
        page.press(Keys.END)
        page.tab_to("Seconds per real second")
        retype(page, "3600")
        page.press(Keys.ENTER)
        page.wait(lambda: ask(server, "GET", "clock")["rate"] == 3600, "it has no rate")
        page.tab_to("Set it to")
        page.press("yesterday", Keys.ENTER)
        page.wait(lambda: "2026-01-15T08:30:00Z" in text(page, ".failure"), "the refusal is not shown")
        page.driver.get_log("browser")
        press_button(page, "Run manually")
        page.wait(lambda: ask(server, "GET", "options")["async"] == "manual", "the switch is not set")
        server.client("ann").raw_post("/records/modify", {
            "zoneID": {"zoneName": "Garden"}, "operations": [
                {"operationType": "create",
                 "record": {"recordName": "late", "recordType": "Plant"}}]})
        page.wait(lambda: ask(server, "GET", "pending")["pending"][1]["count"] == 1, "nothing is pending")
        press_button(page, "All of Update indexes")
        page.wait(lambda: "done" in page.run("return document.getElementById('status').textContent"),
                  "nothing says what was done")
        page.expect_no_complaints()


@check
def console_goes_from_world_to_world(world):
    with console(world, "worlds") as page:
        server = page.server
        page.look(1440)
        page.open(address("worlds"))
        press_button(page, "Create a namespace…")
        page.wait(lambda: has_dialog(page), "no dialog")
        page.audit("the dialog of a namespace")
        page.tab_to("Name")
        page.press("branch")
        page.tab_to("Begins with")
        page.press("C", Keys.ENTER)
        page.tab_to("Create", "button")
        page.press(Keys.ENTER)
        page.wait(lambda: "branch" in text(page, ".told"), "no namespace was made")
        page.audit("what is told of a new namespace")
        page.tab_to("branch", "a")
        page.press(Keys.ENTER)
        page.wait(lambda: text(page, "#world") == "branch", "the page does not say where it is")
        page.run("location.hash = arguments[0]", address("data", **DATABASE, zone="Garden", record="rose"))
        page.wait(lambda: text(page, ".record-name") == "rose", "the fork has no data")
        page.wait(lambda: page.run("return document.querySelector('.preview img')?.naturalWidth") == 320,
                  "the picture of the fork is not shown")
        page.run("location.hash = arguments[0]", address("data", **DATABASE, zone="Garden", record="leaf-001"))
        page.wait(lambda: text(page, ".record-name") == "leaf-001", "the record is not opened")
        page.wait_until_still()
        press_button(page, "Delete…")
        page.wait(lambda: has_dialog(page), "no dialog")
        page.tab_to("Delete", "button")
        page.press(Keys.ENTER)
        page.wait(lambda: "deleted" in text(page, ".detail .badge"), "it is not deleted")
        expect("record" in ask(server, "GET", RECORD + "leaf-001"), "the other world was changed")
        page.go("Snapshots")
        press_button(page, "Delete…")
        page.wait(lambda: has_dialog(page), "no dialog")
        page.tab_to("Delete", "button")
        page.press(Keys.ENTER)
        page.wait(lambda: not ask(server, "GET", "namespaces")["namespaces"], "it is not deleted")
        page.wait(lambda: page.run("return location.pathname") == "/", "the page stays in it")
        page.open(address("worlds"))
        press_button(page, "Restore… planted")
        page.wait(lambda: has_dialog(page), "no dialog")
        page.tab_to("Restore", "button")
        generation = ask(server, "GET", "health")["generation"]
        page.press(Keys.ENTER)
        page.wait(lambda: ask(server, "GET", "health")["generation"] > generation, "nothing is restored")
        press_button(page, "Discard… planted")
        page.wait(lambda: has_dialog(page), "no dialog")
        page.tab_to("Discard", "button")
        page.press(Keys.ENTER)
        page.wait(lambda: not ask(server, "GET", "snapshots")["snapshots"], "it is not forgotten")


@check
def console_reads_change_tokens(world):
    with console(world, "tokens") as page:
        page.look(360)
        reply = page.server.client("ann").raw_post(
            "/changes/zone", {"zones": [{"zoneID": {"zoneName": "Garden"}}]})
        page.open(address("devices"))
        page.tab_to("Token")
        page.press(reply["zones"][0]["syncToken"])
        page.tab_to("Decode", "button")
        page.press(Keys.ENTER)
        page.wait(lambda: "nothing new" in text(page, ".panel .facts"), "the token is not read")
        expect("Garden of ann" in text(page, ".panel .facts"), "the feed is not named")
        page.audit("a token that was read")
        page.expect_no_complaints()
        page.tab_to("Token")
        retype(page, "nonsense")
        page.tab_to("Decode", "button")
        page.press(Keys.ENTER)
        page.wait(lambda: "not a change token" in text(page, ".failure"), "the refusal is not shown")
