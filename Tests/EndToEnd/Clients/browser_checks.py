"""A page in Chromium that uses the service as CloudKit JS does, without any library."""

import contextlib
import functools
import http.server
import os
import pathlib
import subprocess
import threading
import urllib.parse

from common import CONTAINER, SECONDS_MAX, check, expect
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

HERE = pathlib.Path(__file__).parent


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Says nothing: a check prints one line."""


@contextlib.contextmanager
def origin():
    """Where the page comes from: another origin than the service."""
    handler = functools.partial(Handler, directory=str(HERE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://localhost:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def chromium(folder, authority):
    """A browser of its own that trusts the authority beside the usual ones."""
    database = folder / ".pki" / "nssdb"
    database.mkdir(parents=True)
    for words in (["-N", "--empty-password"], ["-A", "-t", "C,,", "-n", "mock", "-i", authority]):
        subprocess.run(
            ["certutil", "-d", f"sql:{database}", *words], check=True, timeout=SECONDS_MAX)
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.add_argument(f"--user-data-dir={folder / 'profile'}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(
        "/usr/bin/chromedriver", env={**os.environ, "HOME": str(folder)})
    driver = webdriver.Chrome(options, service)
    try:
        yield driver
    finally:
        driver.quit()


def told(driver):
    return driver.find_element(By.TAG_NAME, "p").text


def wait_for(driver, text):
    """Waits until the page says the text, or that it failed."""
    WebDriverWait(driver, SECONDS_MAX).until(
        lambda driver: told(driver) == text or told(driver).startswith("failed"))
    expect(told(driver) == text, told(driver))


@check
def chromium_signs_in_saves_uploads_and_is_pushed_to(world):
    server = world.server
    place = urllib.parse.urlencode(
        {"server": server.url, "token": server.ready["apiToken"], "container": CONTAINER})
    folder = world.folder / "chromium"
    with origin() as page, chromium(folder, server.ca) as driver:
        driver.get(f"{page}/page.html#{place}")
        wait_for(driver, "signed out")
        here = driver.current_window_handle
        driver.find_element(By.TAG_NAME, "button").click()
        WebDriverWait(driver, SECONDS_MAX).until(
            lambda driver: len(driver.window_handles) == 2, "no window was opened")
        driver.switch_to.window(next(h for h in driver.window_handles if h != here))
        driver.find_element(By.XPATH, "//button[contains(., 'ann')]").click()
        # The window closes itself once the page has the token.
        WebDriverWait(driver, SECONDS_MAX).until(
            lambda driver: len(driver.window_handles) == 1, "the window stays open")
        driver.switch_to.window(here)
        wait_for(driver, "waiting for a push")
        # Another device of the same person writes.
        reply = server.client("ann").raw_post(
            "/records/modify",
            {"zoneID": {"zoneName": "Shelf"},
             "operations": [{"operationType": "create",
                             "record": {"recordName": "persuasion", "recordType": "Book"}}]})
        expect("serverErrorCode" not in reply["records"][0], f"{reply}")
        wait_for(driver, "done")
