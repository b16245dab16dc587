"""What lies on disk of a pair: files of one size, and with independent frames the certificate survives decoding."""

from collections import Counter
from pathlib import Path

import av
import pytest

from generators.dataset import prepare, read_items, write_dataset
from generators.family import family
from generators.manifest import Request
from generators.sampling import Part
from verifier.checking import check_dataset


def write(folder: Path, **chosen: object) -> Path:
    settings = family("speed").settings.model_validate({"resolution": 128, "seconds": "4..5"} | chosen)
    write_dataset(folder, prepare(folder, Request((Part("speed", settings, 6),), 3, sheets=False)), workers=1)
    return folder


def decoded(path: Path) -> tuple[list[bytes], list[bool]]:
    """Every frame's luma and chroma, and which frames are key frames."""
    with av.open(str(path)) as container:
        found = [(frame.to_ndarray().tobytes(), frame.key_frame) for frame in container.decode(video=0)]
    return [picture for picture, _ in found], [is_key for _, is_key in found]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("pairs") / "set")


@pytest.fixture(scope="module")
def independent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("pairs") / "set", independent_frames=True)


def test_the_files_of_a_pair_are_of_one_size_and_still_play(plain: Path) -> None:
    padded = 0
    for item in read_items(plain):
        paths = [plain / str(clip.file) for clip in item.clips]
        assert len({path.stat().st_size for path in paths}) == 1
        padded += any(b"skip" in path.read_bytes()[-200_000:] for path in paths)
        for path, clip in zip(paths, item.clips, strict=True):
            pictures, keys = decoded(path)
            assert len(pictures) == clip.frames
            assert keys == decoded(paths[0])[1]
    assert padded
    assert not list(check_dataset(plain))


def test_with_independent_frames_the_decoded_frames_are_the_same_multiset(independent: Path) -> None:
    for item in read_items(independent):
        first, second = (decoded(independent / str(clip.file)) for clip in item.clips)
        assert all(first[1]) and all(second[1])
        assert Counter(first[0]) == Counter(second[0])
        assert first[0] != second[0]
    assert not list(check_dataset(independent))


def test_a_pair_whose_files_tell_is_found(plain: Path, tmp_path: Path) -> None:
    import hashlib
    import json
    import shutil

    folder = tmp_path / "set"
    shutil.copytree(plain, folder)
    lines = (folder / "items.jsonl").read_text(encoding="utf-8").splitlines()
    item = json.loads(lines[0])
    path = folder / item["clips"][0]["file"]
    data = path.read_bytes()
    longer = data + (16).to_bytes(4, "big") + (b"skip" if b"skip" not in data[-100_000:] else b"free") + bytes(8)
    path.write_bytes(longer)
    item["clips"][0]["sha256"] = hashlib.sha256(longer).hexdigest()
    lines[0] = json.dumps(item, separators=(",", ":"), ensure_ascii=False)
    (folder / "items.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = [str(finding) for finding in check_dataset(folder)]
    assert found and all(item["id"] in finding for finding in found)
