"""The official Python client through the whole sign-in, with its own OAuth provider: it finds the authorization server,
says who it is, has a person press Connect in Chromium, redeems the code, and goes on when its token has run out."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

from conftest import ERAS, MOUNTS
from listeners import Callback, document_host
from stoa import ROOT, Stoa
from walk import call, tool_names


class Person:
    """Somebody at a browser, who presses Connect."""

    def __init__(self, link: str) -> None:
        words = ["node", "press.js", link]
        pipe = subprocess.PIPE
        self.browser = subprocess.Popen(words, cwd=ROOT / "tests" / "browser", stdin=pipe, stdout=pipe, text=True)
        assert self.browser.stdout.readline() == "signed in\n"

    async def press(self, address: str) -> None:
        """Opens the address and presses Connect; the browser goes on by itself."""
        self.browser.stdin.write(f"{address}\n")
        self.browser.stdin.flush()

    def leave(self) -> None:
        self.browser.communicate()
        assert self.browser.returncode == 0


class Storage(TokenStorage):
    """Keeps what a program keeps on its disk."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    with document_host(tmp_path_factory.mktemp("document")) as document:
        yield document


@pytest.fixture(scope="module")
def house(document: tuple[str, dict[str, str]]) -> Iterator[Stoa]:
    """A server that reads metadata documents of this machine."""
    with Stoa(document[1]) as stoa:
        yield stoa


@pytest.fixture(scope="module")
def person(house: Stoa) -> Iterator[Person]:
    person = Person(house.person_link())
    yield person
    person.leave()


@pytest.mark.parametrize("way", ["dynamic registration", "a metadata document"])
@pytest.mark.parametrize("path", MOUNTS.values())
@pytest.mark.parametrize("mode", ERAS)
async def test_signs_in(
    house: Stoa, person: Person, document: tuple[str, dict[str, str]], mode: str, path: str, way: str
) -> None:
    url = document[0] if way == "a metadata document" else None
    storage = Storage()
    with Callback() as callback:
        metadata = OAuthClientMetadata(client_name="Python agent", redirect_uris=[callback.url])
        provider = OAuthClientProvider(
            house.url + path, metadata, storage, person.press, callback.answer, client_metadata_url=url
        )
        async with httpx2.AsyncClient(auth=provider, timeout=60) as http:
            async with Client(streamable_http_client(house.url + path, http_client=http), mode=mode) as client:
                assert client.protocol_version == ERAS[mode]
                assert (storage.client.client_id == url) == (url is not None)
                assert "search_things" in await tool_names(client)
                assert (await call(client, "search_things"))["total"] == 0
                await outlive(client, provider, storage)


async def outlive(client: Client, provider: OAuthClientProvider, storage: Storage) -> None:
    """The agent calls on after its access token's hour, with another pair of tokens and without asking anybody."""
    before = storage.tokens
    provider.context.token_expiry_time = time.time() - 1
    provider.context.redirect_handler = None
    assert (await call(client, "search_things"))["total"] == 0
    assert storage.tokens.access_token != before.access_token
    assert storage.tokens.refresh_token != before.refresh_token
