"""What the tests do with a client, step by step."""

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from stoa import Stoa

READING = ["things:read", "resources:read"]
EVERYTHING = [*READING, "things:write", "resources:command"]
PAGE_LENGTH = 8_000
"""Characters of text that `get_thing` answers at most."""
SYNC_LIMIT = 180.0
"""Seconds that a sync of the sample may take."""


@dataclass
class Endpoint:
    """An MCP endpoint, and how the client is to speak with it."""

    stoa: Stoa
    mode: str
    revision: str
    mount: str
    url: str
    token: str

    @asynccontextmanager
    async def connect(self, token: str | None = None, statuses: list[int] | None = None) -> AsyncIterator[Client]:
        """A connected client; `statuses` collects the HTTP statuses of what the server answered."""

        async def note(response: httpx2.Response) -> None:
            if statuses is not None:
                statuses.append(response.status_code)

        headers = {"Authorization": f"Bearer {token or self.token}"}
        async with httpx2.AsyncClient(headers=headers, event_hooks={"response": [note]}, timeout=60) as http:
            async with Client(streamable_http_client(self.url, http_client=http), mode=self.mode) as client:
                yield client


async def call(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    """What a tool answers, given that it succeeds."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def tool_names(client: Client) -> list[str]:
    return sorted(tool.name for tool in (await client.list_tools()).tools)


async def finished(client: Client, run_id: str) -> dict[str, Any]:
    """The run once it is over; asks less and less often, to stay below the caller's limit."""
    deadline = time.monotonic() + SYNC_LIMIT
    pause = 0.1
    while True:
        runs = (await call(client, "list_runs"))["runs"]
        run = next(run for run in runs if run["id"] == run_id)
        if run["status"] not in ("queued", "running"):
            return run
        assert time.monotonic() < deadline, run
        await anyio.sleep(pause)
        pause = min(pause * 2, 3.0)


async def find_document(client: Client, stoa: Stoa) -> dict[str, Any]:
    """The sample's document, found by a phrase in its text."""
    found = await call(client, "search_things", query=f'"{stoa.phrase}"')
    assert found["total"] >= 1
    assert (found["completeness"]["synced"], found["completeness"]["of"]) == (1, 1)
    return next(thing for thing in found["things"] if stoa.document_key in (r["key"] for r in thing["references"]))


async def whole_text(client: Client, thing_id: str) -> list[str]:
    """All pages of a thing's text, each within the page's length and beginning where the last one ended."""
    pages: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = await call(client, "get_thing", id=thing_id, offset=offset)
        assert len(page["body"]) <= PAGE_LENGTH
        assert page["body_truncated"] == ("next_offset" in page)
        if page["body_truncated"]:
            assert page["next_offset"] == offset + len(page["body"])
        pages.append(page["body"])
        offset = page.get("next_offset")
    return pages
