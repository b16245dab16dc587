"""What every family of minimal pairs must hold: certificates, equal ends, flipping answers, contrast, frame rates."""

from collections import Counter
from functools import cache
from itertools import pairwise
from math import floor
from typing import Any

import numpy as np
import pytest

from generators.certificates import MATCHED, PERMUTATION, certificate, check_pair, frame_digests, frame_keys
from generators.difficulty import read_ladder
from generators.errors import InputError
from generators.family import Family, family, family_names
from generators.item import Item
from generators.pairs import GROUPS, First, PairSettings, Second
from generators.rendering import frames
from generators.rendering.scene import Scene
from generators.sampling import Part, Selection, make_items
from tests.generators.making import items_of

PAIR_FAMILIES = [name for name in family_names() if issubclass(family(name).settings, PairSettings)]
COUNT = 24


@cache
def items(name: str) -> tuple[Item, ...]:
    return tuple(items_of(family(name), family(name).settings(), 11, COUNT))


def scenes(item: Item, **changes: Any) -> list[Scene]:
    kind = family(item.family)
    settings = kind.settings.model_validate(item.provenance.settings | changes)
    return [kind.scene(clip.plan, settings) for clip in item.clips]


def test_every_category_has_its_family() -> None:
    assert sorted(GROUPS) == PAIR_FAMILIES


@pytest.mark.parametrize("name", PAIR_FAMILIES)
def test_the_clips_of_a_pair_are_alike_but_for_their_order(name: str) -> None:
    certificates: Counter[str] = Counter()
    for item in items(name):
        first, second = scenes(item)
        assert (first.frames, first.fps, first.width, first.height) == (
            second.frames,
            second.fps,
            second.width,
            second.height,
        )
        keys = [frame_keys(scene, {}) for scene in (first, second)]
        assert item.pair is not None and item.category == name
        assert item.pair["group"] == GROUPS[name]
        certificates[item.pair["certificate"]] += 1
        sprites: dict[Any, int] = {}
        keys = [frame_keys(scene, sprites) for scene in (first, second)]
        assert keys[0][0] == keys[1][0] and keys[0][-1] == keys[1][-1] and keys[0] != keys[1]
        if item.pair["certificate"] == PERMUTATION:
            assert Counter(keys[0]) == Counter(keys[1])
            assert item.pair["shared_frames"] == 1.0
    assert certificates[PERMUTATION] >= 0.8 * COUNT


@pytest.mark.parametrize("name", PAIR_FAMILIES)
def test_the_pixels_bear_the_certificate_out(name: str) -> None:
    """Told from hashes of what is painted, and for one pair from frames that were each painted alone."""
    kind = family(name)
    settings = kind.settings.model_validate({"resolution": 128})
    for number, item in enumerate(items_of(kind, settings, 12, 4)):
        assert item.pair is not None
        digests = [frame_digests(scene) for scene in scenes(item)]
        assert (Counter(digests[0]) == Counter(digests[1])) == (item.pair["certificate"] == PERMUTATION)
        assert digests[0][0] == digests[1][0] and digests[0][-1] == digests[1][-1]
        if number == 0 and item.pair["certificate"] == PERMUTATION:
            alone = [
                Counter(frames(item, [index], clip=clip).tobytes() for index in range(item.clips[clip].frames))
                for clip in (0, 1)
            ]
            assert alone[0] == alone[1]


@pytest.mark.parametrize("name", PAIR_FAMILIES)
def test_answers_flip_between_clips_and_between_questions(name: str) -> None:
    for item in items(name):
        first, second = (
            next(question for question in item.questions if question.id == wanted) for wanted in ("first", "second")
        )
        assert first.keys[0] != first.keys[1] and second.keys[0] != second.keys[1]
        assert first.keys[0] != second.keys[0] and first.keys[1] != second.keys[1]
        assert first.kind == second.kind
        if first.kind == "choice":
            assert first.options is not None and first.options == (second.options or [])[::-1]
            assert first.prompt.partition("\nA. ")[0] == second.prompt.partition("\nA. ")[0]
        else:
            assert first.prompt != second.prompt and first.options is None


@pytest.mark.parametrize("name", PAIR_FAMILIES)
def test_forms_scripts_and_answers_are_balanced(name: str) -> None:
    forms = Counter(item.questions[0].kind for item in items(name))
    assert forms == {"yes_no": COUNT // 2, "choice": COUNT // 2}
    scripts = Counter((item.clips[0].plan["script"], item.questions[0].kind) for item in items(name))
    assert len({script for script, _ in scripts}) >= 3
    assert max(scripts.values()) - min(scripts.values()) <= 1
    # Whichever question and whichever clip comes first, the answers do not lean to a side.
    keys = Counter(item.questions[0].keys[0] in ("yes", "A") for item in items(name))
    assert min(keys[True], keys[False]) >= 4


@pytest.mark.parametrize("name", PAIR_FAMILIES)
def test_frames_at_the_minimum_rate_tell_the_clips_apart_in_order(name: str) -> None:
    """At the measure's rate, and at every faster one, frames from any phase come in two different orders."""
    for item in items(name)[:12]:
        fps = item.clips[0].fps
        stride = floor(fps / item.measures["minimum_fps"] + 1e-3)
        sprites: dict[Any, int] = {}
        first, second = (frame_keys(scene, sprites) for scene in scenes(item))
        for step in range(1, stride + 1):
            for phase in range(step):
                assert first[phase::step] != second[phase::step], (item.id, step, phase)


@pytest.mark.parametrize("name", PAIR_FAMILIES)
def test_contrast_is_what_was_asked_for(name: str) -> None:
    kind = family(name)
    allowed = kind.settings.model_fields["contrast"].default
    for item in items(name):
        assert allowed.low * 0.96 - 0.02 <= item.measures["contrast"] <= allowed.high * 1.04 + 0.02


@pytest.mark.parametrize("name", PAIR_FAMILIES)
def test_a_ladder_of_contrasts_can_be_made(name: str) -> None:
    default = family(name).settings.model_fields["contrast"].default
    step = (default.high - default.low) / 2
    ladder = read_ladder(f"contrast={default.low:g}..{default.high:g}:{step:g}", 2)
    settings = family(name).settings()
    made = list(make_items(Part(name, settings, ladder.rungs * 2, Selection(None, ladder)), 5))
    assert len(made) == 6
    contrasts = [item.measures["contrast"] for item in made]
    assert all(after >= before - step / 2 for before, after in pairwise(contrasts[::2]))


@pytest.mark.parametrize("name", PAIR_FAMILIES)
@pytest.mark.parametrize("chosen", [{"resolution": 128}, {"resolution": "640x360"}, {"fps": 12}, {"seconds": "12..14"}])
def test_other_sizes_rates_and_lengths_work(name: str, chosen: dict[str, Any]) -> None:
    kind = family(name)
    for item in items_of(kind, kind.settings.model_validate(chosen), 3, 6):
        assert item.pair is not None
        pictures = frames(item, [0, item.clips[0].frames // 2])
        assert all(np.ptp(picture) > 50 for picture in pictures)
        if "seconds" in chosen:
            assert 11 <= item.measures["seconds"] <= 15


@pytest.mark.parametrize("name", PAIR_FAMILIES)
def test_the_mean_length_is_near_what_was_asked_for(name: str) -> None:
    lengths = [item.measures["seconds"] for item in items(name)]
    assert 7.4 <= sum(lengths) / len(lengths) <= 9.6
    assert min(lengths) >= 6.5 and max(lengths) <= 10.6


@pytest.mark.parametrize("name", PAIR_FAMILIES)
def test_each_script_can_be_asked_for_alone_and_an_unknown_one_is_refused(name: str) -> None:
    kind = family(name)
    for script in sorted({item.clips[0].plan["script"] for item in items(name)}):
        [item] = items_of(kind, kind.settings.model_validate({"scripts": script, "form": "choice"}), 1, 1)
        assert item.clips[0].plan["script"] == script and item.questions[0].kind == "choice"
    with pytest.raises(InputError, match=r"--scripts: .* called 'nonsense': choose from "):
        items_of(kind, kind.settings.model_validate({"scripts": "nonsense"}), 1, 1)


@pytest.mark.parametrize("name", PAIR_FAMILIES)
def test_without_open_questions_two_are_left(name: str) -> None:
    kind = family(name)
    [item] = items_of(kind, kind.settings.model_validate({"open_questions": False}), 1, 1)
    assert [question.id for question in item.questions] == ["first", "second"]


@pytest.mark.parametrize("name", PAIR_FAMILIES)
def test_what_is_not_a_pair_is_refused(name: str) -> None:
    item = items(name)[0]
    kind: Family = family(name)
    episodes = [kind.episode(clip.plan) for clip in item.clips]
    questions = [First(form="choice", asks=0), Second(form="choice", asks=1)]
    check_pair(questions, episodes)
    with pytest.raises(ValueError, match="do not flip"):
        check_pair(questions, [episodes[0], episodes[0]])
    with pytest.raises(ValueError, match="do not flip"):
        check_pair([questions[0], questions[0]], episodes)
    with pytest.raises(ValueError, match="the same"):
        certificate([scenes(item)[0]] * 2)


def test_settings_of_pairs_are_read() -> None:
    settings = PairSettings.model_validate({"contrast": "1.5", "seconds": "6..7.5", "scripts": "a, b,a"})
    assert settings.contrast == (1.5, 1.5) and settings.seconds == (6.0, 7.5) and settings.scripts == ("a", "b")
    assert PairSettings.model_validate(settings.to_json()) == settings
    assert (MATCHED, PERMUTATION) == ("matched", "permutation")
