"""One server for all tests; each combination of era and endpoint gets an installation of its own."""

from collections.abc import Iterator

import pytest

from stoa import Stoa
from walk import EVERYTHING, Endpoint

ERAS = {"legacy": "2025-11-25", "auto": "2026-07-28"}
"""The client's modes, each with the protocol revision that it must come to speak."""
MOUNTS = {"things": "/things/mcp", "all": "/mcp"}


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def stoa() -> Iterator[Stoa]:
    with Stoa() as stoa:
        yield stoa


@pytest.fixture(scope="module", params=[(mode, mount) for mode in ERAS for mount in MOUNTS], ids=" at ".join)
def endpoint(stoa: Stoa, request: pytest.FixtureRequest) -> Endpoint:
    mode, mount = request.param
    token = stoa.token(mount, EVERYTHING)
    return Endpoint(stoa, mode, ERAS[mode], mount, stoa.url + MOUNTS[mount], token)
