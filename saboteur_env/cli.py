"""The command line. Every command is a documented function of the library first."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.markup import escape
from rich.table import Column, Table
from typer.core import TyperCommand

from . import __version__
from .core.extras import extra
from .study_group import study_app
from .table.command import play
from .terminal import console, interval, left_out, numbers, options, plain_table, progress, stop, told, warn, wrote

app = typer.Typer(
    name="saboteur-env",
    help="Saboteur, the hidden-role card game, for research: win rates, speed, pictures.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; with `arguments`, put before those of the shell."""
    import sys

    sys.path.append("")  # agents of one's own may lie in the folder where one works
    with told():
        app(None if arguments is None else [*arguments, *sys.argv[1:]])


def _show_version(wanted: bool) -> None:
    if wanted:
        console.print(f"saboteur-env {__version__}", highlight=False)
        raise typer.Exit


app.add_typer(study_app, name="study")
app.command()(play)


@app.callback()
def _commands(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and end.")
    ] = False,
) -> None:
    pass


@app.command("win-rates")
def win_rates(
    context: typer.Context,
    players: Annotated[
        str, typer.Option(help="Numbers of players: 3-10, 5, or 3,5,10; all if not given.", show_default=False)
    ] = "",
    matches: Annotated[int, typer.Option(min=1, help="Matches for each number of players.")] = 400,
    rounds: Annotated[int, typer.Option(min=1, max=10, help="Rounds of a match.")] = 3,
    edition: Annotated[str, typer.Option(help="Rule edition: lv, lt, uk, ru or fa.")] = "lv",
    option: Annotated[list[str] | None, typer.Option(help="A switch of the rules, NAME=JSON; may be repeated.")] = None,
    miners: Annotated[str, typer.Option(help="Who plays the miners.")] = "scripted",
    saboteurs: Annotated[str, typer.Option(help="Who plays the saboteurs.")] = "scripted",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same rounds.")] = 0,
    workers: Annotated[int | None, typer.Option(min=1, help="Threads; all cores if not given.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the tables and the plot; named after the settings if not given.")
    ] = None,
    game: Annotated[str, typer.Option(help="saboteur, or wazabi: win rates by seat.")] = "saboteur",
    agent: Annotated[str, typer.Option(help="With wazabi: who plays, greedy or random.")] = "greedy",
) -> None:
    """Win rates by number of players and role, with 95 % Wilson intervals."""
    from saboteur_env.experiments.common.executor import Interrupted
    from saboteur_env.experiments.common.report import report_extra_missing
    from saboteur_env.experiments.common.statistics import win_rate_rows
    from saboteur_env.experiments.win_rates import win_rates as study_of

    if game not in ("saboteur", "wazabi"):
        raise typer.BadParameter(f"{game!r}: saboteur or wazabi", param_hint="--game")
    _refuse_given(context, ("edition", "rounds", "miners", "saboteurs") if game == "wazabi" else ("agent",), game)
    if game == "wazabi":
        _wazabi_win_rates(numbers(players or "2-6", 2, 6), matches, agent, seed, options(option or []), workers, out)
        return
    study = study_of.Study(
        numbers(players or "3-10"), matches, edition, rounds, miners, saboteurs, seed, options(option or [])
    )
    study.rules()
    stopped = False
    with progress() as bar:
        task = bar.add_task("rounds", total=len(study.players) * matches * rounds)
        try:
            played = study_of.play(study, workers, lambda count: bar.advance(task, count))
        except Interrupted as interrupted:
            played, stopped = interrupted.rows, True
    written = study_of.write(study, played, out or study.folder())
    if played:
        console.print(_win_rate_table(win_rate_rows(played)))
    wrote(written)
    left_out("Parquet and plot", report_extra_missing())
    if stopped:
        stop(f"Stopped; the {len(played)} finished rounds are written.")


def _refuse_given(context: typer.Context, names: Iterable[str], game: str) -> None:
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise typer.BadParameter(f"means nothing in {game}", param_hint=f"--{name}")


def _wazabi_win_rates(
    players: tuple[int, ...],
    games: int,
    agent: str,
    seed: int,
    options: dict[str, Any],
    workers: int | None,
    out: Path | None,
) -> None:
    from saboteur_env.experiments.common.executor import Interrupted
    from saboteur_env.experiments.common.report import report_extra_missing
    from saboteur_env.experiments.win_rates import wazabi

    study = wazabi.Study(players, games, options.pop("deck", "sheet"), agent, seed, options)
    stopped = False
    with progress() as bar:
        task = bar.add_task("games", total=len(players) * games)
        try:
            played = wazabi.play(study, workers, lambda count: bar.advance(task, count))
        except Interrupted as interrupted:
            played, stopped = interrupted.rows, True
    written = wazabi.write(played, out or study.folder())
    title = f"Wazabi, {study.deck_label}: games won, %, with 95 % intervals"
    rows = [
        (str(row["players"]), str(row["seat"]), f"{row['games']:,}", interval(row), f"{row['turns']:.1f}")
        for row in wazabi.seat_rows(played)
    ]
    console.print(plain_table(title, ("players", "seat from the first", "games", "won", "turns"), rows))
    wrote(written)
    left_out("Parquet", report_extra_missing())
    if stopped:
        stop(f"Stopped; the {len(played)} finished games are written.")


class _RayAlone(TyperCommand):
    """Lets `--ray` stand without an address."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        for place in reversed([place for place, word in enumerate(args) if word == "--ray"]):
            if place + 1 == len(args) or args[place + 1].startswith("-"):
                args.insert(place + 1, "local")
        return super().parse_args(ctx, args)


@app.command(cls=_RayAlone)
def tournament(
    agents: Annotated[str, typer.Option(help="Who plays: names, or package.module.Class[:argument] of your own.")],
    players: Annotated[
        str, typer.Option(help="Numbers of players: 3-10, 5, or 3,5,10; 5 if not given.", show_default=False)
    ] = "",
    edition: Annotated[
        str, typer.Option(help="Rule editions: lv, or lv,lt,uk,ru,fa; lv if not given.", show_default=False)
    ] = "",
    deals: Annotated[int, typer.Option(min=1, help="Deals for each count and edition; on each, all meet all.")] = 1000,
    rounds: Annotated[int, typer.Option(min=1, max=10, help="Rounds of a match.")] = 1,
    base: Annotated[
        str, typer.Option(help="Who fills the seats around a substitute; the first agent if not given.")
    ] = "",
    option: Annotated[list[str] | None, typer.Option(help="A switch of the rules, NAME=JSON; may be repeated.")] = None,
    like: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Weights; the players and rules are those of their training."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same table.")] = 0,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; all cores if not given.")] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="[ADDRESS]", help="Ray actors: on this machine, or on the cluster there.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the report; it keeps what is finished. Named after the settings if not given."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Throw away what the folder holds.")] = False,
) -> None:
    """Everybody against everybody on the same deals: wins by role, ratings, what one seat changes."""
    from saboteur_env.experiments.common.executor import WorkerDied
    from saboteur_env.experiments.tournament import report as tournament_report
    from saboteur_env.experiments.tournament import tournament as study_of
    from saboteur_env.experiments.training.trained_on import TrainedOn, rules_like

    counts, editions, given = rules_like(like, players, edition, option or [], TrainedOn((5,)))
    study = study_of.Tournament(tuple(agents.split(",")), counts, editions, deals, rounds, seed, base, given)
    warn(study.strange())
    out = out or study.folder()
    try:
        with progress() as bar:
            task = bar.add_task("rounds", total=study.total())
            table = study_of.play(study, out, fresh, workers, ray, lambda count: bar.advance(task, count))
    except KeyboardInterrupt:
        stop(f"Stopped; {out} keeps what is finished, and the same command goes on from there.")
    except WorkerDied as died:
        raise ValueError(f"{died}; {out} keeps what is finished, and the same command goes on from there") from None
    results = tournament_report.Results.of(table)
    written = tournament_report.write(study, table, results, out)
    for sheet in results.sheets():
        console.print(plain_table(sheet.title, sheet.heads, sheet.rows))
    wrote(written)


@app.command()
def bench(
    players: Annotated[int, typer.Option(min=3, max=10)] = 5,
    moves: Annotated[int, typer.Option(min=1000, help="Moves of one run.")] = 1_000_000,
    runs: Annotated[int, typer.Option(min=1, help="Runs; the median counts.")] = 7,
    peers: Annotated[
        bool, typer.Option("--peers", help="Beside other libraries (extra `bench`), on one core.")
    ] = False,
    seconds: Annotated[float, typer.Option(min=0.1, help="With --peers: for each contestant, all runs.")] = 5.0,
    out: Annotated[Path, typer.Option(help="With --peers: folder for speed.md and speed.json.")] = Path(
        "results/speed"
    ),
) -> None:
    """Speed of the engine, one and two threads; or of all doors beside other libraries. Random legal play."""
    from saboteur_env.experiments.speed import engine as benchmark

    if peers:
        _bench_peers(players, seconds, runs, out)
        return
    with console.status("measuring"):
        speed = benchmark.measure(players, moves, runs)
    table = Table(show_header=False)
    for name, value in benchmark.facts(speed).items():
        table.add_row(name, value)
    console.print(table)


def _bench_peers(players: int, seconds: float, runs: int, out: Path) -> None:
    from saboteur_env.experiments.speed import comparison as peers
    from saboteur_env.experiments.speed.interleaved import race
    from saboteur_env.experiments.speed.other_libraries import everyone

    field = everyone(players)
    with progress() as bar:
        task = bar.add_task("", total=len(field) * (runs + 1))
        raced = race(field, seconds, runs, lambda what: bar.update(task, description=what, advance=1))
    found = peers.report(raced)
    written = peers.write(found, out) if raced.runners else []
    for title, heads, rows in peers.sections(found):
        columns = [Column(head, overflow="fold") for head in heads]
        console.print(plain_table(title, columns, ([escape(cell) for cell in row] for row in rows)))
    wrote(written)
    if raced.stopped:
        stop("Stopped; the laps that were finished count.")


@app.command()
def watch(
    players: Annotated[int, typer.Option(min=3, max=10)] = 5,
    edition: Annotated[str, typer.Option(help="Rule edition: lv, lt, uk, ru or fa.")] = "lv",
    rounds: Annotated[int, typer.Option(min=1, max=10, help="Rounds of the match.")] = 1,
    dwarf: Annotated[str, typer.Option(help="Who plays.")] = "scripted",
    seed: Annotated[int | None, typer.Option(min=0, help="The same seed gives the same match.")] = None,
    eyes: Annotated[int | None, typer.Option(min=0, help="The seat that looks; all cards open if not given.")] = None,
    delay: Annotated[float, typer.Option(min=0, help="Seconds between moves.")] = 0.7,
    save: Annotated[Path | None, typer.Option(help="Write the transcript here, for `replay`.")] = None,
) -> None:
    """Watch a match in the terminal at reading speed."""
    from saboteur_env.agents.registry import agent_of
    from saboteur_env.game.game import Game
    from saboteur_env.render import watch as show
    from saboteur_env.render import write_page

    game, agent = Game(players, edition, seed, rounds), agent_of(dwarf)
    if eyes is not None:
        game.view(eyes)  # an unknown seat is refused before anything is shown
    chooser = lambda view: agent.act(view, len(view.record))  # noqa: E731
    try:
        show(game, [chooser] * players, delay, eyes, console)
    except KeyboardInterrupt:
        console.print("[yellow]Stopped.[/]")
    finally:
        if save is not None:
            write_page(save, game.transcript())
    wrote([save] if save is not None else [])


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A transcript, as `watch --save` and `Game.transcript()` write it.")],
    html: Annotated[Path, typer.Option(help="The page to write.")] = Path("replay.html"),
    eyes: Annotated[int | None, typer.Option(min=0, help="Whose eyes; all, to choose from, if not given.")] = None,
) -> None:
    """Turn a transcript into a page with a slider that needs no network."""
    from saboteur_env.render import replay_page, write_page

    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot read {file}: {error}") from None
    write_page(html, replay_page(text, eyes))
    wrote([html])


@app.command()
def train(
    config: Annotated[str, typer.Option(help="small, default, gpu, stock, or a TOML file of your own.")] = "small",
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of the run; one that is there goes on. Named after the settings if not given."),
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:1 …")] = "auto",
    minutes: Annotated[float, typer.Option(min=0, help="Stop after so many, to go on later; 0: no limit.")] = 0,
    set_: Annotated[list[str] | None, typer.Option("--set", help="A setting, such as learning.epochs=4.")] = None,
) -> None:
    """Train a learned dwarf by self-play (extra `train`); a run that was stopped or killed goes on."""
    # Threads that wait must not spin where other programs use the cores; read when torch is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    with extra("train"):
        from saboteur_env.experiments.training import config as run_config
        from saboteur_env.experiments.training import train_ppo

    run = run_config.load_config(config, set_ or [])
    out = out or train_ppo.default_run_folder(config, set_ or [])
    with progress() as bar:
        task = bar.add_task(f"{config}: compiling", total=run.decisions)

        def show(decisions: int, judged: list[dict[str, Any]]) -> None:
            won = " ".join(f"{row['players']}{row['role'][0]} {100 * row['won']:.0f}%" for row in judged)
            bar.update(task, completed=decisions, description=f"{config} {won}")

        try:
            judged = train_ppo.train(run, out, device, minutes, show).judged
        except KeyboardInterrupt:
            stop("Stopped; the same command goes on from the last checkpoint.")
    if judged:
        title = f"Rounds won by the whole side, %, against {run.judging.opponent}"
        rows = ((str(row["players"]), row["role"], str(row["rounds"]), interval(row), _percent(row)) for row in judged)
        heads = ("players", "role", "rounds", "learned", f"{run.judging.opponent} in its place")
        console.print(plain_table(title, heads, rows))
    wrote(path for path in (out / "checkpoint.safetensors", out / "weights.safetensors") if path.exists())


@app.command()
def tables(
    window: Annotated[str, typer.Option(help="Board window: printed, small, medium, large or full.")] = "medium",
    history: Annotated[int, typer.Option(help="Events an observation shows; 128 shows every round whole.")] = 16,
) -> None:
    """What observations and actions mean: name, shape, range of every field."""
    from saboteur_env.environment.actions import ACTION_VERSION, Actions
    from saboteur_env.environment.observations import OBSERVATION_VERSION, Observations

    seen, actions = Observations(window, history), Actions(window)
    title = f"Observation, version {OBSERVATION_VERSION}: {seen.bytes:,} numbers (int8)"
    console.print(plain_table(title, ("field", "shape", "range", "meaning"), seen.table()))
    title = f"Actions, version {ACTION_VERSION}: {actions.count:,}"
    rows = [(name, f"{first:,}", f"{count:,}", meaning) for name, first, count, meaning in actions.table()]
    console.print(plain_table(title, ("move", "first", "count", "counted by"), rows))


def _percent(row: dict[str, Any]) -> str:
    return f"{100 * row['scripted']:.1f}"


def _win_rate_table(rows: list[dict[str, Any]]) -> Table:
    table = Table(title="Rounds won, %, with 95 % intervals", title_justify="left", box=box.SIMPLE_HEAD)
    for head in ("players", "sab.", "rounds", "miners", "saboteurs", "turns", "nuggets\na miner", "\na sab."):
        table.add_column(head, justify="right")
    for row in rows:
        whole = row["saboteurs"] == "all"
        if whole and table.rows:
            table.add_section()
        table.add_row(
            str(row["players"]) if whole else "",
            row["saboteurs"],
            f"{row['rounds']:,}",
            _share(row, "miners"),
            _share(row, "saboteurs"),
            f"{row['turns']:.1f}",
            _nuggets(row["nuggets_a_miner"]),
            _nuggets(row["nuggets_a_saboteur"]),
            style="bold" if whole else "",
        )
    return table


def _share(row: dict[str, Any], side: str) -> str:
    return interval({name: row[f"{side}_{name}"] for name in ("won", "low", "high")})


def _nuggets(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
