import pytest

from pipeline.cli import common, run_command
from pipeline.store import open_store


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A user folder of its own; what commands cache is forgotten before and after."""
    monkeypatch.setenv("LATELY_HOME", str(tmp_path))
    for cached in (common.settings, common.store, common.console):
        cached.cache_clear()
    yield tmp_path
    for cached in (common.settings, common.store, common.console):
        cached.cache_clear()


@pytest.fixture
def store(home):
    return open_store(home / "lately.db")


@pytest.fixture
def lately(home, capsys):
    """Runs a command: (exit code, standard output, standard error)."""

    def run(*arguments):
        common.console.cache_clear()
        code = run_command([str(one) for one in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run
