"""`openai:MODEL`: any endpoint that speaks OpenAI's chat completions, shown exactly the frames that we chose.

The client's own retries are off, so that every attempt is counted and kept, and the body is read here, so that a slow,
broken or endless one is a named failure. The key comes from the environment and goes nowhere but into the request.
"""

import importlib.util
import json
import os
import threading
import time
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from evaluate.asking import Asked
from evaluate.conditions import Viewing
from evaluate.delivery import JPEG_QUALITY, video_of
from evaluate.models.contract import Answer, AttemptFailed, Delivery, Maker, Model, ModelOptions
from generators.errors import InputError, printable

KEY = "OPENAI_API_KEY"
OPENAI = "https://api.openai.com/v1"
NO_KEY = "none"
"""Sent where no key is set; endpoints of one's own ask for none."""

TIMEOUT = 600.0
CONCURRENCY = 8
LONGEST_BODY = 32 * 2**20
HOPELESS = {401: "refuses the key", 402: "wants to be paid", 403: "forbids this", 404: "does not know this model"}
"""Statuses that mean the same for every question: the run stops."""

WORTH_RETRYING = (408, 409, 425, 429)
REFUSALS = ("content_filter", "refusal", "safety")


def redacted(text: str, key: str) -> str:
    """The text without the key, whoever wrote it into it."""
    return text.replace(key, "[key]") if len(key) >= 4 and key != NO_KEY else text


@dataclass(slots=True)
class Endpoint:
    """Where chat completions are asked for, and how. `key` is never shown."""

    model: str
    base_url: str
    key: str = field(repr=False)
    timeout: float = TIMEOUT
    parameters: Mapping[str, Any] = field(default_factory=dict)
    _client: Any = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def complete(self, content: str | list[dict[str, Any]], extra_body: Mapping[str, Any] | None = None) -> Answer:
        """The reply to one message of a user. Raises AttemptFailed where none came, InputError where none ever will."""
        import openai

        client = self._open()
        deadline = time.monotonic() + self.timeout
        try:
            with client.chat.completions.with_streaming_response.create(
                model=self.model,
                messages=[{"role": "user", "content": content}],
                extra_body={**self.parameters, **(extra_body or {})} or None,
            ) as response:
                body = _body(response, deadline, self.timeout)
        except openai.APIStatusError as error:
            raise self._of_status(error) from None
        except openai.APITimeoutError:
            raise AttemptFailed(f"timeout: no reply within {self.timeout:g} s") from None
        except openai.APIConnectionError as error:
            raise AttemptFailed(self._safe(f"connection: {error.__cause__ or error}")) from None
        except openai.OpenAIError as error:
            raise AttemptFailed(self._safe(f"client: {type(error).__name__}: {error}")) from None
        except (AttemptFailed, InputError):
            raise
        except Exception as error:  # The transport's own errors differ between versions of the client.
            reason = "timeout" if "timeout" in type(error).__name__.lower() else "connection"
            raise AttemptFailed(self._safe(f"{reason}: {type(error).__name__}: {error}")) from None
        return self._answer(body)

    def _open(self) -> Any:
        """The client, which any thread may use."""
        import openai

        with self._lock:
            if self._client is None:
                self._client = openai.OpenAI(
                    api_key=self.key, base_url=self.base_url, timeout=self.timeout, max_retries=0
                )
            return self._client

    def close(self) -> None:
        """Close the connections; the next request opens new ones."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _safe(self, text: str) -> str:
        return printable(redacted(" ".join(text.split()), self.key))[:400]

    def _of_status(self, error: Any) -> Exception:
        status = int(error.status_code)
        said = self._safe(str(getattr(error, "message", "") or error))
        if status in HOPELESS:
            return InputError(f"{self.base_url} {HOPELESS[status]} ({self.model}): {said}")
        if status == 429 and "insufficient_quota" in said:
            return InputError(f"{self.base_url} says that the account's quota is used up: {said}")
        return AttemptFailed(
            f"http {status}: {said}",
            retry_after=retry_after(getattr(error.response, "headers", {})),
            is_final=status < 500 and status not in WORTH_RETRYING,
        )

    def _answer(self, body: bytes) -> Answer:
        """The reply in a body. Raises AttemptFailed where the body holds none."""
        try:
            said = json.loads(body.decode())
        except UnicodeDecodeError:
            raise AttemptFailed("broken reply: the body is not UTF-8") from None
        except (ValueError, RecursionError):
            raise AttemptFailed(f"broken reply: the body is no JSON ({len(body)} bytes)") from None
        if not isinstance(said, dict):
            raise AttemptFailed("broken reply: the body is no object")
        if said.get("error"):
            raise AttemptFailed(self._safe(f"error in the body: {said['error']}"))
        choices = said.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            raise AttemptFailed("broken reply: no choices")
        message, reason = choices[0].get("message"), choices[0].get("finish_reason")
        if not isinstance(message, dict):
            raise AttemptFailed("broken reply: the choice has no message")
        text, refusal = _text(message.get("content")), message.get("refusal")
        is_refusal = reason in REFUSALS or (isinstance(refusal, str) and bool(refusal))
        if text is None and isinstance(refusal, str):
            text = refusal
        if text is None and not (is_refusal or reason == "length"):
            raise AttemptFailed("broken reply: the message has no content")
        return Answer(
            redacted(text or "", self.key),
            finish_reason=redacted(str(reason)[:40], self.key) if reason is not None else None,
            usage=_usage(said.get("usage")),
            is_refusal=is_refusal,
        )


def _body(response: Any, deadline: float, timeout: float) -> bytes:
    """The whole body. Raises AttemptFailed where it is endless or takes longer than a reply may."""
    chunks, length = [], 0
    for chunk in response.iter_bytes():
        chunks.append(chunk)
        length += len(chunk)
        if length > LONGEST_BODY:
            raise AttemptFailed(f"broken reply: the body is longer than {LONGEST_BODY // 2**20} MiB")
        if time.monotonic() > deadline:
            raise AttemptFailed(f"timeout: the reply was still coming after {timeout:g} s")
    return b"".join(chunks)


def _text(content: Any) -> str | None:
    """The text of a message; some endpoints give it in parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else None


def _usage(usage: Any) -> dict[str, int] | None:
    if not isinstance(usage, dict):
        return None
    return {name: count for name, count in usage.items() if type(count) is int and 0 <= count < 2**53} or None


def retry_after(headers: Any) -> float | None:
    """Seconds to wait by the header Retry-After, which gives seconds or a date."""
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            moment = parsedate_to_datetime(value)
        except ValueError:
            return None
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return max(0.0, seconds) if seconds == seconds else None


@dataclass(frozen=True, slots=True)
class ChatModel:
    """Sends the frames as images with their times, as a list of frames for vLLM, or the clip's file as it is."""

    name: str
    endpoint: Endpoint
    delivery: Delivery

    def close(self) -> None:
        self.endpoint.close()

    def reply(self, asked: Asked) -> Answer:
        if not asked.view.viewing.has_frames:
            return self.endpoint.complete(asked.prompt)
        question = {"type": "text", "text": asked.prompt}
        match self.delivery:
            case "images":
                answer = self.endpoint.complete([*images(asked), question])
                given: dict[str, Any] = {"encoding": "png"}
            case "vllm-frames":
                part, extra_body = vllm_frames(asked)
                answer = self.endpoint.complete([part, question], extra_body)
                given = {"encoding": f"jpeg, quality {JPEG_QUALITY}, 4:4:4"}
            case "video_url":
                answer = self.endpoint.complete([whole_video(asked), question])
                clip = asked.item.clips[asked.clip]
                # Which frames of it the model gets is the endpoint's choice, and unknown.
                given = {
                    "encoding": "mp4",
                    "indices": None,
                    "times": None,
                    "sha256": clip.sha256,
                    "width": clip.width,
                    "height": clip.height,
                }
        return Answer(
            answer.text,
            answer.finish_reason,
            answer.usage,
            {"delivery": self.delivery, **given},
            answer.is_refusal,
        )


def images(asked: Asked) -> list[dict[str, Any]]:
    """A text with the time and a PNG file, for every frame."""
    parts: list[dict[str, Any]] = []
    for seconds, image in zip(asked.times, asked.view.images("png"), strict=True):
        parts.append({"type": "text", "text": f"<{round(seconds, 3):g} seconds>"})
        parts.append({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{image}"}})
    return parts


def vllm_frames(asked: Asked) -> tuple[dict[str, Any], dict[str, Any]]:
    """A video as vLLM takes it frame by frame, and the request's further fields that keep it from sampling again."""
    clip = asked.item.clips[asked.clip]
    url = f"data:video/jpeg;base64,{','.join(asked.view.images('jpeg'))}"
    video = {
        "num_frames": -1,
        "fps": clip.fps,
        "frames_indices": list(asked.view.choice.slots),
        "total_num_frames": clip.frames,
        "duration": clip.frames / clip.fps,
        "do_sample_frames": False,
    }
    return {"type": "video_url", "video_url": {"url": url}}, {"media_io_kwargs": {"video": video}}


def whole_video(asked: Asked) -> dict[str, Any]:
    """The clip's own file."""
    content = b64encode(video_of(asked.view.dataset, asked.item, asked.clip)).decode("ascii")
    return {"type": "video_url", "video_url": {"url": f"data:video/mp4;base64,{content}"}}


def endpoint(
    model: str,
    base_url: str | None,
    timeout: float | None = None,
    max_tokens: int | None = None,
    temperature: float | None = None,
) -> Endpoint:
    """The endpoint that options and environment name. Raises InputError where the key or the address will not do."""
    if importlib.util.find_spec("openai") is None:
        raise InputError(
            "openai: models need openai, which is not installed: python -m pip install 'proofreel[openai]'"
        )
    place = (base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI).rstrip("/")
    try:
        address = urlsplit(place)
        has_host = address.scheme in ("http", "https") and bool(address.hostname)
        has_secret = bool(address.username or address.password or address.query)
        _ = address.port
    except ValueError:
        has_host = has_secret = False
    if has_secret:
        raise InputError(f"--base-url must hold no user, password or query: a key belongs into {KEY}")
    if not has_host:
        raise InputError(f"--base-url {place}: expected an address such as http://localhost:8000/v1")
    key = os.environ.get(KEY, "").strip()
    if not key and place == OPENAI:
        raise InputError(f"there is no key: set {KEY} in the environment, or give your endpoint with --base-url")
    if not key.isascii() or not key.isprintable():
        raise InputError(f"{KEY} holds signs that no key has: set it again")
    parameters: dict[str, Any] = {}
    if max_tokens is not None:
        # OpenAI's newer models refuse the older name, and other servers know only that.
        parameters["max_completion_tokens" if place == OPENAI else "max_tokens"] = max_tokens
    if temperature is not None:
        parameters["temperature"] = temperature
    return Endpoint(model, place, key or NO_KEY, timeout or TIMEOUT, parameters)


def openai_maker(model: str, options: ModelOptions) -> Maker:
    """Raises InputError where the endpoint cannot be asked; nothing is sent yet."""
    place = endpoint(model, options.base_url, options.timeout, options.max_tokens, options.temperature)
    delivery: Delivery = options.delivery or "images"

    def check(viewing: Viewing) -> None:
        if not viewing.has_frames:
            return
        if delivery == "video_url":
            if viewing != Viewing():
                raise InputError(
                    "--delivery video_url sends the clip's file as it is: --fps, --frames, --frames-from render and "
                    "conditions other than full, text-only and transcript need --delivery images or vllm-frames"
                )
        elif viewing.fps is None and viewing.frames is None and not viewing.condition.startswith("single"):
            raise InputError("say how many frames of a clip to send, with --frames N or --fps X")

    def make(dataset: Path, seed: int) -> Model:
        return ChatModel(model, place, delivery)

    return Maker(
        name=model,
        spec=f"openai:{model}",
        make=make,
        endpoint=place.base_url,
        parameters={"delivery": delivery, "max_tokens": options.max_tokens, "temperature": options.temperature},
        packages=("openai",),
        concurrency=options.concurrency or CONCURRENCY,
        needs_canary=True,
        given={"delivery": delivery},
        check=check,
    )
