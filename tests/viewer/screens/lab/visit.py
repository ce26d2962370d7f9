"""What the tests of the lab share: the lab as it is the first time, and waiting for what goes on beside it."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.viewer.driver import HeadlessDriver
from viewer.screens.lab.page import LabPage


def lab(driver: HeadlessDriver) -> LabPage:
    """The page."""
    assert isinstance(driver.program.screen, LabPage)
    return driver.program.screen


def wait(driver: HeadlessDriver, met: Callable[[], bool], seconds: float = 60.0) -> None:
    """Let frames pass, in real time, until something is so."""
    end = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < end, "it never came to that"
        driver.frame(1)
        time.sleep(0.01)
    driver.frame(3)
