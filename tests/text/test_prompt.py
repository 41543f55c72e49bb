import random

import pytest

from saboteur_env import Game
from saboteur_env.text import TextEnv, prompt, read_answer
from tests.chat.long import prompts


def test_prompts_tell_nothing_that_the_seat_cannot_know():
    assert prompts.run(300, seed=1) > 290


def test_a_planted_leak_would_be_found():
    def leaking(view, size):
        return prompt(view, size) + str(id(view))

    with pytest.raises(AssertionError):
        prompts.run(5, seed=1, ask=leaking)


def test_every_number_of_the_prompt_is_its_move():
    view = Game(players=3, seed=7).view(1)
    moves = view.legal_moves()
    for number, move in enumerate(moves, 1):
        assert f"\n{number}. {move}\n" in prompt(view, "moves")
        assert read_answer(str(number), moves).move == read_answer(move, moves).move == move


def test_sizes_hold_less_and_less():
    view = Game(players=3, seed=7).view(1)
    full, short, moves = (prompt(view, size) for size in ("full", "short", "moves"))
    assert len(full) > len(short) > len(moves)
    assert "You are dwarf 1, a miner." in short or "You are dwarf 1, a saboteur." in short
    with pytest.raises(ValueError, match="size: one of full, short, moves"):
        prompt(view, "long")
    with pytest.raises(ValueError, match="dwarf 0 is not to move; ask the view of dwarf 1"):
        prompt(Game(players=3, seed=7).view(0))


def test_the_environment_asks_again_and_then_plays_by_lot():
    env = TextEnv(players=3, rounds=1, tries=2)
    with pytest.raises(RuntimeError, match="reset"):
        env.get_observation()
    env.reset(seed=7)
    seat, _ = env.get_observation()
    done, info = env.step("hm")
    assert (done, info["move"], env.get_observation()[0]) == (False, None, seat)
    assert env.get_observation()[1].startswith("No move could be read in the answer. Answer again.")
    _, info = env.step("hm")
    assert info["fallback"] and info["move"]
    assert env.close()[1][seat] == {"fallbacks": 1}


def test_a_match_is_played_by_texts():
    env, chance = TextEnv(players=3, rounds=2), random.Random(1)
    env.reset(seed=7)
    done = False
    while not done:
        done, info = env.step(chance.choice(env.game.legal_moves()))
        assert not info["fallback"]
    assert env.game.over
    assert env.close()[0] == dict(enumerate(env.game.nuggets))
    with pytest.raises(ValueError, match="the match is over"):
        env.step("1")


def test_a_message_is_said_with_the_move_and_not_without_one():
    env = TextEnv(players=3, rounds=1, options={"talk": "free"})
    env.reset(seed=7)
    seat = env.game.seat
    assert env.step("say: Hear me.")[1]["said"] == ""
    assert env.game.messages == ()
    assert env.step("say: Hear me.\n1")[1]["said"] == "Hear me."
    assert env.game.messages == ((0, seat, "Hear me."),)
    assert 'says "Hear me."' in env.get_observation()[1]


def test_say_is_no_message_where_nobody_talks_freely():
    env = TextEnv(players=3, rounds=1)
    env.reset(seed=7)
    _, info = env.step("say: Hear me.\n1")
    assert (info["said"], env.game.messages) == ("", ()) and info["move"]


def test_textarena_plays_a_match():
    pytest.importorskip("textarena", reason="textarena is not installed")
    from saboteur_env.text.textarena import SaboteurTextArena

    env = SaboteurTextArena(rounds=1)
    env.reset(num_players=3, seed=7)
    done = False
    while not done:
        seat, told = env.get_observation()
        assert seat == env.state.current_player_id
        assert "Your moves:" in told[-1][1]
        done, _ = env.step("1")
    assert set(env.close()[0]) == {0, 1, 2}
