"""`cksweep login` in Chromium: its own page opens the service's, and is told the token by it."""

import json
import os
import subprocess
import urllib.parse

from browser_checks import chromium
from common import CONTAINER, SECONDS_MAX, check, expect
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait


def list_of(server, folder):
    """A container list that is signed in to."""
    path = folder / "list.json"
    path.write_text(json.dumps({
        "version": 1, "environment": "development",
        "server": {"url": server.url, "ca": server.ca},
        "containers": [{"identifier": CONTAINER, "recordTypes": []}],
        "credentials": {"apiToken": "env:API", "webAuthToken": "login"}}))
    return path


def sign_in(driver, address):
    """What a person does in the browser; gives what the page says at the end."""
    driver.get(address)
    here = driver.current_window_handle
    driver.find_element(By.ID, "go").click()
    WebDriverWait(driver, SECONDS_MAX).until(
        lambda driver: len(driver.window_handles) == 2, "no window was opened")
    driver.switch_to.window(next(h for h in driver.window_handles if h != here))
    driver.find_element(By.XPATH, "//button[contains(., 'ann')]").click()
    WebDriverWait(driver, SECONDS_MAX).until(
        lambda driver: len(driver.window_handles) == 1, "the window stays open")
    driver.switch_to.window(here)
    said = driver.find_element(By.ID, "status")
    WebDriverWait(driver, SECONDS_MAX).until(
        lambda _: "Signed in." in said.text or "refused" in said.text, "the page says nothing")
    return said.text


@check
def chromium_signs_a_person_in_for_every_verb(world):
    server = world.start("login", "--strict-tokens", "--user", "ann", "--container", CONTAINER)
    folder = world.folder / "login-chromium"
    folder.mkdir()
    # The address goes to whoever reads the pipe: the driver below is the browser.
    pipe, browser = folder / "address", folder / "browser"
    os.mkfifo(pipe)
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" > "{pipe}"\n')
    browser.chmod(0o755)
    scope = ["-c", str(list_of(server, folder)), "--state", str(folder / "state")]
    variables = {**os.environ, "API": server.ready["apiToken"], "BROWSER": str(browser)}
    with chromium(folder, server.ca) as driver:
        login = subprocess.Popen(
            [world.cksweep, "login", *scope], env=variables, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        try:
            with open(pipe, encoding="utf-8") as addresses:
                address = addresses.readline().strip()
            expect(urllib.parse.urlsplit(address).hostname == "127.0.0.1", address)
            expect("Signed in." in sign_in(driver, address), "the token was not taken")
            said, _ = login.communicate(timeout=SECONDS_MAX)
        finally:
            login.kill()
    expect(login.returncode == 0, said)
    token = next((folder / "state").rglob("*.development")).read_text().strip()
    expect(token not in said, "the token was printed")
    for verb in ("doctor", "plan", "doctor"):
        done = subprocess.run(
            [world.cksweep, verb, *scope], env=variables, text=True, timeout=SECONDS_MAX,
            capture_output=True)
        expect(done.returncode == 0, f"{verb}: {done.stdout}{done.stderr}")
