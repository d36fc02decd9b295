import pytest

from pipeline.store import open_store


@pytest.fixture
def store(tmp_path):
    opened = open_store(tmp_path / "lately.db", busy_timeout_s=5)
    yield opened
    opened.close()
