"""One connection: who is connected, what waits to be sent, and its rate limit."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

A_SECOND, AT_ONCE = 20.0, 40.0  # messages: so many in the long run, so many in a burst
FLOOD_LIMIT = -200.0  # so far over, and the connection is closed
MOST_REPLIES = 64  # that wait for a slow reader


class Gone(Exception):
    """The connection is to be closed; the message says why."""


class Connection:
    """A connection as the server knows it.

    States are made when they can be sent, so that a slow reader gets the latest one and no more.

    Args:
        send: sends a text to the browser.

    Attributes:
        who: what its key has opened (keys.py), empty before.
        state: makes the text of the present state; set by the room it is in.
    """

    def __init__(self, send: Callable[[str], Awaitable[None]]) -> None:
        self.who = ""
        self.state: Callable[[], str] | None = None
        self._send = send
        self._replies: deque[str] = deque()
        self._news, self._stale = asyncio.Event(), False
        self._allowed, self._counted = AT_ONCE, time.monotonic()

    @property
    def seat(self) -> int | None:
        """The seat it sits in."""
        return int(self.who.removeprefix("seat ")) if self.who.startswith("seat ") else None

    def may_talk(self) -> bool:
        """Count a message in; False where there have been too many. Raises: Gone after a flood of them."""
        now = time.monotonic()
        self._allowed = min(AT_ONCE, self._allowed + (now - self._counted) * A_SECOND) - 1
        self._counted = now
        if self._allowed < FLOOD_LIMIT:
            raise Gone("too many messages")
        return self._allowed >= 0

    def reply(self, kind: str, **data: Any) -> None:
        """Let a message wait to be sent. A reader that is far too slow misses it, and has to come again."""
        if len(self._replies) < MOST_REPLIES:
            self._replies.append(json.dumps({"kind": kind, **data}))
        self._news.set()

    def tell(self) -> None:
        """Send the present state as soon as possible."""
        self._stale = True
        self._news.set()

    async def deliver(self) -> None:
        """Send what waits, for as long as the connection lasts."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._replies:
                await self._send(self._replies.popleft())
            if self._stale and self.state:
                self._stale = False
                await self._send(self.state())
