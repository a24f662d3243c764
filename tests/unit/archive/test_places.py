"""The setting of the archive is understood whole, or refused with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgamesbot.archive.bucket import BucketArchive
from boardgamesbot.archive.folder import FolderArchive
from boardgamesbot.archive.opening import open_archive
from boardgamesbot.archive.places import BadArchive, Bucket, Folder, Place, place_of
from boardgamesbot.runtime.settings import BadSetting, Settings


@pytest.mark.parametrize(
    ("setting", "place"),
    [
        ("", None),
        ("/srv/games", Folder(Path("/srv/games"))),
        ("file:///srv/old%20games", Folder(Path("/srv/old games"))),
        ("s3://games", Bucket("games")),
        ("s3://games/bgb/one/", Bucket("games", "bgb/one")),
        (
            "s3://games/x?endpoint=http://127.0.0.1:9000/&region=eu-west-1",
            Bucket("games", "x", "http://127.0.0.1:9000", "eu-west-1"),
        ),
    ],
)
def test_places(setting: str, place: Place | None) -> None:
    assert place_of(setting) == place
    assert Settings(archive=setting).archive == setting


@pytest.mark.parametrize(
    ("setting", "why"),
    [
        ("games", "from the root on"),
        ("./games", "from the root on"),
        ("file://host/games", "file:///FOLDER"),
        ("gs://games", "gs://"),
        ("s3://", "bucket"),
        ("s3://A_B/", "bucket"),
        ("s3://key:secret@games/", "AWS_"),
        ("s3://games/?endpoint=127.0.0.1:9000", "endpoint"),
        ("s3://games/?endpiont=http://127.0.0.1:9000", "s3://BUCKET"),
        ("s3://games/a/../../b", "down only"),
    ],
)
def test_what_names_no_place_is_refused_at_the_start_without_repeating_secrets(setting: str, why: str) -> None:
    with pytest.raises(BadArchive, match=why):
        place_of(setting)
    with pytest.raises(BadSetting, match="BGB_ARCHIVE") as caught:
        Settings(archive=setting)
    assert "secret" not in str(caught.value)


def test_an_archive_is_of_the_kind_that_its_place_is(tmp_path: Path) -> None:
    assert open_archive("") is None
    assert isinstance(open_archive(str(tmp_path)), FolderArchive)
    assert isinstance(open_archive("s3://games/?endpoint=http://127.0.0.1:1&region=x"), BucketArchive)
