"""Save files so that the old content stays intact whatever happens."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from kernelviz.engine.core.errors import NotWritten, reason
from kernelviz.runtime.unfinished import unfinished

SUFFIX = ".kernelviz.part"
# The names of temporary files; no other program uses them.
TEMPORARY = re.compile(rf"\..+\.[0-9a-f]{{12}}{re.escape(SUFFIX)}", re.DOTALL)


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a temporary file, flush it to the disk, then let it replace the file.

    Readers see the old content or the new, never half. NotWritten when it cannot be written, or when
    replacing would break something."""
    with replacing(path) as file:
        file.write(content)


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that replaces `path` when the block ends well, and is removed if it does not.

    A symbolic link is followed; owner and permissions are kept. NotWritten for a path that is read-only,
    belongs to another user, has a second name or is not a file: it stays as it is."""
    target = Path(path)
    try:
        old = may_replace(target)
        target = Path(os.path.realpath(target))
        temporary = temporary_name(target)
        with unfinished(temporary):
            try:
                # It is new, so that it gets the permissions that the user's umask gives to new files.
                with temporary.open("xb") as file:
                    yield file
                    file.flush()
                    os.fsync(file.fileno())
                if old is not None:
                    _take_after(temporary, old)
                temporary.replace(target)
            except BaseException:
                with contextlib.suppress(OSError):
                    temporary.unlink()
                raise
        _flush_directory(target.parent)
    except OSError as problem:
        why = reason(problem)
        if isinstance(problem, FileNotFoundError) and not target.parent.exists():
            why = f"there is no folder {target.parent}"
        sentence = f"{target.name} cannot be saved: {why}."
        raise NotWritten(re.sub("[\0\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", sentence)) from None


def may_replace(target: Path) -> os.stat_result | None:
    """Return the status of a file before it is replaced, or None if there is none; OSError if it must not be
    replaced."""
    try:
        old = target.stat()
    except FileNotFoundError:
        return None
    except ValueError:  # a null byte, or half of a character
        raise OSError(0, "no file can have this name") from None
    if stat.S_ISDIR(old.st_mode):
        raise OSError(0, "it is a folder")
    if not stat.S_ISREG(old.st_mode):
        raise OSError(0, "it is a device or a pipe, not a file")
    # The superuser may write everything, so the permissions decide.
    if not old.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise OSError(0, "it is read-only; save under another name")
    if old.st_nlink > 1:
        raise OSError(
            0, "the file has another hard link, which would keep the old content; save under another name"
        )
    return old


def temporary_name(target: Path) -> Path:
    """Return an unused name in the same folder, for a file or folder that will replace the target.

    Old temporary files, of programs that were killed while they wrote, are removed first."""
    name_bytes = 100  # Bytes of a name that its temporary file has too; file systems allow about 255 in all.
    _sweep(target.parent)
    # Cut to a length in bytes, as file systems count, in letters that their encoding has.
    name = os.fsencode(target.name)[:name_bytes].decode(sys.getfilesystemencoding(), "ignore")
    return target.with_name(f".{name}.{secrets.token_hex(6)}{SUFFIX}")


def _sweep(folder: Path) -> None:
    """Remove old temporary files from a folder."""
    old = 24 * 3600.0  # Seconds without a change after which a temporary file is abandoned.
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in filter(lambda entry: TEMPORARY.fullmatch(entry.name), entries):
            with contextlib.suppress(OSError):  # it belongs to another user, or is gone by now
                about = entry.stat(follow_symlinks=False)
                if time.time() - about.st_mtime < old or (os.name == "posix" and about.st_uid != os.getuid()):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry)
                else:
                    os.unlink(entry)


def _take_after(temporary: Path, old: os.stat_result) -> None:
    """Give the new file the owner, group and permissions of the old one."""
    mode = stat.S_IMODE(old.st_mode)
    new = temporary.stat()
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        try:
            os.chown(temporary, old.st_uid, old.st_gid)
        except PermissionError:
            if new.st_uid != old.st_uid:
                raise OSError(0, "it belongs to another user; save under another name") from None
            mode &= ~0o070  # the new group does not get the permissions of the old one
    temporary.chmod(mode)


def _flush_directory(directory: Path) -> None:
    """Flush the folder, which has the new name, to the disk where the system allows it."""
    with contextlib.suppress(OSError):
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
