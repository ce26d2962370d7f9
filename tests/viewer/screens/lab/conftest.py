"""The lab, opened by clicks."""

from __future__ import annotations

import pytest

from tests.viewer.driver import HeadlessDriver
from viewer.program import Program
from viewer.screens.lab.page import LabPage
from viewer.screens.screen import Screen


@pytest.fixture
def driver(program: Program) -> HeadlessDriver:
    """The lab as it is the first time, over an empty page."""
    program.open(Screen(program))
    program.open(LabPage(program))
    return HeadlessDriver(program, (320, 200), ratio=0.3)
