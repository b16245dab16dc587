"""The GPU painter: it shows what the CPU painter shows, and says in one line why where it cannot.

Drawn by whatever OpenGL there is. Where there is none, each test that would draw asserts the line that says so.
"""

import hashlib
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.command import main
from generators.dataset import prepare, read_items, write_clips, write_dataset
from generators.errors import InputError
from generators.family import family, family_names
from generators.manifest import Request, read_manifest
from generators.rendering import drawn_at, frames, gpu
from generators.rendering import scene_of as dressed_scene
from generators.rendering.cpu import Painter
from generators.rendering.gpu import Atlas, GpuError, GpuPainter, close_device, open_device
from generators.rendering.looks import LOOK_NAMES
from generators.rendering.renderers import CPU, ELSE_CPU, Renderer, choose, has_device_file, with_fallback
from generators.rendering.scene import Placement, Scene
from generators.rendering.video import encode, render
from generators.sampling import Part
from generators.settings import Look
from tests.generators.command_line import ROOT, refused, run
from tests.generators.making import items_of
from tests.generators.rendering.likeness import Picture, assert_like, small_item
from tests.generators.rendering.opengl import on_opengl
from tests.generators.rendering.test_painter import SPRITES, scene_of, scenes
from verifier.checking import check_dataset
from verifier.manifest_checking import RENDERERS


@pytest.fixture(scope="module", autouse=True)
def _close_at_the_end() -> Iterator[None]:
    yield
    close_device()


def drawn(scene: Scene, indices: list[int], planar: bool) -> list[Picture]:
    """Frames by the GPU painter; Y'CbCr as one array of rows, chroma below luma."""
    pictures = GpuPainter(open_device(), scene, planar=planar).pictures(indices)
    found = [(index, picture.copy()) for index, picture in pictures]
    assert [index for index, _ in found] == indices
    return [picture for _, picture in found]


def painted(scene: Scene, indices: list[int], planar: bool) -> list[Picture]:
    """The same by the CPU painter."""
    if not planar:
        return list(render(scene, indices))
    rows = np.empty((scene.height * 3 // 2, scene.width), dtype=np.uint8)
    chroma = rows[scene.height :].reshape(2, scene.height // 2, scene.width // 2)
    painter = Painter(scene, (rows[: scene.height], chroma))
    found = []
    for index in indices:
        painter.paint(index)
        found.append(rows.copy())
    return found


DRESSED = LOOK_NAMES[1:]
FAMILIES = [
    (name, reveal)
    for name in family_names()
    for reveal in (("start", "end") if "reveal" in family(name).settings.model_fields else (None,))
]


@pytest.mark.parametrize(("name", "reveal"), FAMILIES)
@on_opengl
def test_both_painters_show_the_same(name: str, reveal: str | None) -> None:
    item, chosen = small_item(name, **({"reveal": reveal} if reveal else {}))
    for number, clip in enumerate(item.clips):
        scene = family(name).scene(clip.plan, chosen)
        moments = {(first + end) // 2 for first, end in scene.spans[:3]}
        indices = sorted({0, scene.frames // 2, scene.frames - 1, *moments})
        for planar in (False, True):
            expected = painted(scene, indices, planar)
            for index, one, other in zip(indices, drawn(scene, indices, planar), expected, strict=True):
                assert_like(one, other, scene.height, (name, number, index, planar))


@pytest.mark.parametrize("name", family_names())
@pytest.mark.parametrize("look", DRESSED)
@on_opengl
def test_both_painters_show_the_same_in_every_look(look: Look, name: str) -> None:
    item, chosen = small_item(name, look=look)
    scene = dressed_scene(item, item.clips[0])
    plain = family(name).scene(item.clips[0].plan, chosen)
    assert (scene.background, scene.sprites) != (plain.background, plain.sprites) or look == "handheld"
    # Two frames in a row as well, and one in the middle of the first thing that happens.
    first, end = scene.spans[0]
    indices = sorted({0, (first + end) // 2, scene.frames // 2, scene.frames // 2 + 1})
    for planar in (False, True):
        expected = painted(scene, indices, planar)
        for index, one, other in zip(indices, drawn(scene, indices, planar), expected, strict=True):
            assert_like(one, other, scene.height, (name, look, index, planar))


@settings(max_examples=60)
@given(scene=scenes(even=True), planar=st.booleans())
@on_opengl
def test_any_sprites_are_blended_as_on_the_cpu(scene: Scene, planar: bool) -> None:
    """Turned, scaled, faint, off the canvas, at any depth: each blend may round once otherwise."""
    indices = list(range(scene.frames))
    for index, one, other in zip(indices, drawn(scene, indices, planar), painted(scene, indices, planar), strict=True):
        most = 1 + len(scene.placements(index))
        assert np.abs(one.astype(int) - other).max() <= most


@on_opengl
def test_nothing_reaches_into_the_next_frame() -> None:
    lists = [[Placement(3, 40, y)] if number % 2 else [] for number, y in enumerate((0, 0, 0, 64, 0, 80))]
    scene = scene_of(lists, 80, 64)
    for planar in (False, True):
        first, *others = drawn(scene, [0, 1, 2, 3, 4, 5], planar)
        assert np.array_equal(first, others[1]) and np.array_equal(first, others[3])
        assert not np.array_equal(first, others[0])


@on_opengl
def test_frames_come_in_any_order_repeated_and_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    item, chosen = small_item("number", size=2, ops=3)
    scene = family("number").scene(item.clips[0].plan, chosen)
    indices = [60, 3, 3, 4, 5, 61, 60, 0, scene.frames - 1, *range(40, 70)]
    expected = drawn(scene, indices, planar=True)
    monkeypatch.setattr(gpu, "BATCH", 2)
    for one, other in zip(drawn(scene, indices, planar=True), expected, strict=True):
        assert np.array_equal(one, other)
    assert drawn(scene, [], planar=True) == []


@on_opengl
def test_two_painters_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "BATCH", 3)
    item, chosen = small_item("number", size=2, ops=3)
    one = family("number").scene(item.clips[0].plan, chosen)
    other = scene_of([[Placement(0, 5.0 * step, 20)] for step in range(20)], 80, 64)
    indices = list(range(20))
    expected = drawn(one, indices, True), drawn(other, indices, False)
    device = open_device()
    first = GpuPainter(device, one, planar=True).pictures(indices)
    second = GpuPainter(device, other, planar=False).pictures(indices)
    for (index, mine), (_, theirs) in zip(first, second, strict=True):
        assert np.array_equal(mine, expected[0][index]) and np.array_equal(theirs, expected[1][index])


@on_opengl
def test_a_full_atlas_grows_is_emptied_and_at_last_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    device = open_device()
    lists = [[Placement(3, 40, 32, 7.0 * step, 1.5), Placement(0, 9, 9)] for step in range(24)]
    scene = scene_of(lists, 80, 64)
    indices = list(range(len(lists)))
    expected = drawn(scene, indices, planar=False)
    small = Atlas(device.context, side=24, rows=1)
    monkeypatch.setattr(device, "atlas", small)
    for one, other in zip(drawn(scene, indices, planar=False), expected, strict=True):
        assert np.array_equal(one, other)
    assert small.generation > 0 and small.texture.height > 1
    monkeypatch.setattr(device, "atlas", Atlas(device.context, side=1, rows=1))
    with pytest.raises(GpuError, match="more different sprites"):
        drawn(scene_of([[Placement(3, 40, 32, scale=2.0)]], 80, 64), [0], planar=False)
    with pytest.raises(GpuError, match="was closed"):
        next(GpuPainter(device, scene, planar=False).pictures([0]))
    assert open_device() is not device


# ---------------------------------------------------------------------------------------------------- contexts


@on_opengl
def test_there_is_one_context_a_process() -> None:
    device = open_device()
    assert open_device() is device is open_device(device.number)
    close_device()
    assert not device.is_open
    assert open_device() is not device
    assert open_device().context.error == "GL_NO_ERROR"


@on_opengl
def test_another_thread_or_a_fork_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    problems: list[str] = []

    def elsewhere() -> None:
        try:
            open_device()
        except GpuError as error:
            problems.append(str(error))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert gpu._open is not None
    device = open_device()
    monkeypatch.setattr(gpu, "_open", gpu._open._replace(process=1))
    elsewhere()
    close_device()  # not this process's to close
    assert device.is_open
    monkeypatch.undo()
    assert "in the thread" in problems[0] and "spawn" in problems[1] and len(problems) == 2


@pytest.mark.parametrize(
    ("error", "said"), [("GL_OUT_OF_MEMORY", "out of memory"), ("GL_CONTEXT_LOST", "reset"), ("GL_ODD", "GL_ODD")]
)
@on_opengl
def test_what_opengl_reports_is_one_line_and_closes_the_context(
    error: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = open_device()
    monkeypatch.setattr(type(device.context), "error", property(lambda self: error))
    with pytest.raises(GpuError, match=said):
        drawn(scene_of([[Placement(0, 9, 9)]], 80, 64), [0], planar=True)
    assert not device.is_open


# ---------------------------------------------------------------------------------------------------- choosing


def test_auto_takes_the_cpu_where_no_gpu_is_present(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert not has_device_file(tmp_path)
    (tmp_path / "nvidia0").touch()
    assert has_device_file(tmp_path)
    monkeypatch.setattr("generators.rendering.renderers.has_device_file", lambda: False)
    assert choose("auto") == (CPU, "no GPU is present")
    assert choose("cpu") == (CPU, "")


@on_opengl
def test_a_software_opengl_is_named_and_never_chosen_by_auto(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "SOFTWARE", (open_device().name.lower(),))
    close_device()
    renderer, why = choose("auto", 0)
    assert renderer == CPU and why.endswith("is no GPU")
    renderer, why = choose("gpu")
    assert renderer.name.startswith("gpu (software): ") and "is no GPU" in why
    assert RENDERERS.fullmatch(renderer.name)
    close_device()


@on_opengl
def test_a_real_gpu_is_chosen_by_auto(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever answers here passes for one."""
    close_device()
    monkeypatch.setattr(gpu, "SOFTWARE", ())
    monkeypatch.setattr("generators.rendering.renderers.has_device_file", lambda: True)
    renderer, why = choose("auto")
    assert (renderer.name, why) == (f"gpu: {open_device().name}{ELSE_CPU}", "")
    assert RENDERERS.fullmatch(renderer.name)
    assert choose("gpu")[0].name == f"gpu: {open_device().name}"
    close_device()


@pytest.mark.parametrize(
    "name", ["gpu", "gpu:", "gpu: ", "CPU", "cpu ", "gpu: a\nb", "gpu:  x", "gpu: " + "x" * 101, "vga"]
)
def test_other_names_of_renderers_are_unknown_to_the_verifier(name: str) -> None:
    assert RENDERERS.fullmatch(name) is None


def test_auto_says_why_no_driver_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    close_device()
    monkeypatch.setenv("GLCONTEXT_LINUX_LIBEGL", "libEGL-that-is-not-there.so")
    renderer, why = choose("auto", 0)
    assert renderer == CPU and "install" in why
    with pytest.raises(GpuError, match="install"):
        choose("gpu")


HIDDEN = {
    "the library": ({"GLCONTEXT_LINUX_LIBEGL": "/nowhere/libEGL.so.1"}, "libegl1"),
    "OpenGL": ({"GLCONTEXT_LINUX_LIBGL": "/nowhere/libGL.so.1"}, "libgl1"),
    "every driver": ({"__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere/driver.json"}, "libegl-mesa0"),
    "moderngl": ({"PYTHONPATH": f"{{folder}}{os.pathsep}{ROOT}"}, "proofreel[gpu]"),
}


@pytest.mark.parametrize("what", HIDDEN)
def test_what_is_missing_is_one_line_that_says_what_to_install(what: str, tmp_path: Path) -> None:
    variables, package = HIDDEN[what]
    folder = tmp_path / "hiding"
    folder.mkdir()
    (folder / "moderngl.py").write_text("raise ImportError(__name__)\n")
    where = tmp_path / "work"
    where.mkdir()
    hiding = {name: value.format(folder=folder) for name, value in variables.items()}
    line = refused(run("generators", "number", "--renderer", "gpu", "--out", "set", where=where, **hiding))
    assert "install" in line and (package in line or "install" in missing_here())
    assert "/nowhere" not in line
    assert list(where.iterdir()) == []


def missing_here() -> str:
    """What this machine lacks itself, which is said first."""
    try:
        open_device()
    except GpuError as error:
        return str(error)
    return ""


def test_a_device_index_does_not_go_with_the_cpu_and_must_be_there(tmp_path: Path) -> None:
    line = refused(run("generators", "number", "--renderer", "cpu", "--device-index", "0", where=tmp_path))
    assert "--device-index" in line
    line = refused(run("generators", "number", "--renderer", "gpu", "--device-index", "200", where=tmp_path))
    assert "no device 200" in line or "install" in line
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------------------------------------------- datasets

QUICK = {"size": 2, "ops": 2, "resolution": 128, "fps": 6, "seconds_per_op": 0.5, "reveal_seconds": 0.5}
SHORT_PAIRS = "{family: speed, count: 2, resolution: 128, fps: 8}"
OPTIONS = [f"--{name.replace('_', '-')}={value}" for name, value in QUICK.items()]


@on_opengl
def test_a_set_drawn_by_the_gpu_is_sound_and_goes_on_only_with_it(tmp_path: Path) -> None:
    words = ["generators", "number", *OPTIONS, "--count=3", "--seed=4", "--no-sheet"]
    made = run(*words, "--renderer=gpu", "--workers=2", "--out=set", where=tmp_path)
    assert made.returncode == 0, made.stderr
    name = json.loads((tmp_path / "set" / "manifest.json").read_text())["renderer"]
    assert name.startswith("gpu") and name in made.stderr
    assert ("warning: " in made.stderr) == name.startswith("gpu (software): ")
    checked = run("verifier", "check", "set", where=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    hashes = {path.name: hashlib.sha256(path.read_bytes()).digest() for path in (tmp_path / "set").rglob("*.*")}
    # A run that was cut off: the same command makes the same bytes.
    (tmp_path / "set" / "items.jsonl").rename(tmp_path / "set" / "items.jsonl.part")
    next((tmp_path / "set" / "videos").iterdir()).unlink()
    again = run(*words, "--renderer=gpu", "--workers=1", "--out=set", where=tmp_path)
    assert again.returncode == 0, again.stderr
    assert hashes == {path.name: hashlib.sha256(path.read_bytes()).digest() for path in (tmp_path / "set").rglob("*.*")}
    line = refused(run(*words, "--renderer=cpu", "--out=set", where=tmp_path))
    assert f"made with renderer {name}, and now renderer is cpu" in line


@on_opengl
def test_a_set_is_sound_in_any_look_whichever_painter_draws_it_again(tmp_path: Path) -> None:
    parts = ("{family: number, " + ", ".join(f"{name}: {value}" for name, value in QUICK.items()) + "}", SHORT_PAIRS)
    (tmp_path / "set.yaml").write_text("parts:\n" + "".join(f"  - {part}\n" for part in parts))

    def sound(folder: str, *words: str) -> list[str]:
        with pytest.raises(SystemExit) as left:
            main([*words, "--workers=1", "--out", str(tmp_path / folder)])
        assert left.value.code == 0
        assert not [str(finding) for finding in check_dataset(tmp_path / folder)]
        return [item.id for item in read_items(tmp_path / folder)]

    made = sound("gpu", str(tmp_path / "set.yaml"), "--look=random", "--seed=4", "--no-sheet", "--renderer=gpu")
    assert len(made) == 3
    for look, renderer in (("noisy", "gpu"), ("handheld", "gpu"), ("lit", "gpu"), ("paper", "cpu")):
        assert made == sound(look, "--relook", str(tmp_path / "gpu"), f"--look={look}", f"--renderer={renderer}")
        manifest = read_manifest(tmp_path / look)
        assert manifest.renderer.startswith(renderer)
        assert {part.settings["look"] for part in manifest.parts} == {look}


def test_auto_goes_on_with_the_cpu_where_a_set_was_begun_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from argparse import Namespace

    from generators.command import _with_renderer

    kind = family("number")
    request = prepare(tmp_path / "set", Request((Part("number", kind.settings.model_validate(QUICK), 1),), 4))
    write_dataset(tmp_path / "set", request, workers=1)
    monkeypatch.setattr("generators.rendering.renderers.choose", lambda *_: pytest.fail("a renderer was looked for"))
    options = Namespace(out=tmp_path / "set", renderer="auto", device_index=None)
    assert _with_renderer(request, options) == (request, "with which the set was begun")
    assert read_manifest(tmp_path / "set").renderer == "cpu"


@on_opengl
def test_a_gpu_that_fails_is_replaced_only_where_auto_chose_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = family("number")
    chosen = kind.settings.model_validate(QUICK)
    [item] = items_of(kind, chosen, 4, 1)
    (tmp_path / "videos").mkdir()
    by_cpu = write_clips(item, tmp_path, sheet=False)
    by_gpu = write_clips(item, tmp_path, sheet=False, renderer=f"gpu: any{ELSE_CPU}")
    assert by_gpu.clips[0].sha256 != by_cpu.clips[0].sha256 and capsys.readouterr().err == ""
    monkeypatch.setattr(type(open_device().context), "error", property(lambda self: "GL_OUT_OF_MEMORY"))
    replaced = write_clips(item, tmp_path, sheet=False, renderer=f"gpu: any{ELSE_CPU}")
    assert replaced == by_cpu
    assert capsys.readouterr().err.count("\n") == 1
    with pytest.raises(GpuError, match="out of memory"):
        write_clips(item, tmp_path, sheet=False, renderer="gpu: any")
    assert [path.name for path in (tmp_path / "videos").iterdir()] == [f"{item.id}.mp4"]


def test_work_is_done_again_from_its_beginning() -> None:
    done: list[str] = []

    def work(renderer: Renderer) -> str:
        done.append(renderer.name)
        if renderer.is_gpu:
            raise GpuError("gone")
        return "made"

    assert with_fallback(Renderer(f"gpu: x{ELSE_CPU}"), work) == "made"
    assert done == [f"gpu: x{ELSE_CPU}", "cpu"]
    with pytest.raises(GpuError):
        with_fallback(Renderer("gpu: x"), work)


@on_opengl
def test_equal_frames_are_equal_bytes_and_clips_repeat(tmp_path: Path) -> None:
    """What the certificates of pairs rest on: a frame's pixels depend on what it shows alone."""
    lists = [[Placement(0, 9.0 + 3 * step, 20)] for step in (0, 1, 2, 3, 2, 1, 0)]
    scene = scene_of(lists, 80, 64, sprites=SPRITES)
    pictures = drawn(scene, list(range(7)), planar=True)
    assert all(np.array_equal(pictures[step], pictures[6 - step]) for step in range(3))
    renderer, _ = choose("gpu")
    for name in ("a.mp4", "b.mp4"):
        encode(scene, tmp_path / name, renderer=renderer)
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()


# ---------------------------------------------------------------------------------------------------- frames()

NUMBER_ITEM = items_of(family("number"), family("number").settings.model_validate(QUICK | {"resolution": 160}), 2, 1)[0]


@on_opengl
def test_frames_by_the_gpu_are_those_by_the_cpu() -> None:
    indices = [5, 0, 5]
    one, other = frames(NUMBER_ITEM, indices, renderer="gpu"), frames(NUMBER_ITEM, indices)
    assert one.shape == other.shape and one.dtype == np.uint8
    assert np.abs(one.astype(int) - other).max() <= 2
    one, other = (frames(NUMBER_ITEM, indices, renderer="gpu", size=200), frames(NUMBER_ITEM, indices, size=200))
    assert np.abs(one.astype(int) - other).max() <= 2


@pytest.mark.parametrize(
    ("size", "at"),
    [
        (224, (224, 224)),
        ((128, 256), (128, 256)),
        (112, (224, 224)),
        (98, (196, 196)),
        (33, (132, 132)),
        ((225, 300), (900, 1200)),
        (1001, (1004, 1004)),
        ((1, 2048), (128, 2048)),
    ],
)
def test_a_size_is_drawn_or_averaged_down(size: int | tuple[int, int], at: tuple[int, int]) -> None:
    assert drawn_at(NUMBER_ITEM, size) == at
    height, width = (size, size) if isinstance(size, int) else size
    seen = frames(NUMBER_ITEM, [0, 7], size=size)
    assert seen.shape == (2, height, width, 3)
    larger = frames(NUMBER_ITEM, [0, 7], size=at)
    assert np.abs(seen.mean(axis=(1, 2)) - larger.mean(axis=(1, 2))).max() <= 2.0
    if at[0] == 2 * height and at[1] == 2 * width:
        means = larger.reshape(2, height, 2, width, 2, 3).mean(axis=(2, 4))
        assert np.abs(seen - means).max() <= 1.0


@pytest.mark.parametrize("name", family_names())
def test_every_family_can_be_drawn_at_another_size(name: str) -> None:
    item, _ = small_item(name)
    seen = frames(item, [0, item.clips[0].frames - 1], size=112)
    assert seen.shape == (2, 112, 112, 3) and seen.dtype == np.uint8


@pytest.mark.parametrize("size", [0, -1, 2049, (224,), (224, 0), (1, 2, 3), "224"])
def test_a_size_that_is_none_is_an_error(size: Any) -> None:
    with pytest.raises(InputError, match=r"give \(height, width\)"):
        frames(NUMBER_ITEM, [0], size=size)


def test_cuda_is_one_clear_line_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match="PyTorch finds no CUDA device here"):
        frames(NUMBER_ITEM, [0], device="cuda")
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(InputError, match="needs PyTorch"):
        frames(NUMBER_ITEM, [0], device="cuda")
    with pytest.raises(InputError, match="choose cpu or cuda"):
        frames(NUMBER_ITEM, [0], device="tpu")  # type: ignore[call-overload]
