"""Every test of this room has an empty cache of its own and no data directory."""

import pytest


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """Point the cache to an empty folder and unset the data directory."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("BANDITCD_CACHE", str(folder))
    monkeypatch.delenv("BANDITCD_DATA", raising=False)
    return folder


@pytest.fixture
def data_folder(tmp_path, monkeypatch):
    """Make a folder and point BANDITCD_DATA to it."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("BANDITCD_DATA", str(folder))
    return folder


@pytest.fixture
def no_network(monkeypatch):
    """Let every attempt to open an address fail, as on a machine without a network."""
    import urllib.error
    import urllib.request

    def refuse(*args, **kwargs):
        raise urllib.error.URLError("no network")

    monkeypatch.setattr(urllib.request, "urlopen", refuse)
