"""The engine and its slow twin in lockstep at tables that talk: every round has claims, accusations and vouchers.

python -m tests.long.talk_lockstep --moves 300000 --workers 2
"""

from functools import partial

from tests.long.lockstep import INTERESTING, play_match
from tests.support import in_step

play_talking = partial(play_match, talk=True)
WORDS = ["claim", "accuse", "vouch"]

if __name__ == "__main__":
    in_step.main(
        "Plays the engine against its slow twin where dwarfs talk.", play_talking, INTERESTING + WORDS, 300_000
    )
