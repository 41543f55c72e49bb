"""The study of small mines: its tables, and that it goes on where it was stopped."""

import pytest

pytest.importorskip("pyarrow", reason="needs the extra report")

from saboteur_env.experiments.equilibrium import equilibria
from saboteur_env.experiments.equilibrium.equilibria import AGENT, OPEN, SOLVED, kept_rows, main
from saboteur_env.experiments.equilibrium.plots import plot_agents


def test_a_stopped_study_goes_on(tmp_path, monkeypatch):
    work, done = equilibria.work, []

    def watched(iterations, seed, unit):
        if unit.kind == AGENT and len(done) == 5:
            done.append("stopped")
            raise KeyboardInterrupt
        done.append(unit.kind)
        return work(iterations, seed, unit)

    monkeypatch.setattr(equilibria, "work", watched)
    with pytest.raises(BaseException, match="130"):
        main("K3", "scripted", 3, out=tmp_path)
    main("K3", "scripted", 3, out=tmp_path)
    assert done == [SOLVED] * 4 + [OPEN, "stopped", AGENT]
    page = (tmp_path / "README.md").read_text()
    assert "| K3 | 36 | 3,685 | 602 |" in page
    assert "| K3 | `scripted` | 0.056 | 11.1% | 11.1% |" in page
    (agent,) = [row for row in kept_rows(tmp_path) if row["kind"] == AGENT]
    assert (agent["name"], round(agent["nash_conv"], 3)) == ("scripted", 0.056)
    assert [axes.get_title() for axes in plot_agents([agent]).figure.axes] == ["K3"]
    assert (tmp_path / "agents.png").exists()
    assert len((tmp_path / "curves.csv").read_text().splitlines()) == 1 + 4 * 2


def test_a_mine_or_agent_there_is_not(tmp_path):
    with pytest.raises(ValueError, match="there is no mine 'K9'; there are K3, K7, K8, L4, M4"):
        main("K9", "", 3, out=tmp_path)
