"""A data set of Minari: what is read back is what each seat saw, did and was paid."""

import numpy as np
import pytest

pytest.importorskip("minari", reason="needs Minari (extra bridges)")
pytest.importorskip("pyarrow", reason="needs the extra report")
import minari

from saboteur_env.environment.actions import Actions
from saboteur_env.experiments.datasets.minari import to_minari
from saboteur_env.experiments.datasets.read import expand
from saboteur_env.experiments.datasets.record import DatasetConfig, record_shard


@pytest.mark.filterwarnings("ignore")  # Minari warns of what its data sets may lack: a licence, an author, an env
def test_what_is_read_back_is_what_each_seat_saw_did_and_got(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    table = record_shard(DatasetConfig(("scripted",), 3, (3, 4), rounds=2, seed=2, window="medium", history=1), 0)
    to_minari(table, "saboteur/test-v0")
    data, views, rows = minari.load_dataset("saboteur/test-v0"), expand(table), table.to_pylist()
    mask = views.mask(Actions("medium").count)
    episodes = {}
    for index, row in enumerate(rows):
        episodes.setdefault((row["match"], row["seat"]), []).append(index)
    assert data.total_steps == len(rows)
    for (_, seat), episode in zip(sorted(episodes), data.iterate_episodes(), strict=True):
        indices = episodes[_, seat]
        assert np.array_equal(episode.observations[:-1], views.observation[indices])
        assert np.array_equal(episode.actions, views.action[indices])
        assert np.array_equal(episode.infos["action_mask"][:-1], mask[indices])
        assert not episode.infos["action_mask"][-1].any()
        paid = {(rows[i]["round"]): rows[i]["return"] for i in indices}
        assert episode.rewards.sum() == sum(paid.values())
        assert episode.rewards[-1] == rows[indices[-1]]["return"]
        assert episode.terminations.tolist() == [False] * (len(indices) - 1) + [True]


def test_moves_outside_the_window_are_refused():
    table = record_shard(DatasetConfig(("random",), 2, (3,), seed=2), 0)
    with pytest.raises(ValueError, match="outside the window: choose a larger one"):
        to_minari(table, "saboteur/test-v0", window="printed")
