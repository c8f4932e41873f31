"""Downloads from a server on this machine: whole, continued, changed, cut, wrong."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from banditcd.data import catalog, store
from banditcd.data.download import DownloadError, download, file_digest

pytestmark = pytest.mark.filterwarnings("ignore:.*has no known checksum")
CONTENT = bytes(range(256)) * 4000


class Server(ThreadingHTTPServer):
    """Serves CONTENT; can cut an answer short, and notes the ranges it was asked for."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.content, self.tag, self.cut, self.claimed = CONTENT, '"one"', 0, 0
        self.ranges = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path.endswith("absent"):
            self.send_error(404)
            return
        content, start = self.server.content, 0
        asked = self.headers.get("Range")
        self.server.ranges.append(asked)
        if asked and self.headers.get("If-Range") == self.server.tag:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
        if start >= len(content):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{self.server.claimed or len(content)}")
            self.end_headers()
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(content) - start))
        if self.server.tag:
            self.send_header("ETag", self.server.tag)
        self.end_headers()
        self.wfile.write(content[start : self.server.cut or None])

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    """Start a server for one test."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def checksum(content: bytes) -> str:
    return "sha256:" + hashlib.sha256(content).hexdigest()


def test_a_whole_file_with_progress_and_checksum(server, tmp_path):
    seen = []
    target = tmp_path / "new" / "file"
    download(
        server.url,
        target,
        checksum=checksum(CONTENT),
        progress=lambda done, total: seen.append((done, total)),
    )
    assert target.read_bytes() == CONTENT
    assert seen[0] == (0, len(CONTENT))
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert list(target.parent.iterdir()) == [target]
    assert "sha256:" + file_digest(target) == checksum(CONTENT)


def test_a_cut_download_goes_on_where_it_stopped(server, tmp_path):
    target = tmp_path / "file"
    server.cut = 300_000
    with pytest.raises(DownloadError, match=r"goes on from there|failed"):
        download(server.url, target)
    assert not target.exists()
    server.cut = 0
    download(server.url, target, checksum=checksum(CONTENT))
    assert target.read_bytes() == CONTENT
    assert server.ranges == [None, "bytes=300000-"]


@pytest.mark.parametrize("tag", ['"two"', "", 'W/"one"'])
def test_another_version_is_not_glued_to_the_first(tag, server, tmp_path):
    target = tmp_path / "file"
    server.cut = 300_000
    if not tag.startswith('"'):
        server.tag = tag
    with pytest.raises(DownloadError):
        download(server.url, target)
    server.cut, server.tag, server.content = 0, tag, CONTENT[::-1]
    download(server.url, target)
    assert target.read_bytes() == CONTENT[::-1]


def test_a_part_that_is_complete_already_is_taken(server, tmp_path):
    (tmp_path / "file.part").write_bytes(CONTENT)
    (tmp_path / "file.part.tag").write_text(server.tag)
    download(server.url, tmp_path / "file", checksum=checksum(CONTENT))
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_a_wrong_checksum_leaves_nothing(server, tmp_path):
    with pytest.raises(DownloadError, match=r"its sha256 is .* and not"):
        download(server.url, tmp_path / "file", checksum=checksum(b"other"))
    assert not (tmp_path / "file").exists()
    assert not (tmp_path / "file.part").exists()


def test_an_absent_file_and_an_absent_server_are_named(server, tmp_path):
    with pytest.raises(DownloadError, match="absent failed: 404"):
        download(server.url + "absent", tmp_path / "file")
    with pytest.raises(DownloadError, match=r"failed: .*refused"):
        download("http://127.0.0.1:9/", tmp_path / "file")


def test_fetch_downloads_once_into_the_cache(server, monkeypatch, cache):
    rows = "\n".join(f"{i % 2} 1:1 5:{i}" for i in range(34)) + "\n"
    server.content = rows.encode()
    monkeypatch.setattr(catalog, "PAGE", server.url)
    threads = [threading.Thread(target=store.fetch, args=("leu.t",)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (cache / "files" / "leu.t.bz2").read_bytes() == server.content
    assert len(server.ranges) == 1


def test_a_part_that_is_too_long_is_not_taken_for_the_whole(server, tmp_path):
    target = tmp_path / "file"
    server.cut = 1000
    with pytest.raises(DownloadError, match="goes on from there"):
        download(server.url, target)
    part = tmp_path / "file.part"
    part.write_bytes(CONTENT + b"more")
    server.cut, server.claimed = 0, len(CONTENT)
    with pytest.raises(DownloadError, match="416"):
        download(server.url, target)
    assert not part.exists()
    assert not target.exists()


def test_a_download_without_a_checksum_warns_with_its_own(server, tmp_path):
    with pytest.warns(UserWarning, match=hashlib.sha256(CONTENT).hexdigest()):
        download(server.url, tmp_path / "file")
