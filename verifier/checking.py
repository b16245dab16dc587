"""Is a dataset what it says? Every plan replayed, every text, key and measure computed again, every file looked at."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from generators.dataset import ITEMS, UNFINISHED, VIDEOS, read_items
from generators.errors import InputError
from generators.family import Family, family
from generators.item import Clip, Item, Question, item_id
from generators.manifest import MANIFEST, Manifest, Request, read_manifest, read_part
from generators.rendering.scene import Scene
from generators.sampling import Part, measure, state_question
from generators.seed_file import seed_commitment
from generators.settings import first_problem

if TYPE_CHECKING:
    import av
    import numpy as np
    from numpy.typing import NDArray

BLOCK = 16
PICTURE_TOLERANCE = 8.0
"""Mean absolute difference, in levels of luma over any block of 16×16 pixels, that coding may leave between scene and
video. At the quantiser used the worst block differs by about 2; a tile in a wrong place differs by 30 or more."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not hold: where (an item, a file, a line) and what."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def check_dataset(
    folder: Path, workers: int = 1, progress: Callable[[int, int], None] = lambda done, total: None
) -> Iterator[Finding]:
    """Everything that is wrong with the dataset in `folder`; nothing where it is sound.

    Raises InputError where the folder holds no dataset at all.
    """
    manifest = read_manifest(folder)
    path = folder / ITEMS
    if not path.exists():
        unfinished = (folder / (ITEMS + UNFINISHED)).exists()
        raise InputError(
            f"{folder} was never finished: run the command that made it again"
            if unfinished
            else f"{folder} is no dataset: it has no {ITEMS}"
        )
    seen: set[str] = set()
    named: set[str] = set()
    lines = 0
    for number, finding, item in _checked_lines(folder, path, manifest, workers):
        lines = max(lines, number)
        progress(number, manifest.items)
        yield from finding
        if item is None:
            continue
        if item.id in seen:
            yield Finding(f"{ITEMS}, line {number}", f"{item.id} stands in the list twice")
        if item.provenance.index != number - 1:
            yield Finding(f"{ITEMS}, line {number}", f"holds item {item.provenance.index}, not item {number - 1}")
        seen.add(item.id)
        named.update(str(clip.file) for clip in item.clips)
    if lines != manifest.items:
        yield Finding(ITEMS, f"has {lines} lines where the manifest says {manifest.items} items")
    for stray in sorted((folder / VIDEOS).glob("*")):
        if f"{VIDEOS}/{stray.name}" not in named:
            yield Finding(f"{VIDEOS}/{stray.name}", "belongs to no item")


def check_seed(folder: Path, root_seed: int) -> Iterator[Finding]:
    """What of the dataset does not come from this seed: every item is drawn again and compared.

    Raises InputError where the dataset cannot be read.
    """
    manifest = read_manifest(folder)
    if manifest.seed_sha256 is not None and seed_commitment(root_seed) != manifest.seed_sha256:
        yield Finding(MANIFEST, "commits to another seed: its SHA-256 differs")
        return
    if manifest.root_seed is not None and manifest.root_seed != str(root_seed):
        yield Finding(MANIFEST, f"names the seed {manifest.root_seed}")
        return
    request = Request(tuple(read_part(record) for record in manifest.parts), root_seed, manifest.set)
    for stored, again in zip_longest(read_items(folder), request.make_items()):
        if stored is None or again is None:
            yield Finding(ITEMS, "does not have as many items as the seed gives")
            return
        if _without_files(stored) != _without_files(again):
            yield Finding(stored.id, f"is not what the seed gives at its place, {again.id}")


def _without_files(item: Item) -> Item:
    clips = [clip.model_copy(update={"file": None, "sha256": None}) for clip in item.clips]
    return item.model_copy(update={"clips": clips, "provenance": item.provenance.model_copy(update={"seed": None})})


def _checked_lines(
    folder: Path, path: Path, manifest: Manifest, workers: int
) -> Iterator[tuple[int, list[Finding], Item | None]]:
    check = partial(check_line, folder, manifest)
    with path.open("rb") as lines:
        if workers == 1:
            yield from map(check, enumerate(lines, 1))
            return
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            for start in _batches(enumerate(lines, 1), 8 * workers):
                yield from pool.map(check, start)


def _batches(things: Iterable[Any], size: int) -> Iterator[list[Any]]:
    batch = []
    for thing in things:
        batch.append(thing)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def check_line(folder: Path, manifest: Manifest, numbered: tuple[int, bytes]) -> tuple[int, list[Finding], Item | None]:
    """(line number, findings, the item if the line holds one) of one line of items.jsonl."""
    number, line = numbered
    where = f"{ITEMS}, line {number}"
    if not line.endswith(b"\n"):
        return number, [Finding(where, "is cut off; run the command that made the set again")], None
    try:
        item = Item.model_validate_json(line)
    except ValidationError as error:
        return number, [Finding(where, f"is no item: {first_problem(error)}")], None
    try:
        is_canonical = item.to_line().encode() + b"\n" == line
    except ValueError:  # NaN or an infinity in a plan, a key or a parameter, which JSON does not have
        is_canonical = False
    if not is_canonical:
        return number, [Finding(where, f"{item.id} is not written in the canonical form")], item
    try:
        kind = family(item.family)
    except InputError as error:
        return number, [Finding(item.id, str(error))], item
    findings = [Finding(item.id, what) for what in _item_problems(item, kind, manifest)]
    if not findings:
        findings = [Finding(item.id, what) for clip in item.clips for what in _file_problems(folder, clip, item, kind)]
    return number, findings, item


def _item_problems(item: Item, kind: Family, manifest: Manifest) -> Iterator[str]:
    """What is wrong with an item's own words and numbers, computed again from its plans and parameters."""
    if item.version != kind.version:
        yield f"was made by version {item.version} of the family {kind.name}; this is version {kind.version}"
        return
    plans = [clip.plan for clip in item.clips]
    identity = item_id(item.family, item.version, plans)
    if identity != item.id:
        yield f"the id does not belong to the plans, which give {identity}"
    if item.provenance.seed != manifest.root_seed:
        yield f"names the seed {item.provenance.seed}, the manifest {manifest.root_seed}"
    part, plan = _part_of(item.provenance.index, manifest)
    if part is None or (part.family, part.settings.to_json()) != (item.family, item.provenance.settings):
        yield "is not of a family and settings that the manifest has for its place"
        return
    condition = part.selection.condition(plan)
    try:
        settings = kind.settings.model_validate(item.provenance.settings)
    except ValidationError as error:
        yield f"its settings cannot be read: {first_problem(error)}"
        return
    try:
        episodes = [kind.episode(plan) for plan in plans]
        scenes = [kind.scene(plan, settings) for plan in plans]
    except (ValueError, InputError, KeyError, TypeError) as error:
        yield f"its plan does not hold: {error}"
        return
    for number, (clip, scene) in enumerate(zip(item.clips, scenes, strict=True)):
        yield from (f"clip {number}: {what}" for what in _timing_problems(clip, scene))
    parameters = []
    for question in item.questions:
        try:
            asked = kind.question(question.id).model_validate(question.about)
            for episode in episodes:
                asked.check(episode)
            expected = state_question(asked, episodes)
        except (ValueError, InputError, RuntimeError) as error:
            reason = first_problem(error) if isinstance(error, ValidationError) else str(error)
            yield f"{question.id}: its parameters do not hold: {reason}"
            continue
        parameters.append(asked)
        yield from (f"{question.id}: {what}" for what in _question_problems(question, expected))
    names = [question.id for question in item.questions]
    if names != list(kind.asked(settings)):
        yield f"asks {', '.join(names) or 'nothing'}, and its settings say {', '.join(kind.asked(settings))}"
        return
    measures = measure(kind, episodes, scenes, parameters)
    if len(parameters) == len(names) and measures != item.measures:
        wrong = next(name for name in measures | item.measures if measures.get(name) != item.measures.get(name))
        yield f"the measure {wrong} is {item.measures.get(wrong)}, computed again {measures.get(wrong)}"
    elif condition is not None and not condition.holds(item.measures):
        yield f"does not satisfy the manifest's condition {condition.text}"


def _part_of(index: int, manifest: Manifest) -> tuple[Part | None, int]:
    """(the part that item `index` belongs to, the number of its plan within it)."""
    for record in manifest.parts:
        part = read_part(record)
        if index < part.items:
            return part, index // part.twins
        index -= part.items
    return None, 0


def _timing_problems(clip: Clip, scene: Scene) -> Iterator[str]:
    for name in ("width", "height", "fps", "frames"):
        if getattr(clip, name) != getattr(scene, name):
            yield f"{name} is {getattr(clip, name)}, computed again {getattr(scene, name)}"
    if tuple(clip.spans) != scene.spans:
        yield "the spans are not those of its operations"


def _question_problems(stored: Question, expected: Question) -> Iterator[str]:
    for name in ("level", "kind", "prompt", "options", "keys"):
        if getattr(stored, name) != getattr(expected, name):
            shown = "" if name == "prompt" else f": {getattr(stored, name)}, computed again {getattr(expected, name)}"
            yield f"the {name} differs from the one computed again{shown}"


def _file_problems(folder: Path, clip: Clip, item: Item, kind: Family) -> Iterator[str]:
    """What is wrong with a clip's file: its place, content, form, and whether it shows the plan."""
    if clip.file is None or clip.sha256 is None:
        yield "names no video file"
        return
    path = folder / clip.file
    if not path.resolve().is_relative_to(folder.resolve()) or Path(clip.file).is_absolute():
        yield f"{clip.file} lies outside the dataset's folder"
        return
    if not path.is_file():
        yield f"{clip.file} is missing"
        return
    if hashlib.sha256(path.read_bytes()).hexdigest() != clip.sha256:
        yield f"{clip.file} is not the file that was written: its SHA-256 differs"
        return
    settings = kind.settings.model_validate(item.provenance.settings)
    yield from (f"{clip.file}: {what}" for what in _video_problems(path, clip, kind.scene(clip.plan, settings)))


def _video_problems(path: Path, clip: Clip, scene: Scene) -> Iterator[str]:
    import av
    import numpy as np

    try:
        with av.open(str(path)) as container:
            stream = container.streams.video[0]
            yield from _form_problems(stream, clip)
            middles = {(first + end) // 2 for first, end in clip.spans}
            shown = middles | {end - 1 for _, end in clip.spans} | {0, clip.frames - 1}
            pictures: dict[int, NDArray[np.uint8]] = {}
            count = 0
            for count, frame in enumerate(container.decode(stream), 1):
                if count - 1 in shown:
                    pictures[count - 1] = frame.to_ndarray()[: frame.height, : frame.width].astype(np.uint8)
    except (av.FFmpegError, IndexError) as error:
        yield f"cannot be decoded: {error}"
        return
    if count != clip.frames:
        yield f"has {count} frames where {clip.frames} are named"
        return
    yield from _picture_problems(pictures, scene)


def _form_problems(stream: "av.VideoStream", clip: Clip) -> Iterator[str]:
    context = stream.codec_context
    form = {
        "codec": (context.name, "h264"),
        "pixel format": (context.pix_fmt, "yuv420p"),
        "width": (context.width, clip.width),
        "height": (context.height, clip.height),
        "frame rate": (stream.average_rate, clip.fps),
        "colour matrix (1 is BT.709)": (int(context.colorspace), 1),
    }
    for name, (found, expected) in form.items():
        if found != expected:
            yield f"the {name} is {found}, not {expected}"


def _picture_problems(pictures: "dict[int, NDArray[np.uint8]]", scene: Scene) -> Iterator[str]:
    """Frames whose luma is not the scene's within the tolerance of the coding."""
    import numpy as np

    from generators.rendering.cpu import Painter
    from generators.rendering.video import frame_and_planes

    _, planes = frame_and_planes(scene.width, scene.height, scene.fps)
    painter = Painter(scene, planes)
    for index, picture in sorted(pictures.items()):
        painter.paint(index)
        difference = _worst_block(np.abs(picture.astype(np.int16) - planes[0]))
        if difference > PICTURE_TOLERANCE:
            yield f"frame {index} does not show the plan: somewhere it differs by {difference:.0f} levels"
            return


def _worst_block(difference: "NDArray[Any]") -> float:
    """The largest mean over the blocks of a picture of differences."""
    height, width = (side // BLOCK * BLOCK for side in difference.shape)
    blocks = difference[:height, :width].reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK)
    return float(blocks.mean(axis=(1, 3)).max())


def default_workers() -> int:
    return os.cpu_count() or 1
