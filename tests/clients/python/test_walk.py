"""What an agent does with things, and what it is refused, with the official Python client in both its modes."""

import pytest
from mcp import MCPError

from walk import EVERYTHING, READING, Endpoint, call, find_document, finished, tool_names, whole_text

READING_TOOLS = [
    "check_resource",
    "describe_resource",
    "get_thing",
    "list_resources",
    "list_runs",
    "search_things",
]
ALL_TOOLS = sorted([*READING_TOOLS, "analyze_thing", "cancel_run", "sync_resource"])
UNKNOWN = -32602


async def test_speaks_the_revision_of_its_era(endpoint: Endpoint) -> None:
    async with endpoint.connect() as client:
        assert client.protocol_version == endpoint.revision


async def test_lists_the_tools_that_the_grant_opens(endpoint: Endpoint) -> None:
    async with endpoint.connect() as client:
        assert await tool_names(client) == ALL_TOOLS


async def test_syncs_the_folder_finds_a_document_and_reads_it_to_its_end(endpoint: Endpoint) -> None:
    stoa = endpoint.stoa
    async with endpoint.connect() as client:
        queued = await call(client, "sync_resource", resource_id=stoa.resource)
        assert queued["status"] == "queued"
        run = await finished(client, queued["run_id"])
        assert (run["status"], run["kind"], run["resource_id"]) == ("done", "sync", stoa.resource)
        thing = await find_document(client, stoa)
        pages = await whole_text(client, thing["id"])
        assert len(pages) > 1
        assert stoa.phrase in " ".join("".join(pages).split())


@pytest.mark.parametrize("arguments", [{"limit": 0}, {"query": 7}, {"colour": "red"}], ids=str)
async def test_a_bad_argument_is_an_answer_that_says_so(endpoint: Endpoint, arguments: dict[str, object]) -> None:
    async with endpoint.connect() as client:
        result = await client.call_tool("search_things", arguments)
        assert result.is_error
        assert result.structured_content["error"] == "ArgumentError"
        assert "ArgumentError" in result.content[0].text


async def test_an_unknown_tool_is_a_protocol_error(endpoint: Endpoint) -> None:
    async with endpoint.connect() as client:
        with pytest.raises(MCPError, match="Tool not found: no_such_tool") as caught:
            await client.call_tool("no_such_tool", {})
        assert caught.value.code == UNKNOWN


async def test_a_tool_outside_the_grant_does_not_exist(endpoint: Endpoint) -> None:
    reader = endpoint.stoa.token(endpoint.mount, READING)
    async with endpoint.connect(reader) as client:
        assert await tool_names(client) == READING_TOOLS
        with pytest.raises(MCPError, match="Tool not found: sync_resource") as caught:
            await client.call_tool("sync_resource", {"resource_id": endpoint.stoa.resource})
        assert caught.value.code == UNKNOWN


async def test_neither_a_wrong_token_connects_nor_one_of_another_mount(endpoint: Endpoint) -> None:
    other = "all" if endpoint.mount == "things" else "things"
    for token in ("wrong", endpoint.stoa.token(other, EVERYTHING)):
        statuses: list[int] = []
        with pytest.RaisesGroup(MCPError, flatten_subgroups=True):
            async with endpoint.connect(token, statuses):
                pass
        assert set(statuses) == {401}
