"""`saboteur-env play`: a table in the browser."""

from __future__ import annotations

import socket
import webbrowser
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from platformdirs import user_data_path

from ..engine.editions import MAX_ROUNDS
from ..terminal import console, left_out, report_files, warn
from .setup import PERSON

if TYPE_CHECKING:
    from .dispatcher import Dispatcher
    from .players import Players
    from .store import Store

DEFAULT_DWARFS = "scripted,two-faced,careless,random"


def play(
    dwarfs: Annotated[
        str,
        typer.Option(help="The agents that may play: names, ppo:FILE, or package.module.Class for your own."),
    ] = DEFAULT_DWARFS,
    seats: Annotated[
        str, typer.Option(help="Make a table at once: who sits in each seat, `person` or a dwarf, by commas.")
    ] = "",
    rounds: Annotated[int, typer.Option(min=1, max=MAX_ROUNDS, help="Rounds at the table of --seats.")] = 3,
    talk: Annotated[
        str, typer.Option(help="What may be said at the table of --seats: none, claims, or free for texts too.")
    ] = "none",
    teach: Annotated[str, typer.Option(help="Who may advise one seat of a table, from what that seat knows.")] = "",
    host: Annotated[str, typer.Option(help="Address to serve on; 0.0.0.0 lets others on the network in.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for any free port.")] = 8765,
    pace: Annotated[float, typer.Option(min=0, help="Minimum seconds between moves of dwarfs.")] = 1.0,
    tables: Annotated[
        Path | None, typer.Option(help="Database file of the tables; in the user's data folder if not given.")
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    export: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write the transcripts of all tables to a folder, and exit.")
    ] = None,
) -> None:
    """Sit at a table with dwarfs, in the browser (extra `play`)."""
    from .store import Store

    store = Store(tables or user_data_path("saboteur_env", appauthor=False) / "tables.sqlite")
    try:
        if export is not None:
            _export(store, export)
            return
        with _bound(host, port) as door:
            link = f"http://{_called(host)}:{door.getsockname()[1]}/"
            _serve(store, Asked(dwarfs, teach, seats, rounds, talk), door, link, pace, browser)
    finally:
        store.close()


def _export(store: Store, folder: Path) -> None:
    from ..experiments.common.report import report_extra_missing
    from .export import write_games

    report_files(write_games(store, folder))
    left_out("table of rounds", report_extra_missing())


class Asked(NamedTuple):
    """Who may play, and the table to be made at once; its `seats` are empty where none is."""

    dwarfs: str
    teach: str
    seats: str
    rounds: int = 3
    talk: str = "none"

    def table(self) -> dict[str, Any]:
        """The table, as a message `new` asks for it."""
        seats = self.seats.split(",")
        options = {} if self.talk == "none" else {"talk": self.talk}
        return {"seats": seats, "watched": PERSON not in seats, "rounds": self.rounds, "options": options}


def _serve(store: Store, asked: Asked, door: socket.socket, link: str, pace: float, browser: bool) -> None:
    from .dispatcher import Dispatcher
    from .keys import LOBBY
    from .server import Server, in_uvicorn, own_names

    host, players = door.getsockname()[0], _players(asked)
    open_to_all = not ip_address(host).is_loopback
    dispatcher = Dispatcher(store, players, pace)
    lobby = f"{link}#{dispatcher.keys.key(LOBBY)}"
    links = _make_table(dispatcher, asked, link)
    warn(OPEN_TO_ALL if open_to_all else ())
    console.print(f"The lobby, to make tables: {lobby}", highlight=False, soft_wrap=True)
    console.print(f"[dim]Tables are kept in {store.path}. Ctrl-C ends the server.[/]", highlight=False)
    if browser:
        webbrowser.open(next(iter(links.values()), lobby))
    with suppress(KeyboardInterrupt):
        in_uvicorn(Server(dispatcher, own_names() if open_to_all else ())).run([door])
    players.close()


def _make_table(dispatcher: Dispatcher, asked: Asked, link: str) -> dict[str, str]:
    # The links to the table of --seats, printed; none without it.
    if not asked.seats:
        return {}
    links = {who: link.rstrip("/") + path for who, path in dispatcher.new_table(asked.table()).items()}
    for who, path in links.items():
        console.print(f"The link of {who}: {path}", highlight=False, soft_wrap=True)
    return links


def _players(asked: Asked) -> Players:
    from .players import Players

    offered = [*asked.dwarfs.split(","), *(name for name in asked.seats.split(",") if name != PERSON)]
    players = Players(filter(None, offered), asked.teach)
    if not players.names:
        raise ValueError("--dwarfs: name at least one")
    with console.status("the dwarfs wake up; the first time their kernels are compiled, which may take minutes"):
        players.warm_up()
    return players


OPEN_TO_ALL = (
    "--host opens this server to everybody who can reach this machine over the network, without encryption:",
    "who has the link of a seat sits there, and who has the link of the lobby makes tables and sees all links.",
    "Others on the line can read both. Use it in a network that you trust.",
)


def _called(host: str) -> str:
    """The name to put into a link, by which others can reach this machine where it is open to them."""
    if host not in ("0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # sends nothing; it tells by which address the network is reached
        return str(probe.getsockname()[0])
    return socket.gethostname()


def _bound(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises: ValueError where that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.socket(family)
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((host, port))
        door.listen()  # so that a browser may come before the server is up
        return door
    except OSError as error:
        door.close()
        raise ValueError(f"cannot serve on {host}, port {port}: {error}; --port names another one") from None
