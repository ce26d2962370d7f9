"""What tests ask of a running program, besides plain expressions; evaluated in its own process."""

from __future__ import annotations
