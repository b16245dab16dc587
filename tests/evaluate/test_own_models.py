"""Models of a user's own, files of replies, and people; and the commands that run them."""

import io
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from evaluate.__main__ import main
from evaluate.asking import every_question
from evaluate.attempts import Patience
from evaluate.conditions import Viewing
from evaluate.models import Maker, ModelOptions, model_maker
from evaluate.running import Settings, run
from evaluate.store import REPLIES, Reply, read_replies, read_run
from generators.errors import InputError

ROOT = Path(__file__).resolve().parents[2]

OWN = '''
class Bright:
    """Answers by how bright the last frame is."""

    name = "bright"

    def reply(self, asked):
        brightness = asked.frames[-1].mean()
        return f"Final Answer: {'left' if brightness > 128 else 'right'}, at {asked.times[-1]:.2f}"
'''


def finals(folder: Path) -> list[Reply]:
    return [one for _, one in read_replies(folder)]


def leave(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[Any, str, str]:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return left.value.code, printed.out, printed.err


def test_a_model_of_ones_own_takes_ten_lines(
    small_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(OWN.strip().splitlines()) <= 10
    (tmp_path / "my_own_model.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    code, out, err = leave(capsys, "run", small_dataset, "--model", "my_own_model.py:Bright", "--frames", 4)
    assert (code, out.partition(";")[0]) == (0, "runs/bright-dataset: 36 replies by bright"), err
    assert "warning: " in err and err.count("\n") == 1
    kept = finals(Path("runs/bright-dataset"))
    assert all(one.reply is not None and one.reply.startswith("Final Answer: ") for one in kept)
    given = kept[0].given
    assert given is not None and len(given["sha256"]) == 4
    assert (given["encoding"], given["delivery"]) == ("rgb24", "array")
    record = read_run(Path("runs/bright-dataset"))
    assert (record.model, record.settings.spec, record.settings.frames) == ("bright", "my_own_model.py:Bright", 4)
    for options in (["--condition", "static"], ["--condition", "full,half"]):
        code, out, err = leave(
            capsys, "run", small_dataset, "--model", "my_own_model:Bright", "--fps", 4, "--out", "x", *options
        )
        assert code == 2 or "36 replies" in out
        if options[1] == "full,half":
            assert {path.name for path in Path("x").iterdir() if path.is_dir()} == {"full", "half"}


def test_conditions_have_folders_of_their_own_by_default(
    small_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    code, *_ = leave(
        capsys, "run", small_dataset, "--model", "own.py:Bright", "--fps", 4, "--condition", "full,static", "--limit", 1
    )
    assert code == 0
    assert {path.name for path in Path("runs").iterdir()} == {"bright-dataset", "bright-dataset-static"}


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("x = (", "cannot be loaded: SyntaxError"),
        ("import a_module_that_is_not_there", "cannot be loaded: ModuleNotFoundError"),
        ("raise SystemExit(3)", "cannot be loaded: SystemExit"),
        ("other = 1", "has no factory Make"),
        ("def Make():\n    raise RuntimeError('no weights')", r"Make\(\) fails: RuntimeError: no weights"),
        ("def Make():\n    return 3", "gives no model"),
        ("class Make:\n    name = 'x'", "gives no model"),
    ],
)
def test_a_model_that_cannot_be_made_is_one_line(tmp_path: Path, source: str, complaint: str) -> None:
    (tmp_path / "own.py").write_text(source)
    with pytest.raises(InputError, match=complaint):
        model_maker(f"{tmp_path / 'own.py'}:Make")
    with pytest.raises(InputError, match="there is no file"):
        model_maker(f"{tmp_path / 'absent.py'}:Make")
    with pytest.raises(InputError, match="cannot be loaded: ModuleNotFoundError"):
        model_maker("a_module_that_is_not_there:Make")


class Moody:
    """Fails at every second question, replies with a number to every third, and is fine else."""

    name = "moody"
    asked = 0

    def reply(self, asked: Any) -> Any:
        self.asked += 1
        if asked.order % 2:
            raise ValueError("not\x1b[31m today")
        return 3 if asked.order % 3 == 0 else "Final Answer: left"


def test_what_a_model_raises_is_a_named_failure(make_set: Any, tmp_path: Path) -> None:
    model, dataset = Moody(), make_set(2)
    maker = Maker(name="moody", spec="moody", make=lambda dataset, seed: model)
    outcome = run(dataset, maker, tmp_path, settings=Settings(patience=Patience(attempts=3)))
    assert (outcome.answered, outcome.failed) == (4, 8)
    assert model.asked == 6 * 3 + 2 + 4
    for one in finals(tmp_path):
        if one.order is not None and one.order % 2:
            assert (one.error, one.attempt) == ("ValueError: not\\x1b[31m today", 3)
        else:
            assert one.error == ("the model gave int in place of a text" if one.order in (0, 6) else None)


class Leaving:
    """Leaves the program, or is interrupted, at one question."""

    name = "leaving"

    def __init__(self, raised: BaseException) -> None:
        self.raised = raised

    def reply(self, asked: Any) -> str:
        if asked.order == 1:
            raise self.raised
        return "Final Answer: left"


@pytest.mark.parametrize("concurrency", [1, 3])
def test_a_model_that_leaves_the_program_fails_at_that_question_alone(
    make_set: Any, tmp_path: Path, concurrency: int
) -> None:
    def outcome(raised: BaseException, out: Path) -> Any:
        maker = Maker(
            name="leaving", spec="leaving", make=lambda dataset, seed: Leaving(raised), concurrency=concurrency
        )
        return run(dataset, maker, out, settings=Settings(patience=Patience(attempts=2)))

    dataset = make_set(1)
    left = outcome(SystemExit(3), tmp_path / "left")
    assert (left.answered, left.failed) == (5, 1)
    assert [one.error for one in finals(tmp_path / "left")] == [None, "SystemExit: 3", *[None] * 4]
    with pytest.raises(KeyboardInterrupt):
        outcome(KeyboardInterrupt(), tmp_path / "interrupted")


class Batched:
    name = "batched"
    batch = 4

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def reply(self, asked: Any) -> str:
        return f"alone {asked.order}"

    def replies(self, batch: Any) -> list[str]:
        self.sizes.append(len(batch))
        if any(asked.order == 5 for asked in batch):
            raise MemoryError("too much at once")
        return [f"together {asked.order}" for asked in batch]


def test_a_batch_that_fails_is_asked_one_by_one(make_set: Any, tmp_path: Path) -> None:
    model = Batched()
    maker = Maker(name="batched", spec="batched", make=lambda dataset, seed: model, batch=4)
    run(make_set(2), maker, tmp_path)
    assert model.sizes == [4, 4, 4]
    expected = [f"{'alone' if 4 <= order < 8 else 'together'} {order}" for order in range(12)]
    assert [one.reply for one in finals(tmp_path)] == expected


@pytest.mark.parametrize(("condition", "is_warned"), [("full", True), ("shuffled", True), ("single-centre", False)])
def test_a_frame_rate_above_the_clips_own_is_told_of_once(
    small_dataset: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    condition: str,
    is_warned: bool,
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    for fps, warned in ((1e9, is_warned), (4, False)):
        code, _, err = leave(
            capsys,
            *("run", small_dataset, "--model", f"{tmp_path / 'own.py'}:Bright"),
            *("--fps", fps, "--condition", condition, "--out", tmp_path / f"{fps:g}"),
        )
        assert code == 0
        first = next(every_question(small_dataset)).item.id
        said = f"warning: --fps 1e+09 is above the 4 frames a second of {first}: of such clips every frame is shown\n"
        assert err == (f"evaluate: {said}" if warned else "")


def test_a_person_answers_up_to_an_empty_line_and_goes_on_later(
    small_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("Final Answer: left,\nright\n\nnone\n\nhalf an ans"))
    command = ("run", small_dataset, "--model", "human", "--limit", 1, "--out", tmp_path)
    code, out, err = leave(capsys, *command)
    assert (code, err) == (130, "evaluate: interrupted; the same command goes on where it stopped\n")
    asked = next(every_question(small_dataset))
    assert asked.prompt in out and f"Clip: {small_dataset / str(asked.item.clips[0].file)}" in out
    assert [one.reply for one in finals(tmp_path)] == ["Final Answer: left,\nright", "none"]
    monkeypatch.setattr("sys.stdin", io.StringIO("x\n\n" * 4))
    code, out, err = leave(capsys, *command)
    assert (code, err) == (0, "")
    assert out.count("Your answer") == 4
    given = finals(tmp_path)[0].given
    assert given is not None and given["sha256"] == asked.item.clips[0].sha256


def test_a_person_is_shown_the_file_or_needs_a_window(
    small_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="to show anything else, add --preview"):
        run(small_dataset, "human", tmp_path, settings=Settings(viewing=Viewing(condition="shuffled")))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match="with pygame, which is not installed: python -m pip install pygame"):
        model_maker("human", ModelOptions(preview=True))


class Window:
    """As much of pygame as a preview needs."""

    QUIT, KEYDOWN, K_SPACE, K_RETURN = range(4)

    def __init__(self, keys: list[int]) -> None:
        self.keys, self.shown, self.waited = keys, 0, 0
        self.display = self.image = self.time = self.event = self

    def init(self) -> None: ...

    def quit(self) -> None: ...

    def set_mode(self, size: Any) -> Any:
        assert size == (128, 128)
        return self

    def set_caption(self, text: str) -> None: ...

    def frombuffer(self, pixels: bytes, size: Any, mode: str) -> None:
        assert (len(pixels), tuple(size), mode) == (128 * 128 * 3, (128, 128), "RGB")

    def blit(self, surface: Any, place: Any) -> None:
        self.shown += 1

    def flip(self) -> None: ...

    def wait(self, milliseconds: int | None = None) -> Any:
        if milliseconds is not None:
            self.waited += milliseconds
            return None
        key = self.keys.pop(0)
        return type("Event", (), {"type": self.QUIT if key < 0 else self.KEYDOWN, "key": key})


def test_a_preview_plays_the_frames_at_their_times(small_dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from evaluate.models.human import play

    asked = next(every_question(small_dataset, viewing=Viewing(condition="reversed", frames=5)))
    window = Window([Window.K_SPACE, Window.K_RETURN, -1])
    monkeypatch.setitem(sys.modules, "pygame", window)
    play(asked)
    assert window.shown == 10
    assert abs(window.waited - 2 * (asked.times[-1] * 1000 + 1000)) <= 10
    play(asked)
    assert window.shown == 15


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--model", "oracle", "--frames", "3"], "oracle reads the items and looks at no frames"),
        (["--model", "oracle", "--condition", "static"], "oracle reads the items and looks at no frames"),
        (["--model", "oracle", "--batch", "3"], "--batch goes with hf models only, not with oracle"),
        (["--model", "oracle", "--max-tokens", "3"], "--max-tokens goes with openai and hf models only"),
        (["--model", "oracle", "--preview"], "--preview goes with human models only"),
        (["--model", "oracle", "--condition", "sideways"], "unknown condition 'sideways'"),
        (["--model", "oracle", "--fps", "0"], "argument --fps: '0' is not a number above 0"),
        (["--model", "oracle", "--fps", "nan"], "argument --fps: 'nan' is not a number above 0"),
        (["--model", "oracle", "--shard", "3/2"], "argument --shard: '3/2' is not I/N"),
        (["--model", "oracle", "--judge", "gpt"], "--judge gpt: expected openai:MODEL"),
        (["--model", "oracle", "--judge-base-url", "http://x"], "--judge-base-url goes with --judge"),
        (["--model", "oracle", "--budget-usd", "1"], "--budget-usd needs --price-in and --price-out"),
        (["--model", "openai:"], "unknown model 'openai:': choose from"),
        (["--model", "openai:m", "--base-url", "http://x", "--delivery", "mail"], "argument --delivery: "),
        (["--model", "openai:m", "--base-url", "http://x"], "say how many frames of a clip to send"),
        (["--model", "openai:m", "--base-url", "x"], "expected an address such as"),
        (["--model", "openai:m", "--base-url", "http://x", "--fps", "1", "--frames", "2"], "do not go together"),
    ],
)
def test_a_mistake_is_one_line_and_leaves_no_folder(
    make_set: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], complaint: str
) -> None:
    code, out, err = leave(capsys, "run", make_set(1), *options, "--out", tmp_path / "run")
    assert (code, out) == (2, "")
    assert complaint in err and err.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_nothing_heavy_is_loaded_before_it_is_used() -> None:
    script = (
        "import sys, evaluate.running, evaluate.models.openai, evaluate.models.hf, evaluate.judge;"
        "heavy = {'av', 'torch', 'transformers', 'openai', 'pygame', 'httpx'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script], cwd=ROOT, check=True, capture_output=True)


def test_the_evaluator_costs_little_beside_an_instant_model(make_set: Any, small_dataset: Path, tmp_path: Path) -> None:
    """A floor with room for a busy machine; a quiet one manages several times as many."""

    class Instant:
        name = "instant"

        def __init__(self, looks: bool) -> None:
            self.looks = looks

        def reply(self, asked: Any) -> str:
            return str(asked.frames.shape) if self.looks else "left"

    def rate(dataset: Path, looks: bool, out: Path, **viewing: Any) -> float:
        maker = Maker(name="instant", spec="instant", make=lambda dataset, seed: Instant(looks))
        began = time.perf_counter()
        outcome = run(dataset, maker, out, settings=Settings(viewing=Viewing(**viewing)))
        return outcome.answered / (time.perf_counter() - began)

    dataset = make_set(100)
    assert rate(dataset, False, tmp_path / "plain", frames=16) > 250
    assert rate(small_dataset, True, tmp_path / "looking", frames=16) > 25
    began = time.perf_counter()
    run(dataset, "oracle", tmp_path / "oracle")
    assert 600 / (time.perf_counter() - began) > 250
    assert (tmp_path / "oracle" / REPLIES).exists()
