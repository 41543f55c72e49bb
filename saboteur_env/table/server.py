"""The server: pages, one WebSocket for all messages, and the check of who may connect."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

from ..core.extras import extra

with extra("play"):
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket, WebSocketDisconnect

from ..core.files import shipped, shipped_names
from ..render.drawing.symbols import definitions, names, use
from .connections import Connection, Gone
from .dispatcher import Dispatcher
from .messages import MAX_MESSAGE_BYTES, read_message
from .tables import Refused

log = logging.getLogger(__name__)

MOST_CONNECTIONS = 1000
FIRST_WORD = 30.0  # seconds until a connection must have sent something
REFUSED, BUSY, FLOODED = 1008, 1013, 1008  # close codes of RFC 6455
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}


class Server:
    """The application for uvicorn.

    Args:
        own_names: of the machine, by which browsers may call it besides loopback names and addresses.
    """

    def __init__(self, dispatcher: Dispatcher, own_names: tuple[str, ...] = ()) -> None:
        self.dispatcher, self._own_names = dispatcher, {"localhost", *own_names}
        self._files, self._connections = _pages(), 0
        paths = {"/": "index.html", "/table": "table.html"} | {f"/page/{name}": name for name in self._files}
        routes = [Route(path, self._file(name)) for path, name in paths.items()]
        self.app = Starlette(routes=[*routes, WebSocketRoute("/wire", self._wire)], lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        yield
        self.dispatcher.close()

    def _file(self, name: str) -> Callable[[Request], Any]:
        async def send(request: Request) -> Response:
            if not self._knows(request.headers.get("host", "")):
                return Response("This is not a name of this server.", 403, HEADERS)
            return Response(self._files[name], 200, HEADERS, TYPES[PurePath(name).suffix])

        return send

    def _knows(self, host: str) -> bool:
        """Whether a browser may call this server so. Names of others could point here (DNS rebinding)."""
        name = urlsplit(f"//{host}").hostname or ""
        with suppress(ValueError):
            return bool(ip_address(name))
        return name in self._own_names

    def _trusts(self, wire: WebSocket) -> bool:
        host, origin = wire.headers.get("host", ""), wire.headers.get("origin", "")
        return self._knows(host) and origin in (f"http://{host}", f"https://{host}")

    async def _wire(self, wire: WebSocket) -> None:
        if not self._trusts(wire):
            await wire.close(REFUSED)  # before it is accepted: an answer of 403
            return
        await wire.accept()
        if self._connections >= MOST_CONNECTIONS:
            await wire.close(BUSY, "too many connections")
            return
        self._connections += 1
        connection = Connection(wire.send_text)
        post = asyncio.create_task(connection.deliver())
        post.add_done_callback(_tell_failure)
        try:
            await self._listen(wire, connection)
        except Gone as gone:
            await wire.close(FLOODED, str(gone))
        except WebSocketDisconnect:
            pass
        finally:
            self._connections -= 1
            post.cancel()
            self.dispatcher.leave(connection)

    async def _listen(self, wire: WebSocket, connection: Connection) -> None:
        while True:
            try:
                raw = await asyncio.wait_for(wire.receive(), None if connection.who else FIRST_WORD)
            except asyncio.TimeoutError:
                raise Gone("nothing was said") from None
            if raw["type"] == "websocket.disconnect":
                return
            if connection.may_talk():
                await self._answer(connection, raw.get("text"))
            else:
                connection.reply("error", words="too many messages: wait a moment")

    async def _answer(self, connection: Connection, raw: str | None) -> None:
        try:
            await self.dispatcher.answer(connection, read_message(raw))
        except ValueError as error:
            connection.reply("error", words=str(error))
            if isinstance(error, Refused):
                connection.tell()  # what it saw may be out of date
        except Exception:
            log.exception("a message could not be answered")
            connection.reply("error", words="the server could not do this")


def _tell_failure(post: asyncio.Task[None]) -> None:
    error = None if post.cancelled() else post.exception()
    if error and not isinstance(error, WebSocketDisconnect):
        log.error("what waited could not be sent", exc_info=error)


def _pages() -> dict[str, bytes]:
    """The files of the page, and all pictures of cards as one."""
    files = {
        PurePath(name).name: shipped("saboteur_env.table", name).read_bytes()
        for name in shipped_names("saboteur_env.table", "page")
    }
    pictures = definitions(use(name, 0, 0) for name in names().values())
    files["pictures.svg"] = f'<svg xmlns="http://www.w3.org/2000/svg">{pictures}</svg>'.encode()
    return files


def own_names() -> tuple[str, ...]:
    """The names by which others on the network may call this machine."""
    name = socket.gethostname().lower()
    return name, f"{name.partition('.')[0]}.local"


def in_uvicorn(server: Server) -> uvicorn.Server:
    """The server as uvicorn runs it: no log of requests, messages of bounded size."""
    config = uvicorn.Config(
        server.app,
        ws="websockets-sansio",
        ws_max_size=16 * MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        log_config=None,  # uvicorn's own would close the handlers of the whole process
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    return uvicorn.Server(config)
