"""A peer of the bench: FastMCP's server, stateless, with one tool. It asks nobody who they are.

python server.py PORT
"""

import sys

import uvicorn
from fastmcp import FastMCP
from starlette.requests import Request
from starlette.responses import PlainTextResponse

server = FastMCP("peer")


@server.tool
def echo(text: str) -> str:
    """Says what it is told."""
    return text


@server.custom_route("/readyz", methods=["GET"])
async def ready(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("ready\n")


app = server.http_app(path="/things/mcp", stateless_http=True, json_response=True)
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", access_log=False)
