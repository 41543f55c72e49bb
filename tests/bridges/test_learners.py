"""The doors of other libraries: their own checks pass, and they show what the environment shows."""

import numpy as np
import pytest

import saboteur_env
from saboteur_env import Game

SMALL = {"players": 3, "window": "printed", "history": 2, "rounds": 1}


@pytest.mark.filterwarnings("ignore")  # Ray warns of its own
def test_agents_of_rllib_are_seats_with_their_roles():
    for library in ("ray", "tree", "ormsgpack"):
        pytest.importorskip(library, reason="needs RLlib (extra bridges)")
    from saboteur_env.bridges.rllib import SaboteurMultiAgent, policy_of

    env = SaboteurMultiAgent(SMALL)
    seen, _ = env.reset(seed=4)
    game, paid, over = Game(3, seed=4, rounds=1), {}, False
    assert env.agents == [f"{game.view(seat).role}_{seat}" for seat in range(3)]
    while not over:
        ((agent, decision),) = seen.items()
        assert decision in env.observation_spaces[agent]
        assert agent == f"{game.view(game.seat).role}_{game.seat}"
        action = int(decision["action_mask"].argmax())
        game.play(env._aec.settings.actions.text(action, game.seat, 3))
        seen, paid, ended, cut, _ = env.step({agent: action})
        over = ended["__all__"]
        assert not cut["__all__"]
        assert paid.keys() == {*env.agents}  # one that acts again at once is to be paid in between
    assert game.round_over
    assert paid == {name: 1.0 if f"{policy_of(name)}s" == game.winner else -1.0 for name in env.agents}
    assert all(ended[name] for name in env.agents) and seen.keys() == paid.keys()
    with pytest.raises(ValueError, match="every round deals the roles again"):
        SaboteurMultiAgent({**SMALL, "rounds": 2})


@pytest.mark.filterwarnings("ignore")  # TorchRL warns of its own
def test_torchrl_finds_no_fault_and_begins_single_games_again():
    pytest.importorskip("torchrl", reason="needs TorchRL (extra bridges)")
    import torch
    from tensordict.nn import TensorDictModule
    from torchrl.envs.utils import check_env_specs

    from saboteur_env.bridges.torchrl import SaboteurTorchRL

    choose = TensorDictModule(lambda mask: mask.float().multinomial(1).squeeze(-1), ["action_mask"], ["action"])
    check_env_specs(SaboteurTorchRL(4, illegal="penalty", **SMALL))  # it draws actions without masks
    env = SaboteurTorchRL(4, opponents="random", max_episode_steps=3, **SMALL)
    env.set_seed(1)
    played = env.rollout(8, choose, break_when_any_done=False)
    assert played["action_mask"].gather(2, played["action"][..., None]).all()
    assert played["next", "done"][:, [2, 5]].all() and not played["next", "done"][:, :2].any()
    assert not torch.equal(played["observation"][:, 3], played["next", "observation"][:, 2])


@pytest.mark.filterwarnings("ignore")  # JAX and Flax warn of their own
def test_jax_shares_the_memory_of_a_batch_and_learns_from_it():
    for library in ("jax", "flax", "optax"):
        pytest.importorskip(library, reason="needs JAX and Flax (extra bridges)")
    import jax

    from saboteur_env.bridges.flax_network import act, seen_by_jax
    from saboteur_env.bridges.flax_ppo import PPO

    vec = saboteur_env.make_vec(8, seed=1, **SMALL)
    for shared, array in zip(seen_by_jax(vec), (vec.observation, vec.mask), strict=True):
        assert shared.unsafe_buffer_pointer() == array.ctypes.data
    net, weights = next(PPO(steps=4, epochs=1, parts=2).train(vec))
    before = net.init(jax.random.PRNGKey(0), vec.observation, vec.mask)
    changed = jax.tree.map(lambda one, other: not np.array_equal(one, other), before, weights)
    assert all(jax.tree.leaves(changed))
    actions, _, _ = act(net, weights, *seen_by_jax(vec), jax.random.PRNGKey(1))
    assert vec.mask[np.arange(8), np.asarray(actions)].all()
