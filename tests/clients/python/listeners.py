"""What an agent's author runs: a place to answer to, and a host with the agent's metadata document."""

import asyncio
import json
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlparse

from mcp.client.auth import AuthorizationCodeResult

CERTIFICATE = Path(__file__).resolve().parents[1] / "certificate.sh"
ANSWER_LIMIT = 30.0
"""Seconds that a person at the browser may take."""


class Callback:
    """Listens inside `with` for the browser that brings the answer."""

    def __enter__(self) -> "Callback":
        self.answers: asyncio.Queue[AuthorizationCodeResult] = asyncio.Queue()
        self.loop = asyncio.get_running_loop()
        self._serving = _serving(self._answer)
        self.url = f"http://127.0.0.1:{self._serving.__enter__()}/callback"
        return self

    def __exit__(self, *_: object) -> None:
        self._serving.__exit__(None, None, None)

    async def answer(self) -> AuthorizationCodeResult:
        """What came back."""
        return await asyncio.wait_for(self.answers.get(), ANSWER_LIMIT)

    def _answer(self, path: str) -> tuple[str, str]:
        asked = urlparse(path)
        # Browsers also ask for an icon.
        if asked.path == "/callback":
            answer = {name: values[0] for name, values in parse_qs(asked.query).items()}
            result = AuthorizationCodeResult.model_validate(answer)
            self.loop.call_soon_threadsafe(self.answers.put_nowait, result)
        return "text/plain", "You may close this window."


@contextmanager
def document_host(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of a metadata document, and what a server is told so that it reads it."""
    subprocess.run([CERTIFICATE, folder], check=True)
    certificate = folder / "certificate.pem"
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, folder / "key.pem")
    url = ""
    with _serving(lambda _: ("application/json", json.dumps(_document(url))), context) as port:
        url = f"https://localhost:{port}/client.json"
        yield url, {
            "STOA_OAUTH__CIMD": "true",
            "STOA_OAUTH__CIMD_PRIVATE_HOSTS": "localhost",
            "STOA_OAUTH__CIMD_CA_FILE": str(certificate),
        }


def _document(url: str) -> dict[str, object]:
    """A program on the person's machine may listen on any port, whichever the document names."""
    return {
        "client_id": url,
        "client_name": "Documented agent",
        "redirect_uris": ["http://127.0.0.1/callback"],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }


@contextmanager
def _serving(answer, context: ssl.SSLContext | None = None) -> Iterator[int]:
    """Serves what `answer` gives for a path: a content type and a text. The value is the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, text = answer(self.path)
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()
