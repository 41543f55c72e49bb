"""What accusations and vouchers of talkers are worth, to those who hear them.

Run as ``python -m tests.talk.long.words --deals 500``. The same deals are played with and without them. Then it tells
how often each role accused whom, how many rounds the miners won, and how well the filter knew the roles at the end of
the cards, by its log loss, with claims alone and with words besides.
"""

import argparse

import numpy as np

from saboteur_env import Game
from saboteur_env.agents import Belief, make_agent
from saboteur_env.agents.beliefs.action_model_file import fitted
from saboteur_env.agents.matches.talking_matches import play_talking
from saboteur_env.agents.talk.claims import ClaimModel, Together, claim_rates
from saboteur_env.agents.talk.talker import talking
from saboteur_env.agents.talk.words import TalkingBelief
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.state import MINERS

TALK = {"talk": "claims"}
PLAYERS = (3, 5, 7, 10)


def won_and_said(players, deals):
    """The share of rounds that the miners win without and with words, and the words counted."""
    rules, seeds = Rules.make(players, rounds=1, options=TALK), np.arange(deals, dtype=np.uint64)
    rounds, said = zip(
        *(
            play_talking(rules, seeds, *[talking("honest", "liar", names=names)] * 2)
            for names in ("nobody", "suspects")
        ),
        strict=True,
    )
    return [result["winner"] == MINERS for result in rounds], said[1]["words"].sum(axis=0)


def log_losses(players, deals, every=5):
    """The mean log loss of the roles of others with claims alone, and with words besides."""
    model, talker = Together([fitted(), ClaimModel(claim_rates("honest", "liar"))]), make_agent("talk")
    filters, losses = (Belief(model), TalkingBelief(model)), []
    for seed in range(deals):
        game, move = Game(players, seed=seed, rounds=1, options=TALK), 0
        while not game.round_over:
            view, move = game.view(game.seat), move + 1
            if move % every == 0:
                roles = np.array([game.view(seat).role == ROLES[1] for seat in range(players)])
                others = np.arange(players) != view.seat
                known = (np.clip(belief.of(view).saboteur[others], 1e-9, 1 - 1e-9) for belief in filters)
                losses.append([-np.log(np.where(roles[others], item, 1 - item)).mean() for item in known])
            game.play(talker.act(view, move))
    return np.mean(losses, axis=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--games", type=int, default=40, help="deals of which beliefs are scored")
    given = parser.parse_args()
    for players in PLAYERS:
        (without, with_words), words = won_and_said(players, given.deals)
        change = with_words.astype(float) - without
        spread = 1.96 * change.std() / np.sqrt(given.deals)
        losses = log_losses(players, given.games)
        print(
            f"{players} dwarfs: miners win {100 * without.mean():.1f} % without words, "
            f"{100 * change.mean():+.1f} ± {100 * spread:.1f} points with them; "
            f"log loss {losses[0]:.4f} with claims, {losses[1]:.4f} with words"
        )
        for speaker, named in np.ndindex(2, 2):
            accused, vouched = words[speaker, named]
            print(
                f"  {ROLES[speaker]} about a {ROLES[named]}: {accused / given.deals:.2f} accusations a round, "
                f"{vouched / given.deals:.2f} vouchers"
            )


if __name__ == "__main__":
    main()
