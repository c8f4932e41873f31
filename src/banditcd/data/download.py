"""Downloads that go on where they stopped, with the standard library alone."""

from __future__ import annotations

import hashlib
import http.client
import urllib.error
import urllib.request
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

Progress = Callable[[int, int], None]  # bytes here, bytes in all (0 if unknown)
_CHUNK = 1 << 18
_TIMEOUT_SECONDS = 30.0
_COMPLETE = 416  # "range not satisfiable": nothing is left beyond what we have


class DownloadError(OSError):
    """A file could not be downloaded, or not whole."""


def file_digest(path: Path, kind: str = "sha256") -> str:
    """Return the checksum of a file as hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, kind).hexdigest()


def download(
    url: str, target: Path, *, checksum: str = "", progress: Progress | None = None
) -> None:
    """Download a file; a second call goes on where an interrupted first one stopped.

    Parameters
    ----------
    url : str
        Address of the file.
    target : Path
        Appears only when the download is complete and its checksum is right. Until then the bytes
        are in a file beside it whose name ends in ".part".
    checksum : str
        "sha256:..." or "md5:...", or nothing when it is not known.
    progress : callable, optional
        Called with the bytes here and the bytes in all (0 if the server does not say).
    """
    part = target.with_name(target.name + ".part")
    part.parent.mkdir(parents=True, exist_ok=True)
    try:
        _receive(url, part, progress or _no_progress)
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, DownloadError):
            raise
        reason = getattr(error, "reason", None) or error
        raise DownloadError(f"Downloading {url} failed: {reason}.") from error
    _check(part, checksum, url)
    part.replace(target)
    _tag_file(part).unlink(missing_ok=True)


def _no_progress(done: int, total: int) -> None:
    """Show nothing."""


def _tag_file(part: Path) -> Path:
    return part.with_name(part.name + ".tag")


def _request(url: str, part: Path) -> urllib.request.Request:
    """Ask for the rest of a started file, or for the whole if it changed in between."""
    request = urllib.request.Request(url, headers={"User-Agent": "banditcd"})
    tag = _tag_file(part)
    if part.exists() and part.stat().st_size and tag.exists():
        request.add_header("Range", f"bytes={part.stat().st_size}-")
        request.add_header("If-Range", tag.read_text())
    else:
        part.unlink(missing_ok=True)
    return request


def _receive(url: str, part: Path, progress: Progress) -> None:
    try:
        response = urllib.request.urlopen(_request(url, part), timeout=_TIMEOUT_SECONDS)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == _COMPLETE and part.exists() and _is_whole(part, error.headers):
            return
        raise DownloadError(f"Downloading {url} failed: {error.code} {error.reason}.") from error
    with response:
        resumed = response.status == http.client.PARTIAL_CONTENT
        done = part.stat().st_size if resumed else 0
        length = int(response.headers.get("Content-Length", 0))
        total = done + length if length else 0
        _remember_tag(part, response.headers)
        with part.open("ab" if resumed else "wb") as stream:
            progress(done, total)
            while chunk := response.read(_CHUNK):
                stream.write(chunk)
                done += len(chunk)
                progress(done, total)
    if total and done < total:
        raise DownloadError(
            f"Downloading {url} stopped at {done} of {total} bytes; "
            "the same command goes on from there."
        )


def _is_whole(part: Path, headers: Any) -> bool:
    """Whether what we have is as long as the server says the file is; if not, it goes."""
    whole = str(headers.get("Content-Range", "")).rpartition("/")[2]
    if whole.isdecimal() and int(whole) == part.stat().st_size:
        return True
    part.unlink()
    return False


def _remember_tag(part: Path, headers: Any) -> None:
    """Note which version of the file this is, so that only the same version is continued."""
    tag = headers.get("ETag") or headers.get("Last-Modified")
    if tag and not tag.startswith("W/"):  # a weak tag does not promise the same bytes
        _tag_file(part).write_text(tag)
    else:
        _tag_file(part).unlink(missing_ok=True)


def _check(part: Path, checksum: str, url: str) -> None:
    if not checksum:
        warnings.warn(
            f"{url} has no known checksum; what was downloaded has the sha256 {file_digest(part)}. "
            "Compare it with a copy you trust.",
            stacklevel=4,
        )
        return
    kind, _, expected = checksum.partition(":")
    found = file_digest(part, kind)
    if found != expected:
        part.unlink()
        raise DownloadError(
            f"{url} was downloaded, but its {kind} is {found} and not {expected}; "
            "the file was deleted. Try again, or get the file from another place."
        )
