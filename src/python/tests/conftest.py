"""Games that several tests share."""

import pytest

import tesuji_puzzles as tesuji

SMALL = "ostle:4x4,pieces=3,losses=2"


@pytest.fixture(scope="session")
def small() -> tesuji.Game:
    return tesuji.open(SMALL)


@pytest.fixture(scope="session")
def tiny() -> tesuji.Game:
    return tesuji.open("ostle:3x3,pieces=2,losses=2")
