"""Endpoints that misbehave: every question ends with exactly one kept answer or one named failure."""

import base64
import io
import json
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from evaluate.asking import every_question
from evaluate.attempts import Budget, Patience
from evaluate.conditions import Viewing
from evaluate.judge import judgement_of
from evaluate.models import ModelOptions, model_maker
from evaluate.models.openai import retry_after
from evaluate.running import Outcome, Settings, run
from evaluate.store import REPLIES, Reply, read_replies
from generators.errors import InputError
from generators.rendering import frames
from tests.evaluate.loopback import Loopback, Said, completion, error, loopback, prompt_of, reply

ROOT = Path(__file__).resolve().parents[2]
KEY = "sk-only-a-test-0123456789abcdef"
TEXT_ONLY = Viewing(condition="text-only")
BIG = "x" * 10_000_000


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def ask(
    server: Loopback,
    dataset: Path,
    out: Path,
    *,
    viewing: Viewing = TEXT_ONLY,
    limit: int | None = None,
    attempts: int = 3,
    budget: Budget | None = None,
    canary: bool = False,
    warn: Callable[[str], None] = lambda message: None,
    **options: Any,
) -> Outcome:
    known: dict[str, Any] = {"base_url": server.url, "timeout": 5.0, "concurrency": 4} | options
    settings = Settings(
        viewing=viewing,
        patience=Patience(attempts=attempts, first_wait=0.01),
        budget=budget or Budget(),
        has_canary=canary,
        warn=warn,
    )
    return run(dataset, model_maker("openai:tester", ModelOptions(**known)), out, limit=limit, settings=settings)


def rows(folder: Path) -> list[Reply]:
    return [Reply.model_validate_json(line) for line in (folder / REPLIES).read_bytes().splitlines()]


def finals(folder: Path) -> list[Reply]:
    return [one for _, one in read_replies(folder)]


@pytest.fixture(scope="module")
def one_item(make_set: Any) -> Path:
    """Six questions."""
    return make_set(1, size="2")  # type: ignore[no-any-return]


FAULTS: dict[str, tuple[Said, str]] = {
    "429": (error(429, "slow down", Retry_After="0.02"), "http 429: "),
    "500": (error(500), "http 500: "),
    "503 without JSON": (Said(b"<html>Bad gateway", 503), "http 503: "),
    "hang": (Said(b"{}", hang=1.0), "timeout: "),
    "half a body": (Said(json.dumps(completion("Final Answer: left")).encode(), cut=60), "connection: "),
    "broken JSON": (Said(b'{"choices": [{"mess'), "broken reply: the body is no JSON"),
    "not JSON": (Said(b"<html>hello</html>"), "broken reply: the body is no JSON"),
    "deep JSON": (Said(b"[" * 100_000), "broken reply: the body is no JSON"),
    "empty body": (Said(b""), "broken reply: the body is no JSON"),
    "a list": (Said(b"[]"), "broken reply: the body is no object"),
    "empty choices": (Said(b'{"choices": []}'), "broken reply: no choices"),
    "no message": (Said(b'{"choices": [{}]}'), "broken reply: the choice has no message"),
    "no content": (reply(None), "broken reply: the message has no content"),
    "an error in the body": (Said(b'{"error": {"message": "overloaded"}}'), "error in the body: "),
    "wrong unicode": (Said(b'{"choices": "\xff\xfe"}'), "broken reply: the body is not UTF-8"),
    "closed socket": (Said(b"", reset=True), "connection: "),
    "slow stream": (Said(json.dumps(completion("left")).encode(), dribble=0.02), "timeout: "),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_named_failure_and_is_asked_again(one_item: Path, tmp_path: Path, fault: str) -> None:
    said, name = FAULTS[fault]
    behaved: Counter[str] = Counter()

    def behave(request: dict[str, Any]) -> Said:
        behaved["asked"] += 1
        return said if behaved["asked"] == 1 else reply("Final Answer: left")

    with loopback(behave) as server:
        outcome = ask(server, one_item, tmp_path, concurrency=1, timeout=0.5)
    assert (outcome.answered, outcome.failed) == (6, 0)
    first, second, *_ = rows(tmp_path)
    assert first.reply is None and first.error is not None and first.error.startswith(name), first
    assert (second.reply, second.attempt, second.order) == ("Final Answer: left", 2, 0)
    assert len(rows(tmp_path)) == 7
    assert [one.reply for one in finals(tmp_path)] == ["Final Answer: left"] * 6


@pytest.mark.parametrize("fault", ["500", "broken JSON", "closed socket"])
def test_what_always_fails_is_given_up_by_name_and_not_asked_again_unless_more_attempts_are_allowed(
    one_item: Path, tmp_path: Path, fault: str
) -> None:
    is_broken = True
    with loopback(lambda request: FAULTS[fault][0] if is_broken else reply("left")) as server:
        outcome = ask(server, one_item, tmp_path, attempts=2)
        assert (outcome.answered, outcome.failed, len(server.requests)) == (0, 6, 12)
        assert outcome.last_error.startswith(FAULTS[fault][1])
        assert all(one.reply is None and one.error and one.attempt == 2 for one in finals(tmp_path))
        outcome = ask(server, one_item, tmp_path, attempts=2)
        assert (outcome.answered, outcome.failed, len(server.requests)) == (0, 6, 12)
        is_broken = False
        outcome = ask(server, one_item, tmp_path, attempts=3)
        assert (outcome.answered, outcome.failed, len(server.requests)) == (6, 0, 18)
    assert all(one.reply == "left" and one.attempt == 3 for one in finals(tmp_path))


def test_a_bad_request_is_not_repeated_and_a_refused_key_stops_the_run(one_item: Path, tmp_path: Path) -> None:
    with loopback(lambda request: error(400, "the prompt is too long")) as server:
        outcome = ask(server, one_item, tmp_path / "400", attempts=5)
        assert (outcome.failed, len(server.requests)) == (6, 6)
    for status, complaint in ((401, "refuses the key"), (404, "does not know this model"), (429, "quota is used up")):
        said = error(status, f"insufficient_quota for {KEY}")
        with loopback(lambda request, said=said: said) as server:  # type: ignore[misc]
            with pytest.raises(InputError, match=complaint) as caught:
                ask(server, one_item, tmp_path / str(status))
            assert KEY not in str(caught.value)
            assert len(server.requests) <= 4
        assert rows(tmp_path / str(status)) == []


def test_an_endpoint_that_never_answers_stops_the_run(make_set: Any, tmp_path: Path) -> None:
    with (
        loopback(lambda request: error(500, "out of order")) as server,
        pytest.raises(InputError, match=r"the first 20 questions all failed, the last with: http 500: .*out of order"),
    ):
        ask(server, make_set(10), tmp_path, attempts=1)


def test_nobody_listens(one_item: Path, tmp_path: Path) -> None:
    outcome = ask(Loopback("http://127.0.0.1:9/v1"), one_item, tmp_path, attempts=1)
    assert outcome.failed == 6
    assert outcome.last_error.startswith("connection: ")


@pytest.mark.parametrize(
    ("said", "outcome", "finish_reason"),
    [
        (reply("<think>Let me see: left, then", "length"), "unparsed", "length"),
        (reply("Final Answer: le", "length"), "unparsed", "length"),
        (reply(None, "length"), "unparsed", "length"),
        (reply("", "stop"), "unparsed", "stop"),
        (reply(None, "content_filter"), "refused", "content_filter"),
        (reply(None, "stop", refusal="That is not something for me."), "refused", "stop"),
        (reply("I'm sorry, but I cannot view videos."), "refused", "stop"),
        (reply([{"type": "text", "text": "Final Answer: "}, {"type": "text", "text": "WRONG"}]), "unparsed", "stop"),
    ],
)
def test_a_reply_cut_off_or_refused_is_kept_and_counted_as_what_it_is(
    one_item: Path, tmp_path: Path, said: Said, outcome: str, finish_reason: str
) -> None:
    with loopback(lambda request: said) as server:
        ask(server, one_item, tmp_path)
        assert len(server.requests) == 6
    for asked, kept in zip(every_question(one_item), finals(tmp_path), strict=True):
        assert (judgement_of(asked, kept).outcome, kept.finish_reason) == (outcome, finish_reason)
        assert kept.truncated == (finish_reason == "length")


def test_a_wrong_answer_of_a_reply_that_was_cut_off_is_truncated_and_a_right_one_right(one_item: Path) -> None:
    asked = next(asked for asked in every_question(one_item) if asked.question.id == "recall_order")
    key = ", ".join(asked.question.keys[0])
    known: dict[str, Any] = {"item": asked.item.id, "question": asked.question.id, "clip": 0, "model": "m"}
    for text, truncated, outcome in (
        (f"Final Answer: {key}", True, "correct"),
        (f"Final Answer: {key.rpartition(',')[0]}", True, "unparsed"),
        (f"Final Answer: {key.rpartition(',')[0]}", False, "wrong"),
    ):
        judged = judgement_of(asked, Reply(**known, reply=text, truncated=truncated))
        assert judged.outcome == outcome
        assert (judged.reason or "").startswith("truncated") == (outcome == "unparsed")


def faulty(share: float, seed: int = 1) -> Callable[[dict[str, Any]], Said]:
    """Answers with what was asked, but for a share of the requests, which get a fault."""
    chosen, lock = random.Random(seed), threading.Lock()
    quick = [said for name, (said, _) in FAULTS.items() if name not in ("hang", "slow stream")]
    slow = [Said(b"{}", hang=0.6), FAULTS["slow stream"][0]]

    def behave(request: dict[str, Any]) -> Said:
        with lock:
            is_faulty, is_slow = chosen.random() < share, chosen.random() < 0.03
            fault = chosen.choice(slow if is_slow else quick)
        return fault if is_faulty else reply(f"Final Answer: {hash(prompt_of(request))}")

    return behave


def test_two_thousand_questions_under_faults_end_each_with_one_answer_or_one_failure(
    make_set: Any, tmp_path: Path
) -> None:
    dataset = make_set(334, size="3..4", ops="3..6")
    began = time.perf_counter()
    with loopback(faulty(0.2)) as server:
        outcome = ask(server, dataset, tmp_path, attempts=2, concurrency=16, timeout=0.5)
        asked = len(server.requests)
        assert server.most_under_way <= 16 + 8  # hanging ones that were given up may still be there
    print(f"{asked} requests in {time.perf_counter() - began:.1f} s")
    questions = list(every_question(dataset, viewing=TEXT_ONLY))
    assert len(questions) == 2004
    kept = rows(tmp_path)
    answers = Counter(row.name for row in kept if row.reply is not None)
    failures = Counter(row.name for row in kept if row.reply is None)
    assert len(kept) == asked
    assert outcome.answered == len(answers) and set(answers.values()) == {1}
    assert outcome.answered + outcome.failed == 2004
    assert 20 <= outcome.failed <= 400  # a share of 0.04 of 2,004, and more where a busy machine runs into the timeout
    for question, final in zip(questions, finals(tmp_path), strict=True):
        assert final.name == question.name
        assert (final.reply is None) == (final.error is not None) == (failures[final.name] == 2)
        if final.reply is not None:
            assert final.reply == f"Final Answer: {hash(question.prompt)}"
    named = Counter((row.error or "").split(":")[0] for row in kept if row.reply is None)
    assert set(named) >= {"timeout", "connection", "broken reply", "http 429", "http 500", "error in the body"}


RESUMED = """
import pathlib, sys
from evaluate.attempts import Patience
from evaluate.conditions import Viewing
from evaluate.models import ModelOptions, model_maker
from evaluate.running import Settings, run
dataset, out, url = sys.argv[1:]
maker = model_maker("openai:tester", ModelOptions(base_url=url, concurrency=4, timeout=0.5))
settings = Settings(viewing=Viewing(condition="text-only"), patience=Patience(attempts=100, first_wait=0.01))
print(run(pathlib.Path(dataset), maker, pathlib.Path(out), settings=settings).answered)
"""


def test_killed_and_taken_up_again_a_run_loses_and_repeats_nothing(make_set: Any, tmp_path: Path) -> None:
    dataset = make_set(40, size="3", ops="3")
    answered: Counter[str] = Counter()
    lock = threading.Lock()
    behave = faulty(0.2, seed=4)

    def count(request: dict[str, Any]) -> Said:
        said = behave(request)
        with lock:
            answered[prompt_of(request)] += said.body.startswith(b'{"id"') and not said.cut
        return said

    with loopback(count) as server:
        command = [sys.executable, "-W", "error", "-c", RESUMED, dataset, tmp_path / "run", server.url]
        before: list[bytes] = []
        for stop_at in (1, 60, 140, None):
            process = subprocess.Popen(
                [str(word) for word in command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            while process.poll() is None and stop_at is not None:
                path = tmp_path / "run" / REPLIES
                if path.exists() and path.read_bytes().count(b"\n") >= stop_at:
                    process.send_signal(signal.SIGKILL)
                    break
                time.sleep(0.002)
            out, err = process.communicate()
            now = [line for line in (tmp_path / "run" / REPLIES).read_bytes().splitlines(True) if line.endswith(b"\n")]
            assert now[: len(before)] == before
            before = now
        assert process.returncode == 0, err
        assert out == "240\n"
    kept = rows(tmp_path / "run")
    assert Counter(row.name for row in kept if row.reply is not None) == Counter(
        asked.name for asked in every_question(dataset)
    )
    # What is asked twice of the endpoint is what was under way at a kill, and no more.
    assert sum(answered.values()) - 240 <= 3 * 4


def test_the_key_is_nowhere(one_item: Path, tmp_path: Path) -> None:
    def leak(request: dict[str, Any]) -> Said:
        said = next(turns)
        return said if isinstance(said, Said) else reply(said)

    turns: Iterator[Any] = iter(
        [
            f"My key is {KEY}, Final Answer: left",
            error(500, f"invalid key {KEY}", Retry_After="0.01"),
            error(400, f"{KEY} is wrong"),
            Said(json.dumps({"error": {"message": f"{KEY} is wrong"}}).encode()),
            Said(f"<html>{KEY}".encode(), 503, {"Retry-After": "0.01"}),
            reply("left", KEY, usage={"prompt_tokens": 1, "completion_tokens": 1}),
            *[reply(None, "stop", refusal=f"No, {KEY}!")] * 10,
        ]
    )
    with loopback(leak) as server:
        command = [sys.executable, "-m", "evaluate", "run", str(one_item), "--model", "openai:tester", "--base-url"]
        command += [server.url, "--condition", "text-only", "--concurrency", "1", "--out", str(tmp_path / "run")]
        finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert finished.returncode == 0, finished
        assert {headers.get("authorization") or headers["Authorization"] for headers in server.headers} == {
            f"Bearer {KEY}"
        }
    with loopback(lambda request: error(401, f"wrong: {KEY}")) as server:
        command[command.index("--base-url") + 1] = server.url
        command[-1] = str(tmp_path / "refused")
        refused = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert refused.returncode == 2
    everything = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(everything) >= 4
    assert not any(KEY in text for text in (*everything, *finished.args[:-1], finished.stdout, finished.stderr))
    assert not any(KEY in text for text in (refused.stdout, refused.stderr))


def test_malicious_replies_are_kept_as_they_are_and_harm_nothing(
    one_item: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = [
        "<script>alert(1)</script>",
        "\x1b[2J\x1b]0;owned\x07 Final Answer: left",
        "../../../etc/passwd\x00",
        "__import__('os').system('true')",
        BIG,
        '"}\n{"item": "number-000000000000", "question": "infer_state", "clip": 0, "model": "tester", "reply": "x"}\n',
    ]
    turns = iter(evil)
    with loopback(lambda request: reply(next(turns))) as server:
        outcome = ask(server, one_item, tmp_path, concurrency=1)
    assert outcome.answered == 6
    kept = finals(tmp_path)
    assert [one.reply for one in kept] == evil
    for asked, one in zip(every_question(one_item), kept, strict=True):
        assert judgement_of(asked, one).outcome in ("wrong", "unparsed")
    assert "\x1b" not in "".join(capsys.readouterr())
    assert len((tmp_path / REPLIES).read_bytes().splitlines()) == 6


def test_half_a_surrogate_pair_and_an_endless_body(one_item: Path, tmp_path: Path) -> None:
    turns = iter([Said(b'{"choices": [{"message": {"content": "left \\ud800"}}]}'), Said(b" " * (33 * 2**20))])
    with loopback(lambda request: next(turns, reply("left"))) as server:
        ask(server, one_item, tmp_path, concurrency=1, limit=1)
    kept = rows(tmp_path)
    assert kept[0].reply == "left ?"
    assert kept[1].error == "broken reply: the body is longer than 32 MiB"


def decoded(url: str) -> np.ndarray[Any, Any]:
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))).convert("RGB"))


def test_images_are_exactly_the_recorded_frames_with_their_times(small_dataset: Path, tmp_path: Path) -> None:
    import hashlib

    with loopback(lambda request: reply("Final Answer: left")) as server:
        ask(server, small_dataset, tmp_path, viewing=Viewing(frames=5, frames_from="render"), concurrency=1, limit=2)
    for kept, request, asked in zip(finals(tmp_path), server.requests, every_question(small_dataset), strict=False):
        *parts, question = request["messages"][0]["content"]
        assert question == {"type": "text", "text": asked.prompt}
        given = kept.given
        assert given is not None
        clip = asked.item.clips[0]
        assert given["indices"][0] == 0 and given["indices"][-1] == clip.frames - 1 and len(given["indices"]) == 5
        assert [part["text"] for part in parts[::2]] == [
            f"<{index / clip.fps:g} seconds>" for index in given["indices"]
        ]
        pictures = [decoded(part["image_url"]["url"]) for part in parts[1::2]]
        assert [hashlib.sha256(picture.tobytes()).hexdigest() for picture in pictures] == given["sha256"]
        assert (np.stack(pictures) == frames(asked.item, given["indices"])).all()
        assert {"encoding": "png", "delivery": "images", "width": 128, "height": 128}.items() <= given.items()
        assert kept.usage == {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        assert kept.latency is not None and kept.latency > 0


def test_vllm_gets_every_frame_and_no_leave_to_sample_again(small_dataset: Path, tmp_path: Path) -> None:
    with loopback(lambda request: reply("left")) as server:
        ask(
            server,
            small_dataset,
            tmp_path,
            viewing=Viewing(frames=4, condition="reversed"),
            limit=1,
            delivery="vllm-frames",
        )
    request, kept, clip = server.requests[0], finals(tmp_path)[0], next(every_question(small_dataset)).item.clips[0]
    video = request["messages"][0]["content"][0]["video_url"]["url"]
    assert kept.given is not None and video.startswith("data:video/jpeg;base64,")
    pictures = video.partition(",")[2].split(",")
    assert len(pictures) == 4
    assert request["media_io_kwargs"]["video"] == {
        "num_frames": -1,
        "fps": clip.fps,
        "frames_indices": kept.given["indices"][::-1],
        "total_num_frames": clip.frames,
        "duration": clip.frames / clip.fps,
        "do_sample_frames": False,
    }
    last = next(every_question(small_dataset, viewing=Viewing(frames=4))).frames[-1]
    first_sent = np.asarray(Image.open(io.BytesIO(base64.b64decode(pictures[0]))))
    assert np.abs(first_sent.astype(int) - last).mean() < 3


def test_video_url_sends_the_file_and_says_that_the_frames_are_unknown(small_dataset: Path, tmp_path: Path) -> None:
    with loopback(lambda request: reply("left")) as server:
        ask(server, small_dataset, tmp_path, viewing=Viewing(), limit=1, delivery="video_url")
    url = server.requests[0]["messages"][0]["content"][0]["video_url"]["url"]
    clip = next(every_question(small_dataset)).item.clips[0]
    assert base64.b64decode(url.partition(",")[2]) == (small_dataset / str(clip.file)).read_bytes()
    given = finals(tmp_path)[0].given
    assert given is not None
    assert (given["indices"], given["sha256"], given["delivery"]) == (None, clip.sha256, "video_url")
    for viewing in (Viewing(frames=3), Viewing(condition="shuffled"), Viewing(frames_from="render")):
        with pytest.raises(InputError, match="sends the clip's file as it is"):
            ask(server, small_dataset, tmp_path / "other", viewing=viewing, delivery="video_url")


def sees(request: dict[str, Any]) -> Said:
    """A model that reads the canary's number off the picture, by knowing how it is drawn."""
    from evaluate.canary import PROMPT, canary

    if prompt_of(request) != PROMPT:
        return reply("Final Answer: left")
    seen = decoded(request["messages"][0]["content"][1]["image_url"]["url"])
    for number in numbers:
        if (canary(number, place).frames[0] == seen).all():
            return reply(f"The number is {number}.")
    return reply("I see no number.")


numbers: list[str] = []
place = Path()


def test_the_canary_stops_a_run_whose_model_sees_nothing(small_dataset: Path, tmp_path: Path) -> None:
    viewing = Viewing(frames=2)
    with loopback(lambda request: reply("It is 12345678901.")) as server:
        with pytest.raises(
            InputError, match=r"was shown a frame with the number .* does not see what it is sent.*--no-can"
        ):
            ask(server, small_dataset, tmp_path / "blind", viewing=viewing, canary=True)
        assert len(server.requests) == 1
        assert rows(tmp_path / "blind") == []
        ask(server, small_dataset, tmp_path / "text", viewing=TEXT_ONLY, canary=True, limit=1)
    shown = server.requests[0]["messages"][0]["content"]
    assert not any(character.isdigit() for character in shown[-1]["text"])


def test_the_canary_lets_a_model_pass_that_reads_the_number(
    small_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluate.canary.time.time_ns", lambda: 5)
    from generators.randomness import stream

    number = str(stream(0, "canary", 5).randrange(1000, 10_000))
    monkeypatch.setattr(f"{__name__}.numbers", [number])
    monkeypatch.setattr(f"{__name__}.place", tmp_path)
    with loopback(sees) as server:
        outcome = ask(server, small_dataset, tmp_path / "run", viewing=Viewing(frames=2), canary=True, limit=1)
    assert outcome.answered == 6
    assert json.loads((tmp_path / "run" / "canary.json").read_text())["number"] == number


def test_a_budget_stops_a_run_before_it_is_overspent_and_more_goes_on(make_set: Any, tmp_path: Path) -> None:
    dataset = make_set(10, size="2")
    prices: dict[str, Any] = {"price_in": 10.0, "price_out": 100.0}  # a tenth of a cent and a tenth of a cent a reply
    with loopback(lambda request: reply("left")) as server:
        outcome = ask(server, dataset, tmp_path, budget=Budget(**prices, usd=0.0211))
        assert outcome.is_over_budget
        assert outcome.answered == 10 and outcome.spent == pytest.approx(0.02)
        outcome = ask(server, dataset, tmp_path, budget=Budget(**prices, usd=0.0211))
        assert (outcome.answered, len(server.requests)) == (10, 10)
        outcome = ask(server, dataset, tmp_path, budget=Budget(**prices, usd=1.0))
        assert (outcome.answered, outcome.is_over_budget) == (60, False) and outcome.spent == pytest.approx(0.12)
    with pytest.raises(InputError, match="--budget-usd needs --price-in and --price-out"):
        Budget(usd=1.0)
    with pytest.raises(InputError, match="go together"):
        Budget(price_in=1.0)
    silent = json.dumps(completion("left") | {"usage": None}).encode()
    with (
        loopback(lambda request: Said(silent)) as server,
        pytest.raises(InputError, match="does not say how many tokens it used"),
    ):
        ask(server, dataset, tmp_path / "silent", budget=Budget(**prices, usd=1.0))


def test_retry_after_is_honoured_in_seconds_and_as_a_date(one_item: Path, tmp_path: Path) -> None:
    turns = iter([error(429, "wait", Retry_After="0.4"), error(503, "wait", Retry_After="0.3")])
    times: list[float] = []

    def behave(request: dict[str, Any]) -> Said:
        times.append(time.monotonic())
        return next(turns, reply("left"))

    with loopback(behave) as server:
        ask(server, one_item, tmp_path, concurrency=1)
    assert 0.4 <= times[1] - times[0] < 1.5
    assert 0.3 <= times[2] - times[1] < 1.5
    assert times[3] - times[2] < 0.3
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0
    future = retry_after({"retry-after": "Wed, 21 Oct 2065 07:28:00 GMT"})
    assert future is not None and future > 1e8
    assert [retry_after({"retry-after": text}) for text in ("soon", "nan", "-3")] == [None, None, 0.0]
    assert retry_after({}) is None


def test_runs_with_other_parameters_frames_or_endpoints_are_not_mixed(small_dataset: Path, tmp_path: Path) -> None:
    with loopback(lambda request: reply("left")) as server, loopback(lambda request: reply("left")) as other:
        ask(server, small_dataset, tmp_path, viewing=Viewing(frames=2), limit=1, temperature=0.0)
        assert server.requests[0]["temperature"] == 0.0
        for endpoint, viewing, temperature, complaint in (
            (other, Viewing(frames=2), 0.0, "endpoint http"),
            (server, Viewing(frames=3), 0.0, "frames 2, not 3"),
            (server, Viewing(frames=2, condition="static"), 0.0, "condition full, not static"),
            (server, Viewing(frames=2, frames_from="render"), 0.0, "frames-from video, not render"),
            (server, Viewing(frames=2), 1.0, "temperature 0.0, not 1.0"),
        ):
            with pytest.raises(InputError, match=f"holds a run with {complaint}"):
                ask(endpoint, small_dataset, tmp_path, viewing=viewing, temperature=temperature)
        ask(
            server,
            small_dataset,
            tmp_path,
            viewing=Viewing(frames=2),
            limit=1,
            temperature=0.0,
            concurrency=2,
            timeout=9.0,
        )
        assert len(server.requests) == 6


def test_a_warning_and_a_mark_where_the_frame_rate_is_below_the_minimum(small_dataset: Path, tmp_path: Path) -> None:
    warnings: list[str] = []
    with loopback(lambda request: reply("left")) as server:
        ask(server, small_dataset, tmp_path / "low", viewing=Viewing(frames=2), warn=warnings.append)
        assert len(warnings) == 1 and "frames a second and needs" in warnings[0]
        assert all(one.below_minimum_fps is True for one in finals(tmp_path / "low"))
        ask(server, small_dataset, tmp_path / "high", viewing=Viewing(fps=4), warn=warnings.append)
        ask(server, small_dataset, tmp_path / "text", warn=warnings.append)
    assert len(warnings) == 1
    assert all(one.below_minimum_fps is False for one in finals(tmp_path / "high"))
    assert all(one.below_minimum_fps is None for one in finals(tmp_path / "text"))


def test_a_video_that_was_changed_is_not_shown(make_set: Any, small_dataset: Path, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(small_dataset, copy)
    path = next((copy / "videos").iterdir())
    path.write_bytes(path.read_bytes() + b"\0")
    with loopback(lambda request: reply("left")) as server:
        with pytest.raises(InputError, match=r"is not the video that .* names"):
            ask(server, copy, tmp_path / "run", viewing=Viewing(frames=2))
        with pytest.raises(InputError, match=r"was made without videos: .*--frames-from render"):
            ask(server, make_set(1), tmp_path / "none", viewing=Viewing(frames=2))
        with pytest.raises(InputError, match="say how many frames of a clip to send"):
            ask(server, small_dataset, tmp_path / "all", viewing=Viewing())


def test_several_shards_fill_one_run(make_set: Any, tmp_path: Path) -> None:
    dataset = make_set(7, size="2")
    with loopback(lambda request: reply("left")) as server:
        maker = model_maker("openai:tester", ModelOptions(base_url=server.url, concurrency=3))
        for shard in ((1, 3), (3, 3)):
            run(dataset, maker, tmp_path, settings=Settings(viewing=TEXT_ONLY, shard=shard))
        assert len(server.requests) == 5 * 6
        assert {path.name for path in tmp_path.glob("replies*")} == {"replies-1-of-3.jsonl", "replies-3-of-3.jsonl"}
        outcome = run(dataset, maker, tmp_path, settings=Settings(viewing=TEXT_ONLY))
        assert (outcome.answered, len(server.requests)) == (42, 42)
    assert [one.name for one in finals(tmp_path)] == [asked.name for asked in every_question(dataset)]


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("ftp://x", "expected an address such as"),
        ("localhost:8000", "expected an address such as"),
        ("http://", "expected an address such as"),
        ("http://me:secret@x/v1", "must hold no user, password or query"),
        ("http://x/v1?key=secret", "must hold no user, password or query"),
    ],
)
def test_an_address_that_will_not_do_is_named_without_its_secrets(address: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint) as caught:
        model_maker("openai:m", ModelOptions(base_url=address))
    assert "secret" not in str(caught.value)


def test_without_a_key_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(InputError, match="there is no key: set OPENAI_API_KEY"):
        model_maker("openai:m")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-\x07bell-of-a-key")
    with pytest.raises(InputError, match="holds signs that no key has") as caught:
        model_maker("openai:m")
    assert "bell" not in str(caught.value)
