"""The collector rests while it should, and never stays at rest."""

from __future__ import annotations

import gc

import pytest

from pipeline.events.collector import resting


def test_the_collector_rests_inside_and_works_again_after_an_error() -> None:
    with pytest.raises(ValueError, match="boom"), resting():
        assert not gc.isenabled()
        raise ValueError("boom")
    assert gc.isenabled()


def test_who_had_switched_it_off_finds_it_off() -> None:
    gc.disable()
    try:
        with resting():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
