from saboteur_env.core.compiled import notice


def told(capsys, monkeypatch, *compilations):
    """What is said after compilations, each the seconds between its nested ones."""
    clock = [0.0]
    monkeypatch.setattr(notice.time, "monotonic", lambda: clock[0])
    listener = notice.Notice()
    for parts in compilations:
        listener.on_start(None)
        for seconds in parts:
            clock[0] += seconds
            listener.on_start(None)
            listener.on_end(None)
        listener.on_end(None)
        clock[0] += 100.0  # what the program does between compilations does not count
    return capsys.readouterr().err


def test_a_short_compilation_is_not_announced(capsys, monkeypatch):
    assert told(capsys, monkeypatch, [1.0, 1.0], [0.9]) == ""


def test_a_long_compilation_is_announced_once(capsys, monkeypatch):
    assert told(capsys, monkeypatch, [2.0, 2.0], [9.0, 9.0]) == notice.NOTICE + "\n"


def test_many_short_compilations_are_announced_as_a_long_one(capsys, monkeypatch):
    assert told(capsys, monkeypatch, [2.0], [2.0]) == notice.NOTICE + "\n"


def test_a_log_or_a_notebook_is_told_nothing(monkeypatch):
    registered = []
    monkeypatch.setattr(notice.event, "register", lambda *what: registered.append(what))
    notice.give_notice()  # pytest's standard error is no terminal
    assert not registered
    monkeypatch.setattr(notice.sys.stderr, "isatty", lambda: True, raising=False)
    notice.give_notice()
    assert [kind for kind, _ in registered] == ["numba:compile"]
