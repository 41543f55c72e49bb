"""Every card and rule of Wazabi on a drawn table. Dice here show no cards, so that nothing is drawn unasked."""

import pytest

from saboteur_env.wazabi import Game, IllegalMove
from tests.long.wazabi_tables import assert_table, table

# Card, the move, and the table after it.
THREE = """
    >0 ooo [{}]
     1 oo [reverse]
     2 ooooo [miss give_die keep_one]
"""
EFFECTS = {
    "play:remove_one": "oo [] | oo [reverse] | ooooo [miss give_die keep_one]",
    "play:remove_two": "o [] | oo [reverse] | ooooo [miss give_die keep_one]",
    "play:swap_dice:2": "ooooo [] | oo [reverse] | ooo [miss give_die keep_one]",
    "play:pass_dice:left": "ooooo [] | ooo [reverse] | oo [miss give_die keep_one]",
    "play:pass_dice:right": "oo [] | ooooo [reverse] | ooo [miss give_die keep_one]",
    "play:swap_cards:2": "ooo [miss give_die keep_one] | oo [reverse] | ooooo []",
    "play:pass_cards:left": "ooo [miss give_die keep_one] | oo [] | ooooo [reverse]",
    "play:pass_cards:right": "ooo [reverse] | oo [miss give_die keep_one] | ooooo []",
    "play:reverse": "ooo [] | oo [reverse] | ooooo [miss give_die keep_one]",
    "play:miss:2": "ooo [] | oo [reverse] | ooooo misses [miss give_die keep_one]",
    "play:give_die:1": "oo [] | ooo [reverse] | ooooo [miss give_die keep_one]",
    "play:take_card:1": "ooo [reverse] | oo [] | ooooo [miss give_die keep_one]",
    "play:draw_three": "ooo [remove_one remove_one draw_three] | oo [reverse] | ooooo [miss give_die keep_one]",
}


def drawing(rows):
    return "\n".join(f" {seat} {row}" for seat, row in enumerate(rows.split(" | ")))


@pytest.mark.parametrize("move", EFFECTS)
def test_the_effect_of_a_card(move):
    card = move.split(":")[1]
    game = table(THREE.format(card), pile="remove_one draw_three remove_one pass_dice")
    game.play(move)
    assert_table(game, drawing(EFFECTS[move]))
    laid = game.view(0).public.misses.any()
    assert game.view(0).discards == ([] if laid else [card])
    assert game.seat == (0 if card == "reverse" else 1)
    assert game.view(0).public.direction == (-1 if card == "reverse" else 1)


def test_the_others_choose_the_two_cards_they_keep_in_the_order_of_play():
    game = table(
        """
        >0 oo [keep_two]
         1 oo [miss miss reverse]
         2 oo [miss reverse]
         3 oo [remove_one remove_two give_die keep_one]
        """,
        pile="miss",
        clockwise=False,
    )
    game.play("play:keep_two")
    assert (game.seat, len(game.legal_moves())) == (3, 6)
    game.play("keep:remove_two+give_die")
    assert (game.seat, game.legal_moves()) == (1, ["keep:miss+miss", "keep:reverse+miss"])
    game.play("keep:reverse+miss")
    assert_table(game, drawing("oo [] | oo [reverse miss] | oo [reverse miss] | oo [remove_two give_die]"))
    assert game.view(0).discards == ["remove_one", "keep_two", "miss", "keep_one"]
    assert game.seat == 3


def test_one_chooses_the_card_it_keeps():
    game = table(
        """
        >0 oo [keep_one]
         1 oo [miss miss reverse]
        """,
        pile="miss",
    )
    game.play("play:keep_one:1")
    assert game.legal_moves() == ["keep:miss", "keep:reverse"]
    game.play("keep:miss")
    assert_table(game, drawing("oo [] | oo [miss]"))


def test_a_card_must_be_paid_with_wasabi():
    game = table(THREE.format("remove_one remove_two keep_two reverse"), rolled="CC", pile="miss")
    assert game.legal_moves() == ["pass", "play:remove_one", "play:reverse"]
    with pytest.raises(IllegalMove, match="keep_two costs 2 wasabi, and 1 were rolled"):
        game.play("play:keep_two")


def test_two_dice_to_give_bar_the_removal_of_one_though_they_are_given_away():
    game = table(THREE.format("remove_one remove_two"), rolled="DD", pile="miss")
    assert game.legal_moves() == ["pass", "play:remove_two"]
    with pytest.raises(IllegalMove, match="barred by a roll of 2 dice to give"):
        game.play("play:remove_one")
    assert "play:remove_one" in table(THREE.format("remove_one"), rolled="D", pile="miss").legal_moves()


@pytest.mark.parametrize(("card", "dice"), [("remove_one", "o"), ("remove_two", "o"), ("remove_two", "oo")])
def test_whoever_has_no_dice_left_after_a_card_has_won(card, dice):
    game = table(f">0 {dice} [{card}]\n 1 oo [miss]\n 2 ooo []", costs={"remove_two": 1})
    game.play(f"play:{card}")
    assert (game.over, game.winner, game.winners, game.points) == (True, 0, [0], [5, 0, 0])
    assert (game.places, game.legal_moves()) == ([1, 2, 2], [])


def test_whoever_gives_the_last_die_has_won_and_plays_no_card():
    game = table(">0 o [remove_one]\n 1 oo [miss]", rolled="D", choice="give", due=1)
    assert game.legal_moves() == ["give:1"]
    game.play("give:1")
    assert (game.over, game.winner, game.points) == (True, 0, [3, 0])


def test_dice_go_to_whom_one_likes_or_to_neighbours_in_play():
    four = ">0 oo []\n 1 oo []\n 2 oo []\n 3 oo []"
    giving = {"choice": "give", "due": 1, "rolled": "D", "pile": "miss"}
    assert table(four, **giving).legal_moves() == ["give:1", "give:2", "give:3"]
    assert table(four, **giving, neighbours=True).legal_moves() == ["give:1", "give:3"]
    left = table(">0 oo []\n 1  []\n 2 oo []\n 3 oo []", **giving, neighbours=True, play_on=True, places=[0, 1, 0, 0])
    assert left.legal_moves() == ["give:2", "give:3"]


def test_partners_win_together_and_count_the_dice_of_the_others():
    game = table(">0 o [remove_one]\n 1 oo []\n 2 ooo []\n 3 o []", teams=[0, 1, 0, 1])
    game.play("play:remove_one")
    assert (game.winner, game.winners, game.points) == (0, [0, 2], [3, 0, 3, 0])


def test_a_seat_that_leaves_puts_its_cards_away_and_the_others_play_on():
    game = table(">0 o [remove_one miss]\n 1 oo [reverse]\n 2 ooo []", pile="give_die", play_on=True)
    game.play("play:remove_one")
    assert (game.over, game.winner, game.places, game.points) == (False, 0, [1, 0, 0], [5, 0, 0])
    assert_table(game, drawing(" [] | oo [reverse] | ooo []"))
    assert game.view(1).discards == ["remove_one", "miss"]
    assert game.seat == 1


def test_the_last_but_one_to_leave_ends_the_game():
    game = table(">0 o [remove_one]\n 1  []\n 2 ooo []", play_on=True, places=[0, 1, 0])
    game.play("play:remove_one")
    assert (game.over, game.winner, game.places) == (True, 1, [2, 1, 3])


def test_turns_are_missed_one_card_each():
    game = table(">0 oo []\n 1 oo misses misses []\n 2 oo misses []", pile="reverse")
    game.play("pass")
    assert_table(game, drawing("oo [] | oo misses [] | oo []"))
    assert (game.seat, game.view(0).discards) == (0, ["miss", "miss"])


def test_cards_are_drawn_from_the_discards_once_the_pile_is_empty():
    game = table(">0 ooo [draw_three]\n 1 oo []", pile="miss", discards="reverse give_die")
    game.play("play:draw_three")
    assert sorted(game.view(0).hand) == ["give_die", "miss", "reverse"]
    assert game.view(0).discards == []  # the card itself is the new pile
    assert game.view(0).public.pile_count == 1


def test_without_pile_and_discards_cards_are_taken_from_others():
    game = table(">0 ooo [draw_three]\n 1 oo [miss]\n 2 oo []\n 3 oo [reverse reverse]", pile="give_die")
    game.play("play:draw_three")
    assert game.legal_moves() == ["take:1", "take:3"]
    game.play("take:3")
    game.play("take:3")
    assert_table(game, drawing("ooo [reverse reverse give_die] | oo [miss] | oo [] | oo []"))
    assert game.seat == 1


def test_where_nobody_has_a_card_nothing_is_drawn():
    game = table(">0 ooo [draw_three]\n 1 oo []")
    game.play("play:draw_three")
    assert_table(game, drawing("ooo [] | oo []"))


def test_only_a_hand_with_cards_can_be_taken_from():
    game = table(">0 ooo [take_card]\n 1 oo []\n 2 oo [miss]", pile="reverse")
    assert game.legal_moves() == ["pass", "play:take_card:2"]
    with pytest.raises(IllegalMove, match="seat 1 has no card"):
        game.play("play:take_card:1")


def test_a_tournament_adds_up_the_points_and_deals_anew():
    game = Game(players=4, games=3, seed=2)
    scored = []
    while not game.over:
        while not game.game_over:
            game.play(game.legal_moves()[-1])
        left = sum(game.view(0).dice)
        assert sum(game.points) == sum(scored) + left
        scored.append(left)
        if not game.over:
            game.next_game()
            assert game.view(0).dice == [4] * 4
    assert len(scored) == 3
    with pytest.raises(ValueError, match="over after 3 games"):
        game.next_game()


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("give:1", "seat 0 must now play: pass"),
        ("play:miss:0", "not to oneself"),
        ("play:miss:5", "there is no seat 5; 3 play"),
        ("play:give_die:1", "does not hold give_die"),
        ("play:miss:6", "expected a seat"),
        ("play:miss", "expected a seat after miss"),
        ("play:remove_one:1", "expected nothing after remove_one"),
        ("keep:miss+reverse", "it would be written 'keep:reverse\\+miss'"),
        ("keep:miss+miss+miss", "expected take:SEAT"),
        ("roll", "expected take:SEAT"),
        (7, "a move is a text"),
    ],
)
def test_illegal_moves_are_explained_and_change_nothing(move, said):
    game = table(THREE.format("miss"), pile="reverse")
    before = game.copy()
    with pytest.raises(IllegalMove, match=said):
        game.play(move)
    assert game == before
