"""Set-up of all tests."""

from hypothesis import settings

# how long an example takes says how busy the machine is, not whether the answer is right
settings.register_profile("stakd", deadline=None)
settings.load_profile("stakd")
