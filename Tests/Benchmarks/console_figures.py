"""Figures of the console, the mock server's page."""

import statistics
import tempfile

from servers import BenchError, MockServer

OPENINGS = 5
PAINT = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"


def first_paint(binary, here):
    """From the navigation to the first text in Chromium, nothing of the page being cached."""
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.support.wait import WebDriverWait

    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    # Whether the authority is trusted does not change what is measured.
    options.accept_insecure_certs = True
    with tempfile.TemporaryDirectory(prefix="cksweep-bench-chromium-") as profile, \
            MockServer(f"{binary}/cloudkit-mock") as mock:
        options.add_argument(f"--user-data-dir={profile}")
        try:
            driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
        except WebDriverException as error:
            raise BenchError(f"Chromium did not start: {error}") from error
        try:
            driver.execute_cdp_cmd("Network.enable", {})
            driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
            times = []
            for _ in range(OPENINGS):
                driver.get("about:blank")
                driver.get(mock.url + "/")
                times.append(WebDriverWait(driver, 60).until(lambda page: page.execute_script(PAINT)))
        except WebDriverException as error:
            raise BenchError(f"the page was not painted: {error}") from error
        finally:
            driver.quit()
    return {"mock.console_first_paint_ms": statistics.median(times)}
