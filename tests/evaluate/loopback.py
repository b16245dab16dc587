"""A server on this machine that speaks chat completions and misbehaves as it is told."""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    """One response: a status, a body as it goes over the wire, and how it is spoiled on the way.

    `hang`: seconds before anything is sent; `dribble`: seconds between single bytes; `cut`: bytes after which the
    connection is closed; `reset`: the connection is closed before anything is sent.
    """

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: float = 0.0
    dribble: float = 0.0
    cut: int | None = None
    reset: bool = False


def completion(
    text: Any, finish_reason: str = "stop", usage: dict[str, int] | None = None, **message: Any
) -> dict[str, Any]:
    """A whole chat completion, as a JSON value."""
    return {
        "id": "completion-1",
        "object": "chat.completion",
        "created": 0,
        "model": "loopback",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish_reason,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
        "usage": usage or {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


def reply(text: Any, finish_reason: str = "stop", usage: dict[str, int] | None = None, **message: Any) -> Said:
    return Said(json.dumps(completion(text, finish_reason, usage, **message)).encode())


def error(status: int, message: str = "no", **headers: str) -> Said:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Said(json.dumps({"error": {"message": message, "type": "error"}}).encode(), status, named)


Behaviour = Callable[[dict[str, Any]], Said]
"""From the body of a request to the response."""


def prompt_of(request: dict[str, Any]) -> str:
    """The last text of a request."""
    content = request["messages"][-1]["content"]
    return str(content if isinstance(content, str) else content[-1]["text"])


@dataclass(slots=True)
class Loopback:
    """A running server: where it is, and every request that it got, with its headers."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that give up are part of the tests."""


@contextmanager
def loopback(behave: Behaviour) -> Iterator[Loopback]:
    """A server that answers each request as `behave` says, from here to the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
            pass

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with server_state.lock:
                server_state.requests.append(request)
                server_state.headers.append(dict(self.headers.items()))
                server_state.under_way += 1
                server_state.most_under_way = max(server_state.most_under_way, server_state.under_way)
            try:
                self._say(behave(request))
            finally:
                with server_state.lock:
                    server_state.under_way -= 1

        def _say(self, said: Said) -> None:
            if said.hang:
                time.sleep(said.hang)
            if said.reset:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()
                return
            head = [f"HTTP/1.1 {said.status} Said", "Content-Type: application/json"]
            head += [f"Content-Length: {len(said.body)}", *(f"{name}: {value}" for name, value in said.headers.items())]
            head_bytes = ("\r\n".join(head) + "\r\n\r\n").encode()
            if said.dribble:
                self.wfile.write(head_bytes)
                for byte in said.body:
                    self.wfile.write(bytes([byte]))
                    time.sleep(said.dribble)
                return
            self.wfile.write(head_bytes + said.body[: said.cut])
            self.close_connection = self.close_connection or said.cut is not None

    server = _Server(("127.0.0.1", 0), Handler)
    server_state = Loopback(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server_state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
