"""How many moves a second 64 matches at once play against a server that answers after 200 ms.

Run as ``python -m tests.chat.long.speed``.
"""

import argparse
import asyncio
import subprocess
import sys
import time

from saboteur_env import Game
from saboteur_env.agents.chat.dwarf import Chat
from saboteur_env.agents.matches.turns import game_turns, play_together


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=64)
    parser.add_argument("--delay", type=float, default=0.2, help="seconds of an answer")
    parser.add_argument("--size", default="full")
    given = parser.parse_args()
    command = [sys.executable, "-m", "tests.support.chat_server", str(given.delay)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
            dwarf = Chat(f"model=m:base_url={url}:size={given.size}")
            asyncio.run(play_together([game_turns(Game(3, seed=99, rounds=1), [dwarf] * 3)]))  # what is compiled once
            games = [Game(5, seed=seed, rounds=1) for seed in range(given.matches)]
            before, began, worked = dwarf.bill.moves, time.perf_counter(), time.process_time()
            asyncio.run(play_together([game_turns(game, [dwarf] * 5) for game in games], given.matches))
            took, worked = time.perf_counter() - began, time.process_time() - worked
        finally:
            server.terminate()
    moves = dwarf.bill.moves - before
    print(f"{given.matches} matches, {moves} moves in {took:.1f} s: {moves / took:.0f} moves a second")
    print(f"{1000 * worked / moves:.2f} ms of this process a move, the server's not counted")
    print(f"{dwarf.bill.fallbacks} fallbacks, {dwarf.bill.failed} failed requests")


if __name__ == "__main__":
    main()
