"""Set-up of all tests."""

from __future__ import annotations

import pytest
from hypothesis import settings

# how long an example takes says how busy the machine is, not whether the answer is right
settings.register_profile("stakd", deadline=None)
settings.load_profile("stakd")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones, those of the real window, come first: who shares the work is then not left alone with them in the end."""
    items.sort(key=lambda item: "tests/viewer/window/" not in item.nodeid)
