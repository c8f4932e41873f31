import io
import time

import pytest

from banditcd.cli import waiting


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_the_seconds_and_is_left_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "PERIOD", 0.005)
    stream = Terminal()
    with waiting.waiting("fitting", stream=stream):
        deadline = time.monotonic() + 10.0
        while "fitting ... 0 s" not in stream.getvalue() and time.monotonic() < deadline:
            time.sleep(0.005)
    text = stream.getvalue()
    assert "fitting ... 0 s" in text
    assert text.rpartition("\r")[2] == ""
    assert not text.split("\r")[-2].strip()


def test_a_file_gets_one_line_and_quiet_none() -> None:
    stream = io.StringIO()
    with waiting.waiting("fitting", stream=stream):
        pass
    with waiting.waiting("fitting", quiet=True, stream=stream):
        pass
    assert stream.getvalue() == "fitting ...\n"
