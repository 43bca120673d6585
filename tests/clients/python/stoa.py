"""The real binary, serving a folder of real documents from a data folder of its own."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BINARY = os.environ.get("STOA_BIN", str(TARGET / "debug" / "stoa"))
ACCOUNT = "ada@example.com"
START_LIMIT = 30.0
"""Seconds that the server may take to be ready."""
STOP_LIMIT = 30.0
"""Seconds that the server may take to end when asked to."""


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Stoa:
    """A server that is ready inside `with`, with one account and the documents as the resource `docs`."""

    def __init__(self, settings: dict[str, str] | None = None) -> None:
        """`settings` are variables of the server's environment."""
        self.folder = Path(tempfile.mkdtemp(prefix="stoa-clients-"))
        port = free_port()
        self.url = f"http://localhost:{port}"
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("STOA_")}
        self.environment = {
            **inherited,
            "STOA_DATA": str(self.folder / "data"),
            "STOA_LISTEN": f"127.0.0.1:{port}",
            "STOA_PUBLIC_URL": self.url,
            **(settings or {}),
        }
        self.log = self.folder / "server.log"
        self.server: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Stoa":
        try:
            self._prepare()
            self._serve()
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Asks the server to stop, as an operator would, and holds it to a clean exit."""
        try:
            self.server.send_signal(signal.SIGTERM)
            code = self.server.wait(STOP_LIMIT)
            assert code == 0, f"exit code {code}\n{self.log.read_text()}"
        finally:
            self._remove()

    def command(self, *words: str) -> str:
        """Runs a command and answers what it printed."""
        done = subprocess.run(
            [BINARY, *words],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        )
        return done.stdout.strip()

    def person_link(self) -> str:
        """A link, good once, by which the person of the account chooses a password and is signed in."""
        return self.command("account", "reset", ACCOUNT)

    def token(self, mount: str, scopes: list[str]) -> str:
        """A personal token for `mount`, an installation of its own, with `scopes`."""
        return self.command("token", "add", "--account", ACCOUNT, "--mount", mount, "--scopes", " ".join(scopes))

    def _prepare(self) -> None:
        documents = self.folder / "documents"
        sample = subprocess.run(
            [ROOT / "scripts" / "sample-docs.sh", documents], stdout=subprocess.PIPE, check=True, text=True
        )
        self.document_key, self.phrase = sample.stdout.strip().split("\n")
        self.command("account", "add", ACCOUNT)
        self.resource = self.command(
            "things", "add", "--connector", "folder", "--name", "docs", "--set", f"path={documents}"
        )

    def _serve(self) -> None:
        with self.log.open("wb") as log:
            self.server = subprocess.Popen(
                [BINARY, "serve"],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + START_LIMIT
        while not self._ready():
            assert self.server.poll() is None, f"the server ended at its start\n{self.log.read_text()}"
            assert time.monotonic() < deadline, f"the server is not ready\n{self.log.read_text()}"
            time.sleep(0.05)

    def _ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz") as answer:
                return answer.status == 200
        except (urllib.error.URLError, ConnectionError):
            return False

    def _remove(self) -> None:
        if self.server is not None and self.server.poll() is None:
            self.server.kill()
            self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
