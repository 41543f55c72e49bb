"""Keys of links: the holder of a key may sit in a seat, watch a table, or use the lobby.

All keys are made from one secret of the database. So links still work after a restart, and no list of them is stored.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass

LOBBY = "lobby"
WATCH = "watch"
KEY_LENGTH = 43  # 32 bytes in base64url


def seat_name(seat: int) -> str:
    """The name of the holder of a seat's key."""
    return f"seat {seat}"


@dataclass(frozen=True, repr=False)
class Keys:
    """The keys of one database.

    Args:
        secret: 32 random bytes.
    """

    secret: bytes

    def key(self, who: str, table: str = "") -> str:
        """The key of somebody: `LOBBY`, or `WATCH` or a seat (`seat_name`) at a table."""
        digest = hmac.digest(self.secret, f"{table}/{who}".encode(), "sha256")
        return urlsafe_b64encode(digest).decode().rstrip("=")

    def opens(self, key: str, who: str, table: str = "") -> bool:
        """Whether a key is correct, compared in constant time."""
        return hmac.compare_digest(key.encode(), self.key(who, table).encode())

    def link(self, who: str, table: str) -> str:
        """The path of a link to a table. What follows `#` never leaves the browser with a request, so no log has it."""
        return f"/table#{table}/{who.replace(' ', '-')}/{self.key(who, table)}"
