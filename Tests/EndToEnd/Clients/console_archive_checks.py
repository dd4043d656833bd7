"""The archive of a world in the console: it goes out as a file, and comes back as it was."""

import re

import requests
from common import SECONDS_MAX, check, expect
from console_page import address, ask, console, has_dialog, press_button, text
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


def exported(server):
    """The archive, as a program gets it."""
    return requests.get(
        f"{server.url}/_mock/v1/export", headers=server.authorization, verify=server.ca,
        timeout=SECONDS_MAX).content


def held(server):
    """How the console tells what a world holds."""
    databases = [database for database in ask(server, "GET", "summary")["databases"]
                 if database["database"] != "shared"]

    def counted(count, one):
        return f"{count:,} {one}{'' if count == 1 else 's'}"

    def total(key):
        return sum(database[key] for database in databases)

    return ", ".join([
        counted(len(ask(server, "GET", "users")["users"]), "account"),
        counted(len(databases), "database"), counted(total("zones"), "zone"),
        counted(total("records"), "record")]) + f" and {counted(total('assets'), 'file')}"


def choose(page, file):
    """Chooses a file, as no keyboard can here, and goes on to what asks whether it is meant."""
    page.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(file))
    press_button(page, "Import…")
    page.wait(lambda: has_dialog(page), "nobody asks whether it is meant")


@check
def console_exports_a_world_and_brings_it_back(world):
    with console(world, "archive") as page:
        server = page.server
        folder = server.folder / "downloads"
        folder.mkdir()
        page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {
            "behavior": "allow", "downloadPath": str(folder)})
        page.look(360)
        page.open()
        page.go("Snapshots")
        before = held(server)
        page.wait(lambda: before in text(page, "main"), "what an export holds is not told")
        page.tab_to("Export", "a")
        page.press(Keys.ENTER)
        file = folder / "cksweep.jsonl"
        page.wait(file.exists, "nothing is downloaded")
        archive = exported(server)
        expect(file.read_bytes() == archive, "the file is not the archive")
        ask(server, "POST", "reset", {"user": "ann"})
        ask(server, "POST", "users", {"name": "carol"})
        after = held(server)
        page.wait(lambda: after in text(page, "main"), "what an export holds now is not told")
        choose(page, file)
        asked = text(page, "dialog")
        expect(after in asked and "planted" in asked and file.name in asked, asked)
        page.audit("the question before an import")
        page.press(Keys.ESCAPE)
        page.wait(lambda: not has_dialog(page), "Escape does not close the dialog")
        expect(exported(server) != archive, "it is imported although nobody said so")
        press_button(page, "Import…")
        page.wait(lambda: has_dialog(page), "no dialog")
        page.tab_to("Replace everything", "button")
        page.press(Keys.ENTER)
        page.wait(lambda: before in text(page, ".told"), "what was imported is not told")
        page.audit("what is told of an import")
        page.wait(lambda: before in text(page, ".panels"), "what there is now is not told")
        expect(exported(server) == archive, "not all came back")
        page.expect_no_complaints()


@check
def console_says_where_an_archive_is_wrong(world):
    with console(world, "wrong") as page:
        server = page.server
        archive = exported(server)
        lines = archive.decode().splitlines(keepends=True)
        number, line = next(
            (number, line) for number, line in enumerate(lines, 1) if line.startswith('{"zone"'))
        lines[number - 1] = re.sub(r'"seq":\d+', '"seq":-1', line)
        file = server.folder / "wrong.jsonl"
        file.write_text("".join(lines))
        page.look(1440)
        page.open(address("worlds"))
        choose(page, file)
        page.tab_to("Replace everything", "button")
        page.press(Keys.ENTER)
        page.wait(lambda: re.search(
            rf"line {number}, column \d+: .*seq", text(page, "dialog .failure")),
            "it is not told where the archive is wrong")
        expect(exported(server) == archive, "something was changed")
        page.driver.get_log("browser")
        # Mended meanwhile, which the browser lets nobody read unless it is chosen again.
        file.write_text("mended")
        page.press(Keys.ENTER)
        page.wait(lambda: "Choose it again" in text(page, "dialog .failure"),
                  "it is not told that the file has changed")
        page.press(Keys.ESCAPE)
        choose(page, file)
        page.tab_to("Replace everything", "button")
        page.press(Keys.ENTER)
        page.wait(lambda: "line 1" in text(page, "dialog .failure"), "what is no archive is not refused")
        expect(exported(server) == archive, "something was changed")
